const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** When a day of the reader's begins ("2026-11-22"), as the API writes times; "" for what is no day. */
export function beginningOf(day: string): string {
  return midnight(day, 0);
}

/** When a day of the reader's is over, which is when the next one begins; "" for what is no day. */
export function endOf(day: string): string {
  return midnight(day, 1);
}

/** The reader's day that contains a time, "2026-11-22"; "" if the time is invalid. */
export function dayOf(at: string): string {
  return dayAt(new Date(at));
}

/** The last of the reader's days before a time, for an end that is a midnight; "" for what is no time. */
export function lastDayBefore(at: string): string {
  return dayAt(new Date(new Date(at).getTime() - 1));
}

function midnight(day: string, daysLater: number): string {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (!year || !month || !date) return "";
  const at = new Date(0, 0);
  // Unlike the constructor, this takes the year 2 for itself: a year is typed digit by digit.
  at.setFullYear(Number(year), Number(month) - 1, Number(date) + daysLater);
  at.setHours(0, 0, 0, 0);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function dayAt(at: Date): string {
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
