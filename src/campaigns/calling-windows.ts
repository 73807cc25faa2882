import { Temporal } from "temporal-polyfill";

/** Hours in which people may be called: ISO weekdays (1 = Monday) and local wall times `HH:MM`, end exclusive. */
export interface CallingWindow {
  days: number[];
  start: string;
  end: string;
}

/** How far ahead an opening is looked for: every weekday comes round within it, also past a day that skips an hour. */
const DAYS_AHEAD = 15;

/** Whether the zone's name is known (IANA time zone database). */
export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return /[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/**
 * When calling may begin in the zone: `now` itself inside a window, else the start of the next one (ms); null when
 * none ever opens. With no windows every hour is fine. Anything that cannot be worked out counts as closed.
 */
export function nextOpening(windows: CallingWindow[] | null, zone: string, now: number): number | null {
  if (windows === null) return now;
  if (!isTimeZone(zone)) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  let earliest: number | null = null;
  for (let ahead = -1; ahead <= DAYS_AHEAD && earliest === null; ahead++) {
    const day = today.add({ days: ahead });
    for (const window of windows) {
      if (!window.days.includes(day.dayOfWeek)) continue;
      const opens = instant(day, window.start, zone, "first");
      const closes = instant(day, window.end, zone, "last");
      // A clock put forward can leave nothing of a window; one put back makes it last longer.
      if (closes <= now || opens >= closes) continue;
      const at = Math.max(opens, now);
      earliest = earliest === null ? at : Math.min(earliest, at);
    }
  }
  return earliest;
}

/**
 * The instant of a local wall time (ms). A time that a clock put forward skips is the moment of the change; of one
 * that a clock put back brings twice, `which` says the one meant.
 */
function instant(day: Temporal.PlainDate, time: string, zone: string, which: "first" | "last"): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const date = hour === 24 ? day.add({ days: 1 }) : day;
  const local = date.toPlainDateTime({ hour: hour % 24, minute });
  const first = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const last = local.toZonedDateTime(zone, { disambiguation: "later" });
  const skipped = !first.toPlainDateTime().equals(local);
  if (skipped) return first.getTimeZoneTransition("next")?.epochMilliseconds ?? last.epochMilliseconds;
  return (which === "first" ? first : last).epochMilliseconds;
}
