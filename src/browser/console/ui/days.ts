const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns the beginning of a day ("2026-11-22") in the user's time zone as an ISO time; "" if the day is invalid. */
export function beginningOf(day: string): string {
  return midnight(day, 0);
}

/**
 * Returns the end of a day in the user's time zone, which is the beginning of the next one; "" if the day is invalid.
 */
export function endOf(day: string): string {
  return midnight(day, 1);
}

/** Returns the day in the user's time zone that contains a time, "2026-11-22"; "" if the time is invalid. */
export function dayOf(at: string): string {
  return dayAt(new Date(at));
}

/** Returns the last day before a time in the user's time zone, for an end at midnight; "" if the time is invalid. */
export function lastDayBefore(at: string): string {
  return dayAt(new Date(new Date(at).getTime() - 1));
}

function midnight(day: string, daysLater: number): string {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (!year || !month || !date) return "";
  const at = new Date(0, 0);
  // Unlike the constructor, this doesn't read the year 2 as 1902: a year is typed digit by digit.
  at.setFullYear(Number(year), Number(month) - 1, Number(date) + daysLater);
  at.setHours(0, 0, 0, 0);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function dayAt(at: Date): string {
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
