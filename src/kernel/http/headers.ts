import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/** Headers by lower-case name. */
export type HeaderFields = Record<string, string>;

/** Headers of every response. A handler's own headers take precedence. */
const EVERYWHERE: HeaderFields = {
  // A response may contain account data or a token, so nothing is cached unless its handler allows it.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
const OVER_HTTPS: HeaderFields = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const ON_PAGES: HeaderFields = { "cross-origin-opener-policy": "same-origin" };
/** Only set on JSON, because other origins may embed scripts and recordings. CORS is not affected. */
const ON_JSON: HeaderFields = { "cross-origin-resource-policy": "same-origin" };
/** Built once per isolate, because copying a Headers object is cheaper than building one. */
const OF_JSON = new Headers(Object.assign({ "content-type": "application/json" }, EVERYWHERE, ON_JSON));
const OF_JSON_OVER_HTTPS = new Headers(OF_JSON);
setMissing(OF_JSON_OVER_HTTPS, OVER_HTTPS);

/** Sets a header on the response to this request, whichever handler creates it. */
export function answerHeader(c: Context<AppEnv>, name: string, value: string): void {
  const headers = c.get("headers");
  if (headers) headers[name] = value;
  else c.set("headers", { [name]: value });
}

/** Returns a response made of serialized JSON, with all its headers. */
export function jsonResponse(
  c: Context<AppEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  own?: HeaderFields,
): Response {
  const shared = c.req.url.startsWith("https:") ? OF_JSON_OVER_HTTPS : OF_JSON;
  const response = new Response(body, { status, headers: shared });
  const { headers } = response;
  headers.set("x-request-id", c.get("requestId"));
  setAll(headers, c.get("headers"));
  setAll(headers, own);
  c.set("finished", response);
  return response;
}

/** Adds the common headers to the response in place. The framework would copy the response for each header. */
export function finishHeaders(c: Context<AppEnv>): void {
  const response = c.res;
  if (response === c.get("finished")) return;
  try {
    complete(response.headers, c);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The responses of objects and of fetch are immutable, so they are copied once.
    const copy = new Response(response.body, response);
    complete(copy.headers, c);
    // Cleared first, because otherwise the framework would copy it again to merge the headers of both.
    c.res = undefined;
    c.res = copy;
  }
}

function complete(headers: Headers, c: Context<AppEnv>): void {
  headers.set("x-request-id", c.get("requestId"));
  const type = headers.get("content-type") ?? "";
  setMissing(headers, c.get("headers") ?? {});
  setMissing(headers, EVERYWHERE);
  if (c.req.url.startsWith("https:")) setMissing(headers, OVER_HTTPS);
  if (type.startsWith("text/html")) setMissing(headers, ON_PAGES);
  if (type.includes("json")) setMissing(headers, ON_JSON);
}

function setAll(headers: Headers, fields: HeaderFields | undefined): void {
  for (const name in fields) headers.set(name, fields[name] ?? "");
}

function setMissing(headers: Headers, fields: HeaderFields): void {
  for (const [name, value] of Object.entries(fields)) if (!headers.has(name)) headers.set(name, value);
}
