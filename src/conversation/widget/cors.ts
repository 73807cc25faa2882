import type { Context, MiddlewareHandler } from "hono";
import { admits, canonicalOrigin } from "../../account/visitors/origins.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { answerHeader } from "../../kernel/http/headers.ts";

/**
 * What every answer to a page carries. Preflights answer any origin, as what they would protect is decided by the
 * answer itself: it has CORS headers for an allowed origin only. They never allow an Authorization header, so no page
 * can use a server's key.
 */
export const forPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  answerHeader(c, "vary", "Origin");
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

/** The page that a request comes from. */
export interface Page {
  /** The Origin header as it came, undefined for a caller that is no page. */
  origin: string | undefined;
  /** Lets the origin read the answer, whether success or error. */
  letRead(): void;
}

export function pageOf(c: Context<AppEnv>): Page {
  const origin = c.req.header("origin");
  const letRead = () => {
    answerHeader(c, "access-control-allow-origin", origin ?? "");
    answerHeader(c, "access-control-expose-headers", "x-error-code, x-request-id, retry-after");
  };
  return { origin, letRead };
}

/** The page's Origin in canonical form; 403 for a missing one, for `null` and for what is no web origin. */
export function requireOrigin({ origin = "" }: Page): string {
  const canonical = canonicalOrigin(origin);
  if (canonical === null) throw notAllowed();
  return canonical;
}

/** Lets a page on the list read the answer, and gives its Origin; 403 for one that is not. */
export function allowOrigin(page: Page, allowlist: readonly string[]): string {
  const origin = requireOrigin(page);
  if (!admits(allowlist, origin)) throw notAllowed();
  page.letRead();
  return origin;
}

/**
 * A page must be on the list. A caller without an Origin is no page: its token speaks for it, with the origin of the
 * page it was made for, if any. Gives the origin that the session goes on with.
 */
export function allowCaller(page: Page, allowlist: readonly string[], claimed: string | undefined): string | undefined {
  if (page.origin !== undefined) return allowOrigin(page, allowlist);
  if (claimed !== undefined && !admits(allowlist, claimed)) throw notAllowed();
  return claimed;
}
