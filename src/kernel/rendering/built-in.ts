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
  /** The language that the text is spoken in (BCP 47). */
  language: string;
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

/**
 * Returns `now` (ms) in a zone as date, time and weekday of a language, by Intl. English has the formats of `localTime`,
 * which texts of agents were written for.
 */
function spokenTime(language: string, zone: string, now: number): LocalTime {
  if (/^en\b/i.test(language)) return localTime(zone, now);
  const timeZone = zoneOrUtc(zone);
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone });
  return { date: date.format(now), time: time.format(now), weekday: weekday.format(now) };
}

/** The English name of a day of the week, Monday being 1. */
export const weekdayOf = (dayOfWeek: number): string => WEEKDAYS[dayOfWeek - 1] ?? "";

/**
 * The built-in variables. The date is 2026-11-21, the time 14:05 (24 hours) and the weekday English, or all three as
 * another language writes them; all of the zone.
 */
export function builtIn({ agent_name, account_name, call, timezone, language, now }: Surroundings): Variable[] {
  const { date, time, weekday } = spokenTime(language, timezone, now);
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
