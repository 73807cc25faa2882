import { Temporal } from "temporal-polyfill";
import { placeholders, variableName } from "./placeholders.ts";

/** A value by its name, as whoever brought it wrote the name. */
export type Variable = [name: string, value: string];

/** A text with its values put in, and the names that had none. */
export interface Rendered {
  text: string;
  missing: string[];
}

/** As long as a rendered text gets: a long value named again and again would not fit into memory. */
export const MAX_RENDERED_CHARS = 500_000;

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

/**
 * Puts values in for `{{name}}` and `{{name|default}}`. A name that is unknown or whose value is empty gives the default
 * (without the spaces around it), else nothing, and is told as missing: once, lower case, with `_` for spaces. Values
 * and defaults are text and not looked into. Braces that are no such thing stay as they are.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  const pieces: string[] = [];
  const missing = new Set<string>();
  let chars = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
  };
  let done = 0;
  for (const { from, to, name, fallback } of placeholders(template)) {
    if (chars > MAX_RENDERED_CHARS) break;
    put(template.slice(done, from));
    const value = values.get(name) || fallback;
    if (value === undefined) missing.add(name);
    else put(value);
    done = to;
  }
  put(template.slice(done));
  return { text: pieces.join("").slice(0, MAX_RENDERED_CHARS), missing: [...missing] };
}
