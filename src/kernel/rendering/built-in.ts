import { Temporal } from "temporal-polyfill";
import { placeholders } from "./placeholders.ts";
import { type Variable, valuesOf } from "./variables.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The values from which built-in variables are made. */
export interface Surroundings {
  agent_name: string;
  account_name: string;
  /** The call; null for visitors of a widget, who have no phone numbers. */
  call: { direction: string; from_number: string; to_number: string } | null;
  /** An IANA time zone. UTC is used if it is unknown. */
  timezone: string;
  /** The language in which the text is spoken (BCP 47). */
  language: string;
  /** The current time, ms. */
  now: number;
}

/** A time as a calendar and a clock show it. */
export interface LocalTime {
  /** The date, such as 2026-11-21. */
  date: string;
  /** The time, such as 14:05. */
  time: string;
  /** The weekday in English. */
  weekday: string;
}

/** Returns the local date, time and weekday at `now` (ms) in an IANA zone. UTC is used if the zone is unknown. */
export function localTime(zone: string, now: number): LocalTime {
  const there = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zoneOrUtc(zone));
  return {
    date: there.toPlainDate().toString(),
    time: there.toPlainTime().toString({ smallestUnit: "minute" }),
    weekday: weekdayOf(there.dayOfWeek),
  };
}

/**
 * Returns the local date, time and weekday at `now` (ms) in the language's own format, by Intl. English uses the
 * formats of `localTime`, because existing agents' texts depend on them.
 */
function spokenTime(language: string, zone: string, now: number): LocalTime {
  if (/^en\b/i.test(language)) return localTime(zone, now);
  const timeZone = zoneOrUtc(zone);
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone });
  return { date: date.format(now), time: time.format(now), weekday: weekday.format(now) };
}

/** Returns the English name of a weekday; 1 is Monday. */
export const weekdayOf = (dayOfWeek: number): string => WEEKDAYS[dayOfWeek - 1] ?? "";

/**
 * Returns the built-in variables. In English the date is 2026-11-21 and the time 14:05; other languages use their own
 * formats.
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

const MOMENT = ["date", "time", "weekday"];

/** Checks whether a text changes with time, because it uses a time variable that no other variable overrides. */
export function usesCurrentTime(template: string, variables: Variable[]): boolean {
  const brought = valuesOf(variables);
  return [...placeholders(template)].some(({ name }) => MOMENT.includes(name) && !brought.has(name));
}

export function zoneOrUtc(zone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    return "UTC";
  }
}
