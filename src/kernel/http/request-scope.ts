import { tracing } from "cloudflare:workers";
import type { Context, MiddlewareHandler } from "hono";
import { logRequest } from "../log.ts";
import { observedEnv } from "../observing/observed-d1.ts";
import { type RequestContext, within } from "../observing/request-context.ts";
import { assertHost } from "./base-url.ts";
import type { Admissions, AppEnv } from "./context.ts";
import { clientErrorOf } from "./errors.ts";
import { finishHeaders } from "./headers.ts";

/**
 * Gives each request its id, its time and its admission, and each response the common headers; leaves a line and a span of
 * it.
 */
export function requestScope(admissions: Admissions): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("requestId", crypto.randomUUID());
    c.set("now", Date.now());
    c.set("admissions", admissions);
    c.env = observedEnv(c.env);
    await observed(c, async () => {
      assertHost(c.env, c.req.url);
      await next();
      finishHeaders(c);
    });
  };
}

/** Methods that lines and spans name; a client may send any word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Serves the request within its context. */
function observed(c: Context<AppEnv>, serve: () => Promise<void>): Promise<void> {
  const [began, request_id] = [performance.now(), c.get("requestId")];
  const method = METHODS.has(c.req.method) ? c.req.method : "OTHER";
  return tracing.enterSpan("request", (span) =>
    within({ request_id }, async (context) => {
      let status = 500;
      let code: string | null = null;
      try {
        await serve();
        status = c.res.status;
        code = c.res.headers.get("x-error-code");
      } catch (error) {
        const clientError = clientErrorOf(error);
        [status, code] = [clientError?.status ?? 500, clientError?.code ?? "internal"];
        throw error;
      } finally {
        const line = { ...about(c, context), method, status, code, ms: Math.round(performance.now() - began) };
        span.setAttribute("http.request.method", method);
        span.setAttribute("http.response.status_code", status);
        span.setAttribute("switchboard.request_id", request_id);
        if (line.route !== null) span.setAttribute("http.route", line.route);
        if (line.account !== null) span.setAttribute("switchboard.account", line.account);
        if (c.env.REQUEST_LINES !== "off") logRequest(line);
      }
    }),
  );
}

function about(c: Context<AppEnv>, { request_id, hops, d1_ms }: RequestContext) {
  const { route, principal, runtime, account } = c.var as Partial<AppEnv["Variables"]>;
  return {
    route: route ?? null,
    account: principal?.account ?? runtime?.session.account ?? account ?? null,
    hops,
    d1_ms,
    request_id,
  };
}
