import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";
import { answerHeader } from "./headers.ts";

/**
 * Allows pages of any origin to read the responses, including errors. This is safe because the URL carries the
 * authority, and a page can only get it from its own server. A browser's EventSource sends no preflight; a client built
 * on fetch may send one for the header Last-Event-ID.
 */
export const forAnyOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  answerHeader(c, "access-control-allow-origin", "*");
  answerHeader(c, "access-control-expose-headers", "x-error-code, x-request-id, retry-after");
  if (c.req.method !== "OPTIONS" || !c.req.header("access-control-request-method")) return next();
  return c.body(null, 204, {
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "last-event-id, cache-control",
    "access-control-max-age": "7200",
  });
};
