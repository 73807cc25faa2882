import { Temporal } from "temporal-polyfill";
import { localTime, weekdayOf } from "../../../kernel/rendering/built-in.ts";
import { dateMentions } from "../analysis/readings/dates.ts";
import { daysFrom } from "../analysis/readings/days.ts";
import { plainText } from "../analysis/readings/tokens.ts";
import { isTimeUnread } from "./unread-time.ts";

/** The most characters of an expression that are read. */
const MAX_CHARS = 300;
/** The most days that one expression may mean. */
const MAX_DAYS = 4;

/** A day in the form that models receive. */
interface NamedDay {
  /** ISO 8601. */
  date: string;
  /** In English. */
  weekday: string;
  /** Negative for the past. */
  days_from_today: number;
}

/** The day that an expression names, as of today in a time zone. */
export interface WorkedOutDate extends NamedDay {
  /** Other days that the expression may mean or also names. */
  could_also_be: NamedDay[];
  today: NamedDay;
  timezone: string;
}

/**
 * Works out which day a caller means, at `now` (ms) in their time zone: "next Friday", "Tuesday in two weeks", "24.12."
 * Returns the likeliest day, and the others that it may be so that the caller can be asked. Returns null if no day is
 * named, or if words that move it are not understood: half of "a week on Tuesday" is another day.
 */
export function workOutDate(when: string, timezone: string, now: number): WorkedOutDate | null {
  const today = Temporal.PlainDate.from(localTime(timezone, now).date);
  const named = (day: Temporal.PlainDate): NamedDay => ({
    date: day.toString(),
    weekday: weekdayOf(day.dayOfWeek),
    days_from_today: today.until(day, { largestUnit: "days" }).days,
  });
  const said = plainText(when.slice(0, MAX_CHARS));
  const { days: away, rest } = monthsAway(said, today);
  const near = daysIn(rest, today);
  if (near === null) return null;
  // "Today in a year" is one day.
  const nearby = away.length > 0 ? near.filter((day) => day !== today.toString()) : near;
  const days = [...new Set([...nearby, ...away])].slice(0, MAX_DAYS);
  const [likeliest, ...others] = days.map((day) => named(Temporal.PlainDate.from(day)));
  if (likeliest === undefined) return null;
  return Object.assign(likeliest, { could_also_be: others, today: named(today), timezone });
}

/**
 * Returns the days that a text names; null if words that move them are not understood. "Tuesday in two weeks" is one
 * day: that many weeks after the coming Tuesday.
 */
function daysIn(said: string, today: Temporal.PlainDate): string[] | null {
  const mentions = dateMentions(said, today.toString());
  const ends = [0, ...mentions.map(({ to }) => to)];
  const isMoved = ends.some((end, i) =>
    isTimeUnread(said.slice(end, mentions[i]?.from), { isFirst: i === 0, isLast: i === mentions.length }),
  );
  if (mentions.length > 0 && isMoved) return null;
  const days: string[] = [];
  for (let at = 0; at < mentions.length; at++) {
    const [first, second] = mentions.slice(at, at + 2);
    const [day = ""] = first?.values ?? [];
    const [distant = ""] = second?.values ?? [];
    const isOne = first && second && said.slice(first.to, second.from).trim() === "" && second.values.length === 1;
    const distance = isOne ? awayFrom(today, distant) : 0;
    const isFromToday = awayFrom(today, day) === 0;
    if (distance > 0 && (distance % 7 === 0 || isFromToday) && awayFrom(today, day) <= 7) {
      days.push(daysFrom(Temporal.PlainDate.from(day), distance)?.toString() ?? day);
      at++;
    } else days.push(...(first?.values ?? []));
  }
  return days;
}

function awayFrom(today: Temporal.PlainDate, day: string): number {
  return today.until(Temporal.PlainDate.from(day), { largestUnit: "days" }).days;
}

/** Numbers as they are said before months and years. */
const COUNTS = new Map(
  "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve".split("|").map((word, n) => [word, n]),
);
const ARTICLES = new Set(["a", "an"]);

const DISTANCE = /\b(in )?(a|an|[a-z]{3,6}|\d{1,3}) (month|year)s?( from (?:now|today)| ago)?\b/g;

/**
 * Returns the days that are whole months or years away, ISO 8601, in English: "in three months", "a year ago", and the
 * rest of the text. If the month does not have the day, the last day of the month is returned.
 */
function monthsAway(said: string, today: Temporal.PlainDate): { days: string[]; rest: string } {
  const days: string[] = [];
  const rest = said.replace(DISTANCE, (whole, before?: string, count = "", unit?: string, after?: string) => {
    const n = ARTICLES.has(count) ? 1 : /^\d/.test(count) ? Number(count) : COUNTS.get(count);
    if (n === undefined || (before === undefined && after === undefined)) return whole;
    const distance = after === " ago" ? -n : n;
    days.push(today.add(unit === "year" ? { years: distance } : { months: distance }).toString());
    return " ";
  });
  return { days, rest };
}
