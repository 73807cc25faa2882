/** A request that failed, as far as it matters whether it is repeated. */
export interface FailedRequest {
  method: string;
  /** The service carries it out once however often it is sent. */
  hasKey: boolean;
  /** It is a write on condition: repeated after it succeeded, it would be refused. */
  isConditional: boolean;
  /** 0 where no answer came. */
  status: number;
  code: string;
  retryAfterS: number | undefined;
}

const FIRST_WAIT_MS = 500;
/** The longest wait requested by the service that is retried automatically. */
export const LONGEST_WAIT_MS = 30_000;
const REPEATABLE = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
const PASSING = [408, 500, 502, 503, 504];

/**
 * How long to wait before the request is sent again, ms; undefined if it must not be, or not by itself.
 * @param repeated how often it was already @param random from 0 to 1
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
  // Neither was carried out.
  if (status === 429 || code === "idempotency_in_progress") return true;
  if (status !== 0 && !PASSING.includes(status)) return false;
  return method === "POST" ? hasKey : REPEATABLE.includes(method) && !isConditional;
}
