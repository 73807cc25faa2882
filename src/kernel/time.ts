export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns a duration in whole seconds, rounded up as carriers bill it, and at least 0. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(Math.max(0, ms) / SECOND_MS);
}
