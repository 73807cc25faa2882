import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

/** The wait after a failure, ms; it doubles up to the longest. */
export interface RetryPolicy {
  firstMs: number;
  longestMs: number;
}

/** What is remembered of a part that fails: how often in a row, since when, and until when (ms) it waits. */
export interface PartFailure {
  count: number;
  since: number;
  notBefore: number;
}

export const USUAL_RETRY: RetryPolicy = { firstMs: SECOND_MS, longestMs: MINUTE_MS };
/** For what people on the line or at the console wait for. */
export const PROMPT_RETRY: RetryPolicy = { firstMs: SECOND_MS, longestMs: 5 * SECOND_MS };
/** A part that has failed for this long is parked, and retried this often, ms. */
export const PARKED_AFTER_MS = DAY_MS;
export const PARKED_RETRY_MS = HOUR_MS;

/** Returns what to remember of a part that has failed at `now`, ms, after `earlier` failures in a row. */
export function failedAgain(earlier: PartFailure | undefined, policy: RetryPolicy, now: number): PartFailure {
  const { count, since } = earlier ?? { count: 0, since: now };
  const wait = isParked({ since }, now) ? PARKED_RETRY_MS : Math.min(policy.longestMs, policy.firstMs * 2 ** count);
  return { count: count + 1, since, notBefore: now + wait };
}

/** Whether a part has failed for so long that it is rarely retried. */
export function isParked({ since }: Pick<PartFailure, "since">, now: number): boolean {
  return now - since >= PARKED_AFTER_MS;
}
