import type { MiddlewareHandler } from "hono";
import { assertHost } from "./base-url.ts";
import type { Admissions, AppEnv } from "./context.ts";
import { finishHeaders } from "./headers.ts";

/** Gives each request its id, its time and its admission, and each response the common headers. */
export function requestScope(admissions: Admissions): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("requestId", crypto.randomUUID());
    c.set("now", Date.now());
    c.set("admissions", admissions);
    assertHost(c.env, c.req.url);
    await next();
    finishHeaders(c);
  };
}
