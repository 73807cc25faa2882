import type { FieldError } from "../../kernel/http/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Interval = (typeof INTERVALS)[number];

const LENGTH_MS: Record<Interval, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** How far back the window reaches by default. */
export const DEFAULT_WINDOW_HOURS = 24;
/** As many as a plot can show; for minutes, every call is read. */
export const MAX_BUCKETS = 400;
/** A year of days, which is fewer than the buckets there may be. */
export const MAX_WINDOW_DAYS = 366;
/** The longest windows that are counted by the minute and by the hour where no interval is named. */
const BY_MINUTE_MS = 3 * HOUR_MS;
const BY_HOUR_MS = 4 * DAY_MS;

/** A window of whole buckets. */
export interface Window {
  interval: Interval;
  /** ISO 8601, UTC: where the first bucket begins, and where the last one ends. */
  since: string;
  until: string;
  /** The beginning of each bucket, in order. */
  buckets: string[];
}

/** The whole buckets that a window touches, or which field of it is wrong. @param now ms */
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
