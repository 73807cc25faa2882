import { Temporal } from "temporal-polyfill";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import { isTimeZone } from "../../kernel/zones/time-zone.ts";

/** Hours in which people may be called: ISO weekdays (1 = Monday) and local wall times `HH:MM`, end exclusive. */
export interface CallingWindow {
  days: number[];
  start: string;
  end: string;
}

/** A stretch of time in which calling is allowed, ms. */
export interface Opening {
  opens: number;
  closes: number;
}

/** How far ahead an opening is looked for: every weekday comes round within it, also past a day that skips an hour. */
const AHEAD_MS = 16 * DAY_MS;

/** Time zones whose stretches are cached. */
const CLOCKS_KEPT = 1_000;
/** Stretches cached for one zone: a forecast looks a year ahead. */
const SPANS_KEPT = 8;

/**
 * When calling may begin in the zone: `now` itself inside a window, else the start of the next one (ms); null when
 * none ever opens. With no windows every hour is fine. Anything that cannot be worked out counts as closed.
 */
export function nextOpening(windows: CallingWindow[] | null, zone: string, now: number): number | null {
  return windows === null ? now : (openingAfter(windows, zone, now)?.opens ?? null);
}

/** The stretch that is open at `now` from then on, else the next one. It can go on in another that begins at its end. */
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

/** A stretch of time over which a zone's clock runs evenly: local time is UTC + `offset`. All ms, `to` exclusive. */
interface Span {
  from: number;
  to: number;
  offset: number;
}

/**
 * The time from `now` on in stretches over which the zone's clock runs evenly, none for a zone that is not known. Inside
 * one a wall time comes once at most, so a window is open exactly while the clock on the wall shows it: what a clock put
 * forward skips is never open, what one put back repeats is open twice.
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

/** Stretches already worked out, by zone: a look into the time zone database costs more than all else here. */
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
  // It replaces a cached part of the same stretch, which begins later.
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

/** ISO weekday of a day counted from 1970-01-01, a Thursday. */
function weekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Ms from midnight to `HH:MM`. */
function wallTime(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return (hour * 60 + minute) * MINUTE_MS;
}
