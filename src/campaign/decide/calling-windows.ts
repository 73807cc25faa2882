import { Temporal } from "temporal-polyfill";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import { isTimeZone } from "../../kernel/zones/time-zone.ts";

/** Calling hours: ISO weekdays (1 = Monday) and local times `HH:MM`, end exclusive. */
export interface CallingWindow {
  days: number[];
  start: string;
  end: string;
}

/** An interval in which calling is allowed, ms. */
export interface Opening {
  opens: number;
  closes: number;
}

/** How far ahead an opening is searched. Every weekday occurs within it, even after a day that skips an hour. */
const AHEAD_MS = 16 * DAY_MS;

/** Number of time zones whose spans are cached. */
const CLOCKS_KEPT = 1_000;
/** Number of spans cached per zone. A forecast looks a year ahead. */
const SPANS_KEPT = 8;

/**
 * Returns when calling may begin in the zone, ms: `now` within a window, otherwise the start of the next one; null if
 * no window ever opens. Without windows, every hour is allowed. A window that can't be computed counts as closed.
 */
export function nextOpening(windows: CallingWindow[] | null, zone: string, now: number): number | null {
  return windows === null ? now : (openingAfter(windows, zone, now)?.opens ?? null);
}

/** Returns the interval that is open at `now`, otherwise the next one. Another interval may begin at its end. */
export function openingAfter(windows: CallingWindow[], zone: string, now: number): Opening | null {
  for (const { from, to, offset } of clockSpans(zone, now)) {
    for (let day = Math.floor((from + offset) / DAY_MS); day * DAY_MS - offset < to; day++) {
      const opening = firstOf(
        windows
          .filter(({ days }) => days.includes(weekday(day)))
          .map(({ start, end }) => ({
            opens: Math.max(from, day * DAY_MS + wallTime(start) - offset),
            closes: Math.min(to, day * DAY_MS + wallTime(end) - offset),
          })),
      );
      if (opening) return opening;
    }
  }
  return null;
}

/** An interval in which a zone's UTC offset doesn't change: local time is UTC + `offset`. All in ms, `to` exclusive. */
interface Span {
  from: number;
  to: number;
  offset: number;
}

/**
 * Splits the time from `now` on into spans with a constant UTC offset; none for an unknown zone. Within a span each
 * local time occurs at most once, so a window is open exactly while the local clock shows it: a time that is skipped is
 * never open, and one that is repeated is open twice.
 */
function* clockSpans(zone: string, now: number): Generator<Span> {
  const end = now + AHEAD_MS;
  for (let from = now; from < end; ) {
    const span = spanAt(zone, from);
    if (span === null) return;
    const to = Math.min(span.to, end);
    yield { from, to, offset: span.offset };
    from = to;
  }
}

/** Cached spans by zone. The lookup in the time zone database is by far the most expensive part of the computation. */
const clocks = new Map<string, Span[]>();

function spanAt(zone: string, at: number): Span | null {
  const spans = clocks.get(zone) ?? [];
  const current = spans.find(({ from, to }) => from <= at && at < to);
  if (current) return current;
  if (!isTimeZone(zone)) return null;
  const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const next = there.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  const span = { from: at, to: next, offset: there.offsetNanoseconds / 1e6 };
  if (clocks.size >= CLOCKS_KEPT) clocks.clear();
  // Replaces a cached part of the same span, which begins later.
  clocks.set(zone, [...spans.filter(({ to }) => to !== next), span].slice(-SPANS_KEPT));
  return span;
}

function firstOf(openings: Opening[]): Opening | null {
  const some = openings.filter(({ opens, closes }) => opens < closes);
  return some.reduce<Opening | null>(
    (first, next) => (first === null || next.opens < first.opens ? next : first),
    null,
  );
}

/** Returns the ISO weekday of a day counted from 1970-01-01, a Thursday. */
function weekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Returns the ms from midnight to `HH:MM`. */
function wallTime(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return (hour * 60 + minute) * MINUTE_MS;
}
