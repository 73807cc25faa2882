import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";

/** The waits after the first, second, … attempt, ms. */
const WAITS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
/** The most attempts of a delivery. */
export const MOST_TRIES = WAITS_MS.length + 1;
/** Waits are longer by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The wait (ms) after an attempt that was cut off. */
const AFTER_CUT_OFF_MS = 5 * SECOND_MS;
/** The longest delay that a receiver can request for one delivery, and the longest for all its deliveries, ms. */
const LONGEST_PUT_OFF_MS = 10 * HOUR_MS;
const LONGEST_HOLD_MS = HOUR_MS;

/** Returns when (ms) a delivery is retried after this many tries; null for never. `random` is from 0 to below 1. */
export function nextTry(tries: number, now: number, random: number): number | null {
  const wait = WAITS_MS[tries - 1];
  return wait === undefined ? null : now + Math.round(wait * (1 + JITTER * random));
}

/** Returns when (ms) an attempt with an unknown outcome is repeated; null for never. */
export function afterCutOff(tries: number, now: number, random: number): number | null {
  return tries >= MOST_TRIES ? null : now + Math.round(AFTER_CUT_OFF_MS * (1 + JITTER * random));
}

/**
 * Returns the time (ms) before which a receiver asks not to be contacted. `Retry-After` has seconds or an HTTP date
 * (RFC 9110, 10.2.3). Null if the header is absent or unusable.
 */
export function retryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return now + Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(now, at);
}

/** Returns until when one delivery is delayed, and until when all deliveries to the receiver are held, ms. */
export function putOff(until: number, now: number): { delivery: number; all: number } {
  return { delivery: Math.min(until, now + LONGEST_PUT_OFF_MS), all: Math.min(until, now + LONGEST_HOLD_MS) };
}
