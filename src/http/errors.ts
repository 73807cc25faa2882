import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AccountClosedError, UniqueViolation, UserGoneError } from "../db/account-store.ts";
import { logError } from "../log.ts";
import { SigningUnavailable } from "../secrets/tokens.ts";
import { VaultUnavailable } from "../secrets/vault.ts";
import type { AppEnv } from "./context.ts";

/** The one error a handler throws: an HTTP status, a stable slug for programs and a sentence for people. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const invalid = (message: string, code = "invalid_request") => new ApiError(400, code, message);
export const notFound = (what: string) => new ApiError(404, "not_found", `${what} not found`);
export const conflict = (code: string, message: string) => new ApiError(409, code, message);

/** How a request without a good token is told to bring one (RFC 9110, 11.6.1). */
export const challenge = { "www-authenticate": "Bearer" };
export const badToken = () => new ApiError(401, "token_invalid", "token is not valid", challenge);

/** 429 with the whole seconds after which a retry can succeed. */
export function tooMany(code: string, message: string, retryAfterMs: number): ApiError {
  return new ApiError(429, code, message, { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
}

/** The one place that renders an error: a JSON string, or an RFC 9457 object for who asks for it. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const { status, code, message, headers } = toApiError(error, c.get("requestId"));
  const common = { ...headers, "x-error-code": code };
  if (!c.req.header("accept")?.includes("application/problem+json")) return c.json(message, status, common);
  const problem = { type: "about:blank", title: message, status, code, instance: `urn:uuid:${c.get("requestId")}` };
  return c.body(JSON.stringify(problem), status, { ...common, "content-type": "application/problem+json" });
}

function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AccountClosedError) return new ApiError(403, "account_closed", error.message);
  if (error instanceof UserGoneError) return badToken();
  if (error instanceof VaultUnavailable)
    return new ApiError(503, "encryption_unavailable", `encryption is not available: ${error.message}`);
  if (error instanceof SigningUnavailable)
    return new ApiError(503, "signing_unavailable", `token signing is not available: ${error.message}`);
  if (error instanceof UniqueViolation) return invalid(error.message, "duplicate");
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError(error.status, "invalid_request", error.message);
  logError("request", error, { request_id: requestId });
  return new ApiError(500, "internal", "internal error");
}
