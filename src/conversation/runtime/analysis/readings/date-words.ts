import { calendarWords } from "./calendar-words.ts";
import { type Day, dayOf, daysFrom, nearestDay, nextOfMonth } from "./days.ts";
import { wordNumberAt } from "./number-words.ts";
import { longestAt, type Token } from "./tokens.ts";

/** Days that words name, with their tokens. `days` contains null for a date that does not exist. */
export interface NamedDays {
  days: (Day | null)[];
  isSure: boolean;
  first: number;
  next: number;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Words that may separate a day, its month and its year. */
const LINKS = words("of de del di d ' ’ von do the des dem den mes . , el le in");
const ORDINAL_ENDINGS = words("st nd rd th er re e eme o a te ste de");
export const NEXT = words(
  "next nachste nachsten nachster nachstem kommende kommenden kommender prochain prochaine proximo proxima prossimo prossima " +
    "volgende komende przyszly przyszla przyszlym przyszlego nastepny nastepna viene vem",
);
const LAST = words(
  "last past letzte letzten letzter letztem vergangene vergangenen dernier derniere pasado pasada ultimo ultima scorso scorsa " +
    "passado passada vorige afgelopen zeszly zeszla zeszlym ostatni ostatnia",
);
const EVERY = words("every each jede jeden jeder chaque cada ogni elke iedere kazdy kazda todos todas");
export const THIS = words("this coming diesen dieser este esta ce questo questa deze ten");
/** Words for next and last that follow the weekday. */
const FOLLOWING = words(
  "prochain prochaine proximo proxima prossimo prossima dernier derniere pasado pasada scorso scorsa passado passada",
);
/** Words between a weekday and its week. */
export const WEEK_LINKS = words("of in the der de la della da du");
const ABOUT = words("about roughly etwa ungefahr circa ca environ unos");
const OR = words("or oder o ou of lub");
/** After these words, words for days are greetings or parts of the day: "guten Morgen", "por la mañana". */
const PARTS_OF_DAY = words("guten gute goede goeden la am");
const SHORT_WEEKDAYS = words("sat sun wed mon");
const DAY_OF_MONTH = words("the am den zum vom");
/** The most tokens of a day's number in words: "vier und zwanzigsten". */
const MAX_DAY_TOKENS = 4;

/** Returns the days that words name, in the order in which they were found. No word counts twice. */
export function namedDays(tokens: readonly Token[], today: Day): NamedDays[] {
  const used: Used = new Map();
  const found: NamedDays[] = [];
  for (const read of [ofMonth, atDistance, relative, ofMonthsDay, weekday]) {
    for (let at = 0; at < tokens.length; at++) {
      const named = used.has(at) ? null : read(tokens, at, today, used);
      if (named === null) continue;
      found.push(named);
      for (let i = named.first; i < named.next; i++) used.set(i, read);
    }
  }
  return found;
}

/** The tokens that were read, with their reader. */
type Used = Map<number, Reader>;
type Reader = (tokens: readonly Token[], at: number, today: Day, used: Used) => NamedDays | null;

const said = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/**
 * Reads "27 November", "the twenty-seventh of Nov 2026", "24. Dezember", "November 27th". Without a year, the nearest
 * one.
 */
const ofMonth: Reader = (tokens, at, today, used) => {
  const month = monthAt(tokens, at);
  if (month === null) return null;
  const before = dayBefore(tokens, at, used);
  const after = before === null ? dayAfter(tokens, at + 1) : null;
  const day = before?.day ?? after?.day;
  if (day === undefined) return null;
  const year = yearAfter(tokens, after?.next ?? at + 1);
  const days = [year === null ? nearestDay(today, month, day) : dayOf(year.year, month, day)];
  return { days, isSure: true, first: before?.first ?? at, next: year?.next ?? after?.next ?? at + 1 };
};

function monthAt(tokens: readonly Token[], at: number): number | null {
  const { months, shortMonths } = calendarWords();
  const name = said(tokens, at);
  const after = said(tokens, at + 1);
  // Next to a word, "sept" means seven: "dix-sept juin".
  const isSeptember = name === "sept" && (isFigure(tokens, at + 1) || isFigure(tokens, at - 1));
  const isMarked = after === "." || /^\d{4}$/.test(after) || isSeptember;
  return months.get(name) ?? (isMarked ? shortMonths.get(name) : undefined) ?? null;
}

function dayBefore(tokens: readonly Token[], month: number, used: Used): { day: number; first: number } | null {
  let last = month - 1;
  for (let links = 0; links < 2 && LINKS.has(said(tokens, last)); links++) last--;
  if (used.has(last)) return null;
  if (ORDINAL_ENDINGS.has(said(tokens, last)) && isFigure(tokens, last - 1) && touches(tokens, last)) last--;
  if (isFigure(tokens, last)) return { day: Number(said(tokens, last)), first: last };
  for (let count = MAX_DAY_TOKENS; count > 0; count--) {
    const first = last - count + 1;
    const read = first < 0 || used.has(first) ? null : longestAt(calendarWords().days, tokens, first, count);
    if (read !== null && read.next === last + 1) return { day: read.value, first };
  }
  return null;
}

function dayAfter(tokens: readonly Token[], from: number): { day: number; next: number } | null {
  let at = from;
  for (let links = 0; links < 2 && LINKS.has(said(tokens, at)); links++) at++;
  if (isFigure(tokens, at)) {
    const next = ORDINAL_ENDINGS.has(said(tokens, at + 1)) && touches(tokens, at + 1) ? at + 2 : at + 1;
    return { day: Number(said(tokens, at)), next };
  }
  const read = longestAt(calendarWords().days, tokens, at, MAX_DAY_TOKENS);
  return read === null ? null : { day: read.value, next: read.next };
}

/** Checks whether a token is one or two digits that are not part of a longer figure such as 10:30 or 1.5. */
function isFigure(tokens: readonly Token[], at: number): boolean {
  if (!/^\d{1,2}$/.test(said(tokens, at))) return false;
  const isJoined = (mark: number, other: number) =>
    /^[.,:/-]$/.test(said(tokens, mark)) &&
    /^\d/.test(said(tokens, other)) &&
    touches(tokens, Math.max(mark, at)) &&
    touches(tokens, Math.max(mark, other));
  return !isJoined(at - 1, at - 2) && !isJoined(at + 1, at + 2);
}

/** Checks whether a token directly follows the one before it. */
function touches(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.from === tokens[at - 1]?.to;
}

/** Reads a year in four figures or in words: "twenty twenty-six", "dos mil veintiséis". */
function yearAfter(tokens: readonly Token[], from: number): { year: number; next: number } | null {
  let at = from;
  for (let links = 0; links < 2 && LINKS.has(said(tokens, at)); links++) at++;
  if (/^\d{4}$/.test(said(tokens, at))) return { year: Number(said(tokens, at)), next: at + 1 };
  const read = wordNumberAt(tokens, at);
  const [n = 0] = read?.values ?? [];
  if (read === null) return null;
  if (n >= 1_900 && n < 2_200) return { year: n, next: read.next };
  const rest = n >= 19 && n <= 21 ? wordNumberAt(tokens, read.next) : null;
  const [years = 0] = rest?.values ?? [];
  return rest !== null && years >= 10 && years < 100 ? { year: n * 100 + years, next: rest.next } : null;
}

/** Reads "in three days", "vor 2 Wochen", "a week from tomorrow". */
const atDistance: Reader = (tokens, at, today) => {
  const { units, before, after } = calendarWords();
  const days = units.get(said(tokens, at));
  const count = days === undefined ? null : countBefore(tokens, at);
  if (days === undefined || count === null || OR.has(said(tokens, at + 1))) return null;
  const from = ABOUT.has(said(tokens, count.first - 1)) ? count.first - 1 : count.first;
  const suffix = longestAt(after, tokens, at + 1, 3);
  const fromTomorrow = said(tokens, at + 1) === "from" && said(tokens, at + 2) === "tomorrow";
  if (suffix !== null || fromTomorrow) {
    const distance = count.n * days * (suffix?.value ?? 1) + (fromTomorrow ? 1 : 0);
    return { days: [daysFrom(today, distance)], isSure: true, first: from, next: suffix?.next ?? at + 3 };
  }
  for (let words = 1; words <= 3; words++) {
    const prefix = from < words ? null : longestAt(before, tokens, from - words, words);
    if (prefix?.next === from)
      return {
        days: [daysFrom(today, count.n * days * prefix.value)],
        isSure: true,
        first: from - words,
        next: at + 1,
      };
  }
  return null;
};

/** Reads the whole number that ends before a token, in figures or words. An article counts as one. */
function countBefore(tokens: readonly Token[], end: number): { n: number; first: number } | null {
  const last = said(tokens, end - 1);
  if (/^\d{1,4}$/.test(last)) return { n: Number(last), first: end - 1 };
  for (let words = MAX_DAY_TOKENS; words > 0; words--) {
    const read = end < words ? null : wordNumberAt(tokens, end - words);
    const [n] = read?.values ?? [];
    if (read?.next === end && n !== undefined && Number.isInteger(n)) return { n, first: end - words };
  }
  return last === "a" || last === "an" ? { n: 1, first: end - 1 } : null;
}

/** Reads "today", "übermorgen", "pasado mañana". */
const relative: Reader = (tokens, at, today) => {
  const read = longestAt(calendarWords().relative, tokens, at);
  const before = said(tokens, at - 1);
  if (read === null || PARTS_OF_DAY.has(before) || calendarWords().weekdays.has(before)) return null;
  return { days: [today.add({ days: read.value })], isSure: true, first: at, next: read.next };
};

/** Reads "the 27th", "am 27.": the next such day, in this month or a later one. */
const ofMonthsDay: Reader = (tokens, at, today, used) => {
  if (!DAY_OF_MONTH.has(said(tokens, at)) || used.has(at + 1)) return null;
  const isEnglish = said(tokens, at) === "the";
  const ending = said(tokens, at + 2);
  const isMarked = isEnglish
    ? /^(?:st|nd|rd|th)$/.test(ending)
    : ending === "." && !/^\p{L}/u.test(said(tokens, at + 3));
  if (isFigure(tokens, at + 1) && isMarked && touches(tokens, at + 2))
    return { days: [nextOfMonth(today, Number(said(tokens, at + 1)))], isSure: true, first: at, next: at + 3 };
  const read = longestAt(calendarWords().ordinals, tokens, at + 1, MAX_DAY_TOKENS);
  // Small ordinals in words are rarely days: "the first", "the second one".
  if (read === null || read.value < 4) return null;
  return { days: [nextOfMonth(today, read.value)], isSure: true, first: at, next: read.next };
};

/**
 * Reads weekdays. "Friday" and "this Friday" are the coming one; "last Friday" is the one before; "next Friday" may be
 * the coming one or that of next week. A weekday spoken on that weekday may be today or a week away, so it confirms
 * neither.
 */
const weekday: Reader = (tokens, at, today, used) => {
  const read = longestAt(calendarWords().weekdays, tokens, at, 2);
  if (read === null || isBeforeDate(tokens, read.next, used)) return null;
  const { value, next } = read;
  const [before, after, later] = [at - 1, next, next + 1].map((index) => said(tokens, index));
  const is = (which: ReadonlySet<string>) =>
    which.has(before ?? "") ||
    which.has(FOLLOWING.has(after ?? "") ? (after ?? "") : after === "que" ? (later ?? "") : "");
  // "sat", "sun" and "wed" are also other words.
  if (SHORT_WEEKDAYS.has(said(tokens, at)) && !is(NEXT) && !is(LAST) && !is(THIS)) return null;
  const ofWeek = value - today.dayOfWeek;
  const ahead = (ofWeek + 7) % 7;
  const coming = ahead === 0 ? 7 : ahead;
  const named = (days: number[], isSure = true): NamedDays => {
    const distinct = [...new Set(days)];
    return { days: distinct.map((each) => daysFrom(today, each)), isSure, first: at, next };
  };
  if (is(EVERY)) return null;
  if (isNextWeek(tokens, at, next)) return named([ofWeek + 7]);
  if (after === "week") return named([coming === 7 ? 7 : coming + 7]);
  if (after === "after" && NEXT.has(later ?? "")) return named([ofWeek + 14, coming + 7], false);
  if (is(NEXT)) return named([ofWeek + 7, coming]);
  if (is(LAST)) return named([ahead - 7]);
  if (ahead === 0) return named([0, 7], is(THIS));
  return named([ahead]);
};

/** Checks for a following week: "Friday next week", "nächste Woche Freitag", "vendredi de la semaine prochaine". */
function isNextWeek(tokens: readonly Token[], first: number, next: number): boolean {
  const { weeks } = calendarWords();
  const isAt = (at: number) => {
    const pair = [said(tokens, at), said(tokens, at + 1)];
    return pair.some((word) => NEXT.has(word)) && pair.some((word) => weeks.has(word));
  };
  let at = next;
  for (let links = 0; links < 2 && WEEK_LINKS.has(said(tokens, at)); links++) at++;
  return isAt(at) || isAt(first - 2);
}

/** Checks whether the weekday belongs to a date that follows: "Friday, the 27th of November". */
function isBeforeDate(tokens: readonly Token[], from: number, used: Used): boolean {
  let at = from;
  for (let links = 0; links < 2 && LINKS.has(said(tokens, at)); links++) at++;
  return [at, from].some((index) => used.get(index) === ofMonth || used.get(index) === ofMonthsDay);
}
