import { calendarWords } from "../analysis/readings/calendar-words.ts";
import { NEXT, THIS, WEEK_LINKS } from "../analysis/readings/date-words.ts";
import { LANGUAGES } from "../analysis/readings/spoken-languages.ts";
import { keyOf } from "../analysis/readings/tokens.ts";

/** Words that move a day and that no unit or month contains. */
const OTHER_MEASURES = "fortnight monats jahres ubernachste ubernachsten ubernachster ubernachstem".split(" ");
/** Names of months with fewer letters are also other words: "may", "mar". */
const LEAST_MONTH_CHARS = 4;

let made: ReadonlySet<string> | null = null;

/** Returns the words that measure time, by key: months, and units in all languages. Built once per isolate. */
function measures(): ReadonlySet<string> {
  made ??= new Set([
    ...OTHER_MEASURES,
    ...[...calendarWords().months.keys()].filter(({ length }) => length >= LEAST_MONTH_CHARS),
    ...LANGUAGES.flatMap((language) => [
      // A single day is also meant in general: "Monday is a good day".
      ...unitNames(language, "day", [2, 5]),
      ...(["week", "month", "year"] as const).flatMap((unit) => unitNames(language, unit, [1, 2, 5])),
    ]),
  ]);
  return made;
}

function unitNames(language: string, unit: "day" | "week" | "month" | "year", counts: readonly number[]): string[] {
  const amount = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  const distance = new Intl.RelativeTimeFormat(language);
  return counts.flatMap((count) => [
    keyOf(amount.formatToParts(count).find(({ type }) => type === "unit")?.value ?? ""),
    keyOf((distance.formatToParts(count, unit).at(-1)?.value ?? "").trim().split(" ")[0] ?? ""),
  ]);
}

const keysIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .map(keyOf)
    .filter((key) => key !== "");

const isWeek = (pair: readonly string[]): boolean =>
  pair.some((key) => NEXT.has(key) || THIS.has(key)) && pair.some((key) => calendarWords().weeks.has(key));

/**
 * Checks whether the text between two days contains words that move a day and that belong to neither: "a week on", "in
 * einem Jahr", "of March". The week of an adjacent weekday belongs to it: "next week Friday", "Friday next week".
 */
export function isTimeUnread(between: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): boolean {
  const keys = keysIn(between);
  if (!isLast && isWeek(keys.slice(-2))) keys.splice(-2);
  let links = 0;
  while (links < 2 && WEEK_LINKS.has(keys[links] ?? "")) links++;
  if (!isFirst && isWeek(keys.slice(links, links + 2))) keys.splice(links, 2);
  else if (!isFirst && keys[0] === "week") keys.shift();
  return /\ben (huit|quinze)\b/.test(between) || keys.some((key) => measures().has(key));
}
