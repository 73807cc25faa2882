import { LANGUAGES, type Language, numberWords } from "./spoken-languages.ts";
import { keyOf } from "./tokens.ts";

/** The words with which the languages name days, by key. The names come from the platform's locale data. */
export interface CalendarWords {
  /** 1 to 12. */
  months: ReadonlyMap<string, number>;
  /** Abbreviations that may be other words: they are months only before a dot or a year. */
  shortMonths: ReadonlyMap<string, number>;
  /** 1 (Monday) to 7. */
  weekdays: ReadonlyMap<string, number>;
  /** Days from today: "tomorrow", "vorgestern". */
  relative: ReadonlyMap<string, number>;
  /** The number of days in a unit: "Tagen", "weeks". */
  units: ReadonlyMap<string, number>;
  /** The units that are weeks. */
  weeks: ReadonlySet<string>;
  /** Words before or after a count of days, with its direction: "in", "il y a", "ago". */
  before: ReadonlyMap<string, 1 | -1>;
  after: ReadonlyMap<string, 1 | -1>;
  /** 1 to 31, as the day of a month is spoken. */
  days: ReadonlyMap<string, number>;
  /** The words in `days` that can only be a day or a rank. */
  ordinals: ReadonlyMap<string, number>;
}

const ENGLISH: Record<string, number> = {
  dayaftertomorrow: 2,
  thedayaftertomorrow: 2,
  daybeforeyesterday: -2,
  thedaybeforeyesterday: -2,
  tonight: 0,
  thismorning: 0,
  thisafternoon: 0,
  thisevening: 0,
};
const POLISH: Record<string, number> = { dzis: 0 };
/** Articles that are also numbers, but never days: "ein Mai", "une". */
const NO_DAYS = new Set("a an ein eine einer einem einen une una een uma".split(" "));

let made: CalendarWords | null = null;

/** Returns the names of days, built once per isolate. */
export function calendarWords(): CalendarWords {
  made ??= build();
  return made;
}

function build(): CalendarWords {
  const words = {
    months: new Map<string, number>(),
    shortMonths: new Map<string, number>(),
    weekdays: new Map<string, number>(),
    relative: new Map<string, number>(Object.entries(Object.assign({}, ENGLISH, POLISH))),
    units: new Map<string, number>(),
    weeks: new Set<string>(),
    before: new Map<string, 1 | -1>([["fra", 1]]),
    after: new Map<string, 1 | -1>(["today", "now"].map((from) => [`from${from}`, 1])),
    days: new Map<string, number>(),
    ordinals: new Map<string, number>(),
  };
  for (const language of LANGUAGES) {
    addMonths(language, words);
    addWeekdays(language, words.weekdays);
    addRelative(language, words);
    const { small, ordinals } = numberWords(language);
    for (const [key, n] of small)
      if (Number.isInteger(n) && n > 0 && n < 32 && !NO_DAYS.has(key)) words.days.set(key, n);
    for (const [key, n] of ordinals) words.ordinals.set(key, n);
  }
  for (const [key, n] of words.ordinals) words.days.set(key, n);
  return words;
}

function addMonths(
  language: Language,
  { months, shortMonths }: Record<"months" | "shortMonths", Map<string, number>>,
): void {
  for (let month = 1; month <= 12; month++) {
    const day = new Date(Date.UTC(2026, month - 1, 24));
    for (const length of ["long", "short"] as const) {
      // In a date, a month may have another ending than alone.
      for (const options of [{ month: length }, { month: length, day: "numeric" as const }]) {
        const format = new Intl.DateTimeFormat(language, Object.assign({ timeZone: "UTC" }, options));
        const name = format.formatToParts(day).find(({ type }) => type === "month")?.value ?? "";
        (length === "long" || language === "en" ? months : shortMonths).set(keyOf(name), month);
      }
    }
  }
}

function addWeekdays(language: Language, weekdays: Map<string, number>): void {
  for (let weekday = 1; weekday <= 7; weekday++) {
    const day = new Date(Date.UTC(2026, 10, 22 + weekday));
    const name = (length: "long" | "short") =>
      keyOf(new Intl.DateTimeFormat(language, { weekday: length, timeZone: "UTC" }).format(day));
    weekdays.set(name("long"), weekday);
    if (language === "en") weekdays.set(name("short"), weekday);
    // The accusative has another ending: "w środę".
    if (language === "pl") weekdays.set(name("long").replace(/a$/, "e"), weekday);
  }
}

function addRelative(
  language: Language,
  {
    relative,
    units,
    weeks,
    before,
    after,
  }: Record<"relative" | "units", Map<string, number>> & {
    weeks: Set<string>;
    before: Map<string, 1 | -1>;
    after: Map<string, 1 | -1>;
  },
): void {
  const named = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const days of [-2, -1, 0, 1, 2]) {
    const said = named.format(days, "day");
    if (!/\d/.test(said)) relative.set(keyOf(said), days);
  }
  const counted = new Intl.RelativeTimeFormat(language);
  for (const unit of ["day", "week"] as const) {
    for (const count of [1, 2, 3, 5, -1, -2, -3, -5]) {
      const parts = counted.formatToParts(count, unit);
      const at = parts.findIndex(({ type }) => type === "integer");
      const text = (some: typeof parts) =>
        some
          .map(({ value }) => value)
          .join("")
          .trim();
      const [name = "", ...rest] = text(parts.slice(at + 1)).split(/\s+/);
      units.set(keyOf(name), unit === "day" ? 1 : 7);
      if (unit === "week") weeks.add(keyOf(name));
      const sign = count > 0 ? 1 : -1;
      const prefix = keyOf(text(parts.slice(0, at)));
      if (prefix !== "") before.set(prefix, sign);
      if (rest.length > 0) after.set(keyOf(rest.join(" ")), sign);
    }
  }
}
