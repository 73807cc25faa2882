import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { AccountClosedError, UniqueViolation } from "../db/account-store.ts";
import { logError } from "../log.ts";
import type { SigningUnavailable } from "../secrets/tokens.ts";
import type { VaultUnavailable } from "../secrets/vault.ts";
import type { AppEnv } from "./context.ts";
import { jsonResponse } from "./headers.ts";

export interface FieldError {
  /** The field's path (`schedule_config.0.start`); "" for the whole body. */
  field: string;
  /** A stable slug for programs. */
  code: string;
  /** A message for people. If it begins with "is", it continues the field's name. */
  message: string;
}

/** Joins field and message: `name is required`, `status: must be …`. */
export function inWords({ field, message }: Omit<FieldError, "code">): string {
  if (field === "") return message;
  return message.startsWith("is ") ? `${field} ${message}` : `${field}: ${message}`;
}

/** Who made a change, and when (ISO 8601); null if that was not recorded. */
export interface ChangedBy {
  by: string | null;
  at: string | null;
}

/**
 * The error that handlers throw: an HTTP status, a stable slug for programs and a sentence for people. Durable Objects
 * throw it too: its fields reach the caller, its class does not.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;
  readonly errors: FieldError[] | undefined;
  /** Who made the change that the request would have overwritten, and when. Set for a 412. */
  changed: ChangedBy | undefined;
  /**
   * Data that a client needs in order to continue (RFC 9457's extension members). The response is then a problem object
   * regardless of Accept.
   */
  extensions: Record<string, string> | undefined;
  /** Whether the created resource has ended, so that a retry with the same idempotency key creates another one. */
  startsAfresh = false;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    headers: Record<string, string> = {},
    errors?: FieldError[],
  ) {
    // A stack trace would be expensive and useless: the request is at fault, and the response explains it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.errors = errors;
  }
}

export const invalid = (message: string, code = "invalid_request") => new ApiError(400, code, message);
/**
 * Creates a 400 for one field whose value is well-formed but impossible. The code is used for both the error and the
 * field.
 */
export const invalidField = (field: string, code: string, message: string, sentence = inWords({ field, message })) =>
  new ApiError(400, code, sentence, {}, [{ field, code, message }]);
/** Creates a 404. `field` is the field of the body that names the missing resource. */
export const notFound = (what: string, field?: string) =>
  new ApiError(
    404,
    "not_found",
    `${what} not found`,
    {},
    field ? [{ field, code: "not_found", message: `${what} not found` }] : undefined,
  );
export const conflict = (code: string, message: string) => new ApiError(409, code, message);

/** The WWW-Authenticate challenge of a 401 (RFC 9110, 11.6.1). */
export const challenge = { "www-authenticate": "Bearer" };
let badTokenError: ApiError | undefined;
/**
 * Returns the 401 of a bad token. It is created once, because a refused key should cost little; and not while modules
 * load, because V8 would then parse the whole bundle again for the position in its stack.
 */
export function badToken(): ApiError {
  badTokenError ??= new ApiError(401, "token_invalid", "the token is invalid or has expired", challenge);
  return badTokenError;
}

/** Creates a 429 with the time in whole seconds after which a retry can succeed. */
export function tooMany(code: string, message: string, retryAfterMs: number): ApiError {
  return new ApiError(429, code, message, { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
}

/** Creates a 503 for a failure that the client did not cause. A retry after this time can succeed. */
export function unavailable(code: string, message: string, retryAfterMs: number): ApiError {
  return new ApiError(503, code, message, { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
}

/**
 * Renders an error: as a JSON string, or as an RFC 9457 object for clients that accept it. No other code renders
 * errors.
 */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const { status, code, message, headers, errors, changed, extensions } = toApiError(error, c.get("requestId"));
  const common = { ...headers, "x-error-code": code };
  if (!extensions && !c.req.header("accept")?.toLowerCase().includes("application/problem+json"))
    return jsonResponse(c, JSON.stringify(message), status, common);
  const instance = `urn:uuid:${c.get("requestId")}`;
  const problem = { type: "about:blank", title: message, status, code, instance, errors, ...changed, ...extensions };
  return jsonResponse(c, JSON.stringify(problem), status, { ...common, "content-type": "application/problem+json" });
}

const apiError = z.object({
  name: z.literal("ApiError"),
  status: z.custom<ContentfulStatusCode>((status) => typeof status === "number" && status >= 400 && status < 600),
  code: z.string(),
  message: z.string(),
  headers: z.record(z.string(), z.string()),
  errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
  changed: z.object({ by: z.string().nullable(), at: z.string().nullable() }).optional(),
});

/** Errors other than ApiError that have a meaning for clients, by name. */
const TRANSLATIONS: Record<TranslatedError["name"], (error: Error) => ApiError> = {
  AccountClosedError: ({ message }) => new ApiError(403, "account_closed", message),
  VaultUnavailable: ({ message }) =>
    new ApiError(503, "encryption_unavailable", `encryption is not available: ${message}`),
  SigningUnavailable: ({ message }) =>
    new ApiError(503, "signing_unavailable", `token signing is not available: ${message}`),
  UniqueViolation: ({ message }) => invalid(message, "duplicate"),
};
type TranslatedError = AccountClosedError | VaultUnavailable | SigningUnavailable | UniqueViolation;
const isTranslated = (error: unknown): error is TranslatedError =>
  error instanceof Error && Object.hasOwn(TRANSLATIONS, error.name);

/**
 * Returns the error as an API error; null if it has no meaning for clients. Errors are recognized by name, because an
 * error that a Durable Object throws loses its class on the way.
 */
export function clientErrorOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const parsed = error instanceof Error ? apiError.safeParse(error) : null;
  if (parsed?.success) {
    const { status, code, message, headers, errors, changed } = parsed.data;
    const clientError = new ApiError(status, code, message, headers, errors);
    clientError.changed = changed;
    return clientError;
  }
  return isTranslated(error) ? TRANSLATIONS[error.name](error) : null;
}

/** Returns the error to show to a client. */
function toApiError(error: unknown, requestId: string): ApiError {
  const clientError = clientErrorOf(error);
  if (clientError) return clientError;
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError(error.status, "invalid_request", error.message);
  logError("request", error, { request_id: requestId });
  return new ApiError(500, "internal", "internal error");
}
