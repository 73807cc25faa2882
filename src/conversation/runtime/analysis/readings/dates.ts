import { Temporal } from "temporal-polyfill";
import { numbersIn } from "./numbers.ts";

type Day = Temporal.PlainDate;

const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const MONTHS = "january february march april may june july august september october november december".split(" ");
const UNITS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );
/** Ordinals up to the thirty-first, by their words without hyphens. */
const ORDINALS = new Map<string, number>([
  ...UNITS.map((word, n): [string, number] => [word, n + 1]),
  ["twentieth", 20],
  ["thirtieth", 30],
  ...UNITS.slice(0, 9).map((word, n): [string, number] => [`twenty ${word}`, 21 + n]),
  ["thirty first", 31],
]);

const WEEKDAY = WEEKDAYS.map((day) => `${day.slice(0, 3)}(?:${day.slice(3)})?`).join("|");
const MONTH = MONTHS.map((month) => (month === "may" ? "may" : `${month.slice(0, 3)}(?:${month.slice(3)}|t)?`)).join(
  "|",
);
const ORDINAL = [...ORDINALS.keys()].toSorted((a, b) => b.length - a.length).join("|");
const DAY = `(?:\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL})`;
const COUNT = "(?:\\d{1,3}|[a-z]+(?: [a-z]+)?)";

/**
 * The days that a text names unambiguously, ISO 8601, relative to `base`, the day on which it was said: in figures, in
 * English words, and as distances from that day. Anything that could be either of two days ("next Friday", 3/4/2026) is
 * ignored.
 */
export function datesIn(text: string, base: string): Set<string> {
  const today = Temporal.PlainDate.from(base);
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(?<=[a-z])[-‐‑](?=[a-z])/g, " ")
    .replaceAll(/(?<=\p{L})\./gu, "")
    .replaceAll(/\s+/g, " ");
  const days = [
    ...inFigures(plain),
    ...ofMonths(plain, today),
    ...ofMonthsDay(plain, today),
    ...fromToday(plain, today),
  ];
  return new Set(days.flatMap((day) => (day === null ? [] : day.toString())));
}

