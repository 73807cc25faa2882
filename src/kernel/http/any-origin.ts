import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";
import { answerHeader } from "./headers.ts";

/**
 * Lets pages of any origin read the answers, errors too: what they ask with is in the address, and no page has it but by
 * its own server. A browser's EventSource asks straight away; a client made of fetch may ask first whether it may send
 * the id of its last event.
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
