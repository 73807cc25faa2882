import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers of every response; one that a handler set itself is kept. */
const EVERYWHERE: HeaderList = [
  // A response may hold account data or a token, so nothing is cached unless its handler allows it.
  ["cache-control", "no-store"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
];
const OVER_HTTPS: HeaderList = [["strict-transport-security", "max-age=31536000; includeSubDomains"]];
const ON_PAGES: HeaderList = [["cross-origin-opener-policy", "same-origin"]];
/** Set on JSON only, because scripts and recordings may be embedded by other origins. CORS is unaffected. */
const ON_JSON: HeaderList = [["cross-origin-resource-policy", "same-origin"]];

/** Gives the response the headers that every one has, in place: the framework would copy it for each of them. */
export function finishHeaders(c: Context<AppEnv>): void {
  const made = c.res;
  try {
    complete(made.headers, c);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What an object or a fetch answered cannot be changed: it is copied once.
    const copy = new Response(made.body, made);
    complete(copy.headers, c);
    // Else the framework would copy it again, to merge the headers of both.
    c.res = undefined;
    c.res = copy;
  }
}

function complete(headers: Headers, c: Context<AppEnv>): void {
  headers.set("x-request-id", c.get("requestId"));
  const type = headers.get("content-type") ?? "";
  setMissing(headers, EVERYWHERE);
  if (c.req.url.startsWith("https:")) setMissing(headers, OVER_HTTPS);
  if (type.startsWith("text/html")) setMissing(headers, ON_PAGES);
  if (type.includes("json")) setMissing(headers, ON_JSON);
}

function setMissing(headers: Headers, list: HeaderList): void {
  for (const [name, value] of list) if (!headers.has(name)) headers.set(name, value);
}
