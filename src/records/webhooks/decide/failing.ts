import { DAY_MS } from "../../../kernel/time.ts";

/** Failed attempts since the last success; times are ms. */
export interface Failures {
  since: number;
  /**
   * The latest failures, oldest first: enough of them to tell for any period of 24 hours whether an attempt failed in
   * it.
   */
  recent: number[];
}

/** A webhook is disabled after this many days without success, if an attempt failed on each of them. */
const DAYS = 5;
export const FAILING_MS = DAYS * DAY_MS;

/**
 * Returns the failures with one more at `now` (ms). A failure whose neighbors are at most 24 hours apart is dropped,
 * because any 24 hours that contain it also contain a neighbor. The list therefore stays short, however many attempts
 * fail.
 */
export function withFailure(failures: Failures | null, now: number): Failures {
  if (failures === null) return { since: now, recent: [now] };
  const recent = failures.recent.filter((at) => now - at < FAILING_MS);
  const beforeLast = recent.at(-2);
  if (beforeLast !== undefined && now - beforeLast < DAY_MS) recent.pop();
  recent.push(now);
  return { since: failures.since, recent };
}

/**
 * Checks whether no attempt has succeeded for five days while at least one failed on each of them. If a webhook had
 * nothing to send on a day, it did not fail on that day.
 */
export function hasFailedForDays(failures: Failures | null, wellAt: number, now: number): boolean {
  if (failures === null || now - wellAt < FAILING_MS) return false;
  const days = new Set(failures.recent.map((at) => Math.floor((now - at) / DAY_MS)));
  return Array.from({ length: DAYS }, (_, day) => day).every((day) => days.has(day));
}
