import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

/** The retry delay after a failure, ms. It doubles up to the maximum. */
export interface RetryPolicy {
  firstMs: number;
  longestMs: number;
}

/** The failures of a part: how many in a row, since when (ms), and until when (ms) it waits. */
export interface PartFailure {
  count: number;
  since: number;
  notBefore: number;
}

export const USUAL_RETRY: RetryPolicy = { firstMs: SECOND_MS, longestMs: MINUTE_MS };
/** The policy for parts whose work people on a call or at the console wait for. */
export const PROMPT_RETRY: RetryPolicy = { firstMs: SECOND_MS, longestMs: 5 * SECOND_MS };
/** After failing for this long, a part is parked and retried at the longer interval, ms. */
export const PARKED_AFTER_MS = DAY_MS;
export const PARKED_RETRY_MS = HOUR_MS;

/** Returns the failures of a part that failed at `now` (ms) after `earlier` failures in a row. */
export function failedAgain(earlier: PartFailure | undefined, policy: RetryPolicy, now: number): PartFailure {
  const { count, since } = earlier ?? { count: 0, since: now };
  const wait = isParked({ since }, now) ? PARKED_RETRY_MS : Math.min(policy.longestMs, policy.firstMs * 2 ** count);
  return { count: count + 1, since, notBefore: now + wait };
}

export function isParked({ since }: Pick<PartFailure, "since">, now: number): boolean {
  return now - since >= PARKED_AFTER_MS;
}
