/** The properties of a failed request that decide whether it is repeated. */
export interface FailedRequest {
  method: string;
  /** Whether the service carries the request out only once, however often it is sent. */
  hasKey: boolean;
  /** Whether it is a conditional write. A repetition after a success would be refused. */
  isConditional: boolean;
  /** 0 if no answer came. */
  status: number;
  code: string;
  retryAfterS: number | undefined;
}

const FIRST_WAIT_MS = 500;
/** The longest wait requested by the service that is observed automatically. */
export const LONGEST_WAIT_MS = 30_000;
const REPEATABLE = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
const TRANSIENT = [408, 500, 502, 503, 504];

/**
 * Returns how long to wait before the request is repeated, ms; undefined if it must not be repeated automatically.
 * @param repeated how often it already was @param random from 0 to 1
 */
export function retryWaitMs(failed: FailedRequest, repeated: number, random: number): number | undefined {
  if (!isSafe(failed)) return undefined;
  if (failed.retryAfterS !== undefined) {
    const requestedMs = failed.retryAfterS * 1000;
    return requestedMs <= LONGEST_WAIT_MS ? requestedMs : undefined;
  }
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** repeated) * (0.5 + random / 2);
}

function isSafe({ method, hasKey, isConditional, status, code }: FailedRequest): boolean {
  // In both cases the request was not carried out.
  if (status === 429 || code === "idempotency_in_progress") return true;
  if (status !== 0 && !TRANSIENT.includes(status)) return false;
  return method === "POST" ? hasKey : REPEATABLE.includes(method) && !isConditional;
}
