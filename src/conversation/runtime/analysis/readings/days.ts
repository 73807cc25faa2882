import { Temporal } from "temporal-polyfill";

export type Day = Temporal.PlainDate;

/** Returns a day by its numbers; null if it does not exist. */
export function dayOf(year: number, month: number, day: number): Day | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return null;
  }
}

/** Returns the day at that distance; null if no calendar has it ("nine billion weeks from now"). */
export function daysFrom(today: Day, days: number): Day | null {
  try {
    return today.add({ days });
  } catch {
    return null;
  }
}

/** Returns that day of a month in the year nearest to today; null if the month never has it. */
export function nearestDay(today: Day, month: number, day: number): Day | null {
  const distance = (one: Day) => Math.abs(one.until(today, { largestUnit: "days" }).days);
  const near = [-1, 0, 1].flatMap((by) => dayOf(today.year + by, month, day) ?? []);
  return near.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Returns the next day with that number, today or later, within three months; null if there is none. */
export function nextOfMonth(today: Day, day: number): Day | null {
  for (let months = 0; months < 3; months++) {
    const { year, month } = today.with({ day: 1 }).add({ months });
    const found = dayOf(year, month, day);
    if (found !== null && Temporal.PlainDate.compare(found, today) >= 0) return found;
  }
  return null;
}
