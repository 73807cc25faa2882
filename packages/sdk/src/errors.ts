/** A field that the service rejected, and why. */
export interface FieldError {
  /** Its path, `a.b` for a nested field; "" for the whole body. */
  field: string;
  /** The fault, for programs. */
  code?: string;
  message: string;
}

export interface Failure {
  status: number;
  code: string;
  message: string;
  requestId?: string;
  errors?: FieldError[];
  retryAfterS?: number | undefined;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** The service refused a request, or could not be reached. */
export class SwitchboardError extends Error {
  override readonly name = "SwitchboardError";
  /** The answer's HTTP status; 0 if there was none (`unreachable`, `timeout`). */
  readonly status: number;
  /** The stable `x-error-code`, for programs. */
  readonly code: string;
  /** Identifies the request to the service's operators; "" if it was not reached. */
  readonly requestId: string;
  /** Every invalid field. */
  readonly errors: FieldError[];
  /** Seconds after which the service suggests another attempt. */
  readonly retryAfterS: number | undefined;
  /** The whole RFC 9457 object. */
  readonly details: Record<string, unknown>;

  constructor({ status, code, message, requestId = "", errors = [], retryAfterS, details = {}, cause }: Failure) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfterS = retryAfterS;
    this.details = details;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Creates the error for an unsuccessful response. */
export async function errorOf(response: Response): Promise<SwitchboardError> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const details = isRecord(body) ? body : {};
  const title = typeof body === "string" ? body : details.title;
  return new SwitchboardError({
    status,
    code: headers.get("x-error-code") ?? `http_${status}`,
    message: typeof title === "string" ? title : response.statusText || `HTTP ${status}`,
    requestId: headers.get("x-request-id") ?? "",
    errors: Array.isArray(details.errors) ? details.errors.filter(isFieldError) : [],
    retryAfterS: secondsOf(headers.get("retry-after")),
    details,
  });
}

/** Parses `Retry-After` into seconds from now. */
export function secondsOf(retryAfter: string | null, now = Date.now()): number | undefined {
  if (retryAfter === null || retryAfter.trim() === "") return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.field === "string" && typeof value.message === "string";
