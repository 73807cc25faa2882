import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors.ts";
import { admits, canonicalOrigin } from "./origins.ts";

/**
 * What every answer to a page carries. Preflights answer any origin, as what they would protect is decided by the
 * answer itself: it has CORS headers for an allowed origin only. They never allow an Authorization header, so no page
 * can use a server's key.
 */
export const forPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header("vary", "Origin");
  const origin = c.req.header("origin");
  if (c.req.method !== "OPTIONS" || origin === undefined || !c.req.header("access-control-request-method")) {
    return next();
  }
  return c.body(null, 204, {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "7200",
  });
};

export const notAllowed = () =>
  new ApiError(403, "origin_not_allowed", "this origin is not on the widget key's domain allowlist");

/** The request's Origin in canonical form; 403 for a missing one, for `null` and for what is no web origin. */
export function requireOrigin(c: Context<AppEnv>): string {
  const origin = canonicalOrigin(c.req.header("origin") ?? "");
  if (origin === null) throw notAllowed();
  return origin;
}

/** Lets the page at the request's Origin read the answer, be it a success or an error; 403 for one not on the list. */
export function allowOrigin(c: Context<AppEnv>, allowlist: readonly string[]): void {
  if (!admits(allowlist, requireOrigin(c))) throw notAllowed();
  c.header("access-control-allow-origin", c.req.header("origin") ?? "");
  c.header("access-control-expose-headers", "x-error-code, x-request-id, retry-after");
}
