import type { CallingWindow } from "../../../src/campaign/decide/calling-windows.ts";

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Returns the local time and weekday in the zone, according to the platform's time zone data. */
export function wallClock(zone: string, at: number): { weekday: number; time: string } {
  let format = formats.get(zone);
  if (!format) {
    const parts = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: zone });
    formats.set(zone, format);
  }
  const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { weekday: WEEKDAYS.indexOf(shown.weekday ?? "") + 1, time: `${shown.hour}:${shown.minute}` };
}

/** Checks whether a person in the zone may be called at that time. */
export function isOpen(windows: CallingWindow[] | null, zone: string, at: number): boolean {
  if (windows === null) return true;
  const { weekday, time } = wallClock(zone, at);
  return windows.some(({ days, start, end }) => days.includes(weekday) && start <= time && time < end);
}
