import type { Context, MiddlewareHandler } from "hono";
import { admits, canonicalOrigin } from "../../account/visitors/origins.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { answerHeader } from "../../kernel/http/headers.ts";

/**
 * Adds CORS headers to every response to a page. Preflights allow any origin, because the response itself decides: it
 * has CORS headers only for an allowed origin. They never allow an Authorization header, so that no page can use a
 * server's key.
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

/** The page from which a request comes. */
export interface Page {
  /** The Origin header as received; undefined for a caller that is not a page. */
  origin: string | undefined;
  /** The origin in canonical form; null if it is missing, `null` or not a web origin. */
  canonical: string | null;
  /** Lets the origin read the response, whether success or error. */
  letRead(): void;
}

export function pageOf(c: Context<AppEnv>): Page {
  const origin = c.req.header("origin");
  const letRead = () => {
    answerHeader(c, "access-control-allow-origin", origin ?? "");
    answerHeader(c, "access-control-expose-headers", "x-error-code, x-request-id, retry-after");
  };
  return { origin, canonical: canonicalOrigin(origin ?? ""), letRead };
}

/** Returns the page's origin in canonical form. @throws ApiError 403 if it has none */
export function requireOrigin({ canonical }: Page): string {
  if (canonical === null) throw notAllowed();
  return canonical;
}

/** Lets a page on the list read the response, and returns its origin. @throws ApiError 403 for any other page */
export function allowOrigin(page: Page, allowlist: readonly string[]): string {
  const origin = requireOrigin(page);
  if (!admits(allowlist, origin)) throw notAllowed();
  page.letRead();
  return origin;
}

/**
 * Checks that a page is on the list. A caller without an Origin header is not a page; instead, its token must name no
 * origin or an allowed one. Returns the origin with which the session continues.
 */
export function allowCaller(page: Page, allowlist: readonly string[], claimed: string | undefined): string | undefined {
  if (page.origin !== undefined) return allowOrigin(page, allowlist);
  if (claimed !== undefined && !admits(allowlist, claimed)) throw notAllowed();
  return claimed;
}