function inFigures(text: string): (Day | null)[] {
  const iso = [...text.matchAll(/(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g)].map(([, year, month, day]) =>
    dayOf(year, month, day),
  );
  const others = [...text.matchAll(/(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)/g)].map(
    ([, first, mark, second, year]) => {
      // With dots the day comes first; otherwise the number that cannot be a month is the day.
      if (mark === "." || Number(first) > 12 || first === second) return dayOf(year, second, first);
      return Number(second) > 12 ? dayOf(year, first, second) : null;
    },
  );
  return [...iso, ...others];
}

/** "27 November", "the twenty-seventh of Nov 2026", "November 27th": without a year the nearest one to the day. */
function ofMonths(text: string, today: Day): (Day | null)[] {
  const year = "(?:,? (?:of )?(\\d{4}))?(?![\\w])";
  const dayFirst = new RegExp(`(?<![\\w])(?:the )?(${DAY}) (?:of )?(${MONTH})${year}`, "g");
  const monthFirst = new RegExp(`(?<![\\w])(${MONTH}) (?:the )?(${DAY})${year}`, "g");
  return [
    ...Array.from(text.matchAll(dayFirst), ([, day, month, y]) => spelled(today, day, month, y)),
    ...Array.from(text.matchAll(monthFirst), ([, month, day, y]) => spelled(today, day, month, y)),
  ];
}

function spelled(today: Day, day = "", month = "", year: string | undefined = undefined): Day | null {
  const number = MONTHS.findIndex((name) => name.startsWith(month.slice(0, 3))) + 1;
  const inYear = (y: number) => dayOf(String(y), String(number), String(dayNumber(day)));
  if (year !== undefined) return inYear(Number(year));
  const near = [-1, 0, 1].flatMap((by) => inYear(today.year + by) ?? []);
  return near.toSorted((a, b) => distance(a, today) - distance(b, today))[0] ?? null;
}

/** "the 27th": the next such day, of this month or a later one. */
function ofMonthsDay(text: string, today: Day): (Day | null)[] {
  const named = new RegExp(
    `(?<![\\w])the (\\d{1,2}(?:st|nd|rd|th)|${ORDINAL})(?![\\w])(?! (?:of )?(?:${MONTH})(?![\\w]))(?<!(?:${MONTH}) the \\S+)`,
    "g",
  );
  return Array.from(text.matchAll(named), ([, phrase = ""]) => {
    const day = dayNumber(phrase);
    // "the first", "the second one": small ordinals in words are seldom days.
    if (!/^\d/.test(phrase) && day < 4) return null;
    for (let month = 0; month < 3; month++) {
      const { year, month: of } = today.with({ day: 1 }).add({ months: month });
      const found = dayOf(String(year), String(of), String(day));
      if (found !== null && Temporal.PlainDate.compare(found, today) >= 0) return found;
    }
    return null;
  });
}

function fromToday(text: string, today: Day): (Day | null)[] {
  const days: (Day | null)[] = [];
  const after = text.replaceAll(/(?<!\w)(?:the )?day after tomorrow(?!\w)/g, () => {
    days.push(today.add({ days: 2 }));
    return ";";
  });
  const before = after.replaceAll(/(?<!\w)(?:the )?day before yesterday(?!\w)/g, () => {
    days.push(today.subtract({ days: 2 }));
    return ";";
  });
  const ahead = new RegExp(`(?<!\\w)(${COUNT}) (days?|weeks?) from (today|now|tomorrow)(?!\\w)`, "g");
  const rest = before.replaceAll(ahead, (_, count: string, unit: string, from: string) => {
    const n = countOf(count);
    if (n !== null) days.push(daysFrom(today, n * daysOf(unit) + (from === "tomorrow" ? 1 : 0)));
    return ";";
  });
  for (const [, word] of rest.matchAll(
    /(?<!\w)(today|tonight|this (?:morning|afternoon|evening)|tomorrow|yesterday)(?!\w)/g,
  ))
    days.push(today.add({ days: word === "tomorrow" ? 1 : word === "yesterday" ? -1 : 0 }));
  for (const [, count = "", unit = ""] of rest.matchAll(
    new RegExp(`(?<!\\w)in (?:about )?(${COUNT}) (days?|weeks?)(?!\\w)(?! or)`, "g"),
  )) {
    const n = countOf(count);
    if (n !== null) days.push(daysFrom(today, n * daysOf(unit)));
  }
  for (const [, count = "", unit = ""] of rest.matchAll(
    new RegExp(`(?<!\\w)(${COUNT}) (days?|weeks?) ago(?!\\w)`, "g"),
  )) {
    const n = countOf(count);
    if (n !== null) days.push(daysFrom(today, -n * daysOf(unit)));
  }
  return [...days, ...weekdays(rest, today)];
}

/** "Friday", "this Friday": the coming one; "last Friday": the one before. Said on that weekday, either may be meant. */
function weekdays(text: string, today: Day): (Day | null)[] {
  const named = new RegExp(
    `(?<!\\w)(?:(next|this|last|coming|past|every|each) )?(${WEEKDAY})(?!\\w)( week| after next)?`,
    "g",
  );
  return Array.from(text.matchAll(named), ([, which, name = "", after]) => {
    const weekday = WEEKDAYS.findIndex((day) => day.startsWith(name.slice(0, 3))) + 1;
    // "sat" and "sun" and "wed" are words too.
    if (name.length < 4 && which === undefined && ["sat", "sun", "wed", "mon"].includes(name)) return null;
    const ahead = (weekday - today.dayOfWeek + 7) % 7;
    if (after !== undefined || ahead === 0 || which === "next" || which === "every" || which === "each") return null;
    return which === "last" || which === "past" ? today.add({ days: ahead - 7 }) : today.add({ days: ahead });
  });
}

function dayNumber(phrase: string): number {
  return /^\d/.test(phrase) ? Number.parseInt(phrase, 10) : (ORDINALS.get(phrase) ?? 0);
}

/** The day that many days away; null for one that no calendar has ("nine billion weeks from now"). */
function daysFrom(today: Day, days: number): Day | null {
  try {
    return today.add({ days });
  } catch {
    return null;
  }
}

function daysOf(unit: string): number {
  return unit.startsWith("week") ? 7 : 1;
}

/** How many; null if the words are no whole number. */
function countOf(phrase: string): number | null {
  const words = phrase.split(" ");
  if (["a", "an"].includes(words.at(-1) ?? "")) return 1;
  if (/^\d+$/.test(phrase)) return Number(phrase);
  const [n, ...others] = numbersIn(phrase);
  const [last] = numbersIn(words.at(-1) ?? "");
  const count = others.length === 0 ? (n ?? last) : last;
  return count !== undefined && Number.isInteger(count) ? count : null;
}

function dayOf(year = "", month = "", day = ""): Day | null {
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: "reject" },
    );
  } catch {
    return null;
  }
}

function distance(a: Day, b: Day): number {
  return Math.abs(a.until(b, { largestUnit: "days" }).days);
}
