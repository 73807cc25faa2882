import { DAY_MS } from "../../../../kernel/time.ts";

export const PERIODS = ["7d", "30d", "90d", "month", "last_month", "days"] as const;
export type Period = (typeof PERIODS)[number];

/** Maximum number of days that the service aggregates at once. */
const MAX_DAYS = 366;
const DAYS: Partial<Record<Period, number>> = { "7d": 7, "30d": 30, "90d": 90 };

/** UTC days ("2026-11-23"): the first, and the one after the last. */
export interface Window {
  from: string;
  to: string;
}

/** Returns the period named in the address; the last 30 days if there is none. */
export const periodNamed = (name: string): Period => PERIODS.find((period) => period === name) ?? "30d";

/** Returns the UTC day of a time in ms. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const dayAfter = (day: string, days = 1): string => utcDay(Date.parse(day) + days * DAY_MS);

/**
 * Returns the days of a period; null if the chosen days are invalid.
 * @param now ms
 * @param chosen first and last day
 */
export function windowOf(period: Period, now: number, chosen: { from: string; until: string }): Window | null {
  const tomorrow = dayAfter(utcDay(now));
  const at = new Date(now);
  const month = (later: number) => utcDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1));
  if (period === "month") return { from: month(0), to: tomorrow };
  if (period === "last_month") return { from: month(-1), to: month(0) };
  if (period !== "days") return { from: dayAfter(tomorrow, -(DAYS[period] ?? 0)), to: tomorrow };
  const isDay = (day: string) => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!isDay(chosen.from) || !isDay(chosen.until)) return null;
  const days = (Date.parse(chosen.until) - Date.parse(chosen.from)) / DAY_MS + 1;
  return days >= 1 && days <= MAX_DAYS ? { from: chosen.from, to: dayAfter(chosen.until) } : null;
}

export function daysOf({ from, to }: Window): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return Array.from({ length: count }, (_, nth) => dayAfter(from, nth));
}

/** Returns the midnight of a day in the user's time zone, ms, because plots show times in that zone. */
export function plottedAt(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}
