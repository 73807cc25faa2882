import type { FieldError } from "../../kernel/http/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Interval = (typeof INTERVALS)[number];

const LENGTH_MS: Record<Interval, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export const DEFAULT_WINDOW_HOURS = 24;
/** The most buckets of a chart. For minute buckets, every call is read. */
export const MAX_BUCKETS = 400;
/** A year of days, which is less than the maximum number of buckets. */
export const MAX_WINDOW_DAYS = 366;
/** Maximum lengths of windows that are counted by minute and by hour by default. */
const BY_MINUTE_MS = 3 * HOUR_MS;
const BY_HOUR_MS = 4 * DAY_MS;

/** A window of whole buckets. */
export interface Window {
  interval: Interval;
  /** ISO 8601, UTC: the beginning of the first bucket and the end of the last one. */
  since: string;
  until: string;
  /** The beginning of each bucket, in order. */
  buckets: string[];
}

/** Returns the window's whole buckets, or the invalid field. @param now ms */
export function windowOf(
  requested: { since?: string | undefined; until?: string | undefined; interval?: Interval | undefined },
  now: number,
): Window | FieldError {
  const until = requested.until === undefined ? now : Date.parse(requested.until);
  const since = requested.since === undefined ? until - DEFAULT_WINDOW_HOURS * HOUR_MS : Date.parse(requested.since);
  if (since >= until) {
    const field = requested.until === undefined ? "since" : "until";
    return {
      field,
      code: "invalid",
      message: "the window ends before it starts: `until` (default: now) must be after `since`",
    };
  }
  if (until - since > MAX_WINDOW_DAYS * DAY_MS)
    return { field: "since", code: "too_long", message: `the window must not be longer than ${MAX_WINDOW_DAYS} days` };
  const interval = requested.interval ?? intervalFor(until - since);
  const length = LENGTH_MS[interval];
  const first = Math.floor(since / length) * length;
  const end = Math.ceil(until / length) * length;
  const n = (end - first) / length;
  if (n > MAX_BUCKETS) {
    const message = `${n} buckets of one ${interval} are more than the maximum of ${MAX_BUCKETS}: use a longer interval or a shorter window`;
    return { field: "interval", code: "too_small", message };
  }
  const buckets = Array.from({ length: n }, (_, i) => new Date(first + i * length).toISOString());
  return { interval, since: new Date(first).toISOString(), until: new Date(end).toISOString(), buckets };
}

function intervalFor(windowMs: number): Interval {
  if (windowMs <= BY_MINUTE_MS) return "minute";
  return windowMs <= BY_HOUR_MS ? "hour" : "day";
}
