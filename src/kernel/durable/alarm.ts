/** Returns the earliest time; null if there is none. */
export function earliest(times: (number | null)[]): number | null {
  const defined = times.filter((time) => time !== null);
  return defined.length === 0 ? null : Math.min(...defined);
}

/**
 * Returns when (ms) to delete expired rows: `everyMs` after the first one expires, so that one alarm also deletes all
 * rows that expire in between. Returns null if there are no rows.
 */
export function nextSweep(firstExpiry: number | null, everyMs: number): number | null {
  return firstExpiry === null ? null : firstExpiry + everyMs;
}
