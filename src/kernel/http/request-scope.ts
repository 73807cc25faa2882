import { tracing } from "cloudflare:workers";
import type { Context, MiddlewareHandler, Next } from "hono";
import { logRequest, type RequestLine } from "../log.ts";
import { observedEnv } from "../observing/observed-d1.ts";
import { type RequestContext, within } from "../observing/request-context.ts";
import { assertHost } from "./base-url.ts";
import type { Admissions, AppEnv, InServiceReads, OwnRuntime, Principal } from "./context.ts";
import { ApiError, clientErrorOf } from "./errors.ts";
import { finishHeaders } from "./headers.ts";

/** Gives each request its id, time and admission, and each response the common headers. Logs and traces the request. */
export function requestScope(admissions: Admissions, inServiceReads: InServiceReads): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const request_id = crypto.randomUUID();
    c.set("requestId", request_id);
    c.set("now", Date.now());
    c.set("admissions", admissions);
    c.set("inServiceReads", inServiceReads);
    c.env = observedEnv(c.env);
    // Opening a span takes several microseconds, and most requests are not traced.
    const traced = tracing.getActiveSpan()?.isTraced ?? true;
    const serve = (span: Span | null) => within({ request_id, traced }, (context) => served(c, next, context, span));
    return traced ? tracing.enterSpan("request", serve) : serve(null);
  };
}

/** The methods that logs and spans contain. Clients may send any word as the method. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

async function served(c: Context<AppEnv>, next: Next, context: RequestContext, span: Span | null): Promise<void> {
  const began = performance.now();
  let outcome: Outcome = { status: 500, code: null };
  try {
    assertHost(c.env, c.req.url);
    assertShort(c.req.raw);
    await next();
    finishHeaders(c);
    outcome = outcomeOf(c.res);
  } catch (error) {
    const clientError = clientErrorOf(error);
    outcome = { status: clientError?.status ?? 500, code: clientError?.code ?? "internal" };
    throw error;
  } finally {
    const line = lineOf(c, context, outcome, performance.now() - began);
    if (span?.isTraced) describe(span, line);
    if (c.env.REQUEST_LINES !== "off") logRequest(line);
  }
}

/** The maximum length of a URL, characters. The platform's edge has the same limit. */
export const MAX_URL_CHARS = 16 * 1024;
/** The maximum number of characters of a request's headers, including names. The longest token has a few KB. */
export const MAX_HEADERS_CHARS = 32 * 1024;

/** @throws ApiError 414 for a longer URL, 431 for longer headers */
function assertShort({ url, headers }: Request): void {
  if (url.length > MAX_URL_CHARS) {
    const most = MAX_URL_CHARS.toLocaleString("en");
    throw new ApiError(414, "url_too_long", `the address is longer than ${most} characters`);
  }
  let chars = 0;
  for (const [name, value] of headers) chars += name.length + value.length;
  if (chars > MAX_HEADERS_CHARS) {
    const most = MAX_HEADERS_CHARS.toLocaleString("en");
    throw new ApiError(431, "headers_too_long", `the headers are longer than ${most} characters`);
  }
}

/** The status of a response; `code` is the slug of its error. */
type Outcome = Pick<RequestLine, "status" | "code">;

/** Returns the status of a response and, if it is an error, its slug. */
function outcomeOf(response: Response): Outcome {
  const { status } = response;
  return { status, code: status < 400 ? null : response.headers.get("x-error-code") };
}

function lineOf(
  c: Context<AppEnv>,
  { request_id, hops, d1_ms }: RequestContext,
  { status, code }: Outcome,
  ms: number,
): RequestLine {
  const principal = c.get("principal") as Principal | undefined;
  const runtime = c.get("runtime") as OwnRuntime | undefined;
  return {
    route: c.get("route") ?? null,
    account: principal?.account ?? runtime?.session.account ?? c.get("account") ?? null,
    hops,
    d1_ms,
    request_id,
    method: METHODS.has(c.req.method) ? c.req.method : "OTHER",
    status,
    code,
    ms: Math.round(ms),
  };
}

/** Adds the content of the log line to the request's span if the span is recorded. */
function describe(span: Span, { route, account, request_id, method, status }: RequestLine): void {
  span.setAttribute("http.request.method", method);
  span.setAttribute("http.response.status_code", status);
  span.setAttribute("switchboard.request_id", request_id);
  if (route !== null) span.setAttribute("http.route", route);
  if (account !== null) span.setAttribute("switchboard.account", account);
}
