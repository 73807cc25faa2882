import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/** What every response says beside its content; a handler that set one of these itself knows better. */
const DEFAULTS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export function finishHeaders(c: Context<AppEnv>): void {
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (!c.res.headers.has(name)) c.header(name, value);
  }
  c.header("x-request-id", c.get("requestId"));
}
