import { Temporal } from "temporal-polyfill";
import { placeholders } from "./placeholders.ts";
import { type Variable, valuesOf } from "./variables.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Input of the built-in variables: the parties of the call, and the moment. */
export interface Surroundings {
  agent_name: string;
  account_name: string;
  /** Null for visitors of a widget, who have no numbers. */
  call: { direction: string; from_number: string; to_number: string } | null;
  /** An IANA time zone; UTC if unknown. */
  timezone: string;
  /** ms */
  now: number;
}

/** A moment by the calendar and clock of a place. */
export interface LocalTime {
  /** 2026-11-21 */
  date: string;
  /** 14:05, of 24 hours */
  time: string;
  /** In English. */
  weekday: string;
}

/** Returns `now` (ms) as date, time and weekday of an IANA zone, of UTC if the zone is unknown. */
export function localTime(zone: string, now: number): LocalTime {
  const there = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zoneOrUtc(zone));
  return {
    date: there.toPlainDate().toString(),
    time: there.toPlainTime().toString({ smallestUnit: "minute" }),
    weekday: weekdayOf(there.dayOfWeek),
  };
}

/** The English name of a day of the week, Monday being 1. */
export const weekdayOf = (dayOfWeek: number): string => WEEKDAYS[dayOfWeek - 1] ?? "";

/**
 * The built-in variables. The date is 2026-11-21, the time 14:05 (24 hours), the weekday English; all of the zone.
 */
export function builtIn({ agent_name, account_name, call, timezone, now }: Surroundings): Variable[] {
  const { date, time, weekday } = localTime(timezone, now);
  return [
    ["agent_name", agent_name],
    ["account_name", account_name],
    ["from_number", call?.from_number ?? ""],
    ["to_number", call?.to_number ?? ""],
    ["direction", call?.direction ?? ""],
    ["date", date],
    ["time", time],
    ["weekday", weekday],
  ];
}

/** The built-in variables that depend on the time. */
const MOMENT = ["date", "time", "weekday"];

/** Whether a text changes with time: it names the date or time, and no variable overrides that name. */
export function usesCurrentTime(template: string, variables: Variable[]): boolean {
  const brought = valuesOf(variables);
  return [...placeholders(template)].some(({ name }) => MOMENT.includes(name) && !brought.has(name));
}

/** The zone, or UTC if the name is unknown. */
export function zoneOrUtc(zone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    return "UTC";
  }
}
