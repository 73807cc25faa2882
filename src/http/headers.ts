import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/** Headers of every response; one that a handler set itself is kept. */
const EVERYWHERE = {
  // A response may hold account data or a token, so nothing is cached unless its handler allows it.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
const OVER_HTTPS = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const ON_PAGES = { "cross-origin-opener-policy": "same-origin" };
/** Set on JSON only, because scripts and recordings may be embedded by other origins. CORS is unaffected. */
const ON_JSON = { "cross-origin-resource-policy": "same-origin" };

export function finishHeaders(c: Context<AppEnv>): void {
  const type = c.res.headers.get("content-type") ?? "";
  const defaults = {
    ...EVERYWHERE,
    ...(c.req.url.startsWith("https:") && OVER_HTTPS),
    ...(type.startsWith("text/html") && ON_PAGES),
    ...(type.includes("json") && ON_JSON),
  };
  for (const [name, value] of Object.entries(defaults)) {
    if (!c.res.headers.has(name)) c.header(name, value);
  }
  c.header("x-request-id", c.get("requestId"));
}
