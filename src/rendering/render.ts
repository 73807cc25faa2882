import { Temporal } from "temporal-polyfill";
import { placeholders, render, variableName } from "./placeholders.ts";

/** A value by its name, as whoever brought it wrote the name. */
export type Variable = [name: string, value: string];

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The variables without those whose name an earlier one has already, also where its value is empty. */
export function firstOfEachName(variables: Variable[]): Variable[] {
  const taken = new Set<string>();
  return variables.filter(([written]) => {
    const name = variableName(written);
    const isNew = !taken.has(name);
    taken.add(name);
    return isNew;
  });
}

/** What every session knows besides: the parties of the call, and the moment. */
export interface Surroundings {
  agent_name: string;
  account_name: string;
  /** Null for a visitor of a widget, who has no numbers. */
  call: { direction: string; from_number: string; to_number: string } | null;
  /** A zone's name; UTC where it is not known. */
  timezone: string;
  /** ms */
  now: number;
}

/**
 * The built-in variables. The date is 2026-11-21, the time 14:05 (24 hours), the weekday English; all of the zone.
 */
export function builtIn({ agent_name, account_name, call, timezone, now }: Surroundings): Variable[] {
  const there = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(knownZone(timezone));
  return [
    ["agent_name", agent_name],
    ["account_name", account_name],
    ["from_number", call?.from_number ?? ""],
    ["to_number", call?.to_number ?? ""],
    ["direction", call?.direction ?? ""],
    ["date", there.toPlainDate().toString()],
    ["time", there.toPlainTime().toString({ smallestUnit: "minute" })],
    ["weekday", WEEKDAYS[there.dayOfWeek - 1] ?? ""],
  ];
}

/** The built-in variables that change by themselves. */
const MOMENT = ["date", "time", "weekday"];

/** Whether a text says another thing at another moment: it names the date or time, and nobody brought a value of that name. */
export function tellsTheMoment(template: string, variables: Variable[]): boolean {
  const brought = valuesOf(variables);
  return [...placeholders(template)].some(({ name }) => MOMENT.includes(name) && !brought.has(name));
}

/** The names in a text that give nothing where they have no value, which are those without a default; each once. */
export function namesWithoutDefault(template: string): string[] {
  const bare = [...placeholders(template)].filter(({ fallback }) => fallback === undefined);
  return [...new Set(bare.map(({ name }) => name))];
}

/** The zone, or UTC where there is none of that name. */
export function knownZone(zone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    return "UTC";
  }
}

/** Texts rendered with the same variables, and the names that had no value in any of them, each once. */
export function renderAll<K extends string>(
  templates: Record<K, string>,
  variables: Variable[],
): { texts: Record<K, string>; missing: string[] } {
  const values = valuesOf(variables);
  const rendered = Object.entries<string>(templates).map(([key, template]) => [key, render(template, values)] as const);
  return {
    texts: Object.fromEntries(rendered.map(([key, { text }]) => [key, text])) as Record<K, string>,
    missing: [...new Set(rendered.flatMap(([, { missing }]) => missing))],
  };
}

/** Values by the name as it is matched; the first that has a name wins, also with an empty value. */
export function valuesOf(variables: Variable[]): Map<string, string> {
  return new Map(firstOfEachName(variables).map(([written, value]) => [variableName(written), value]));
}
