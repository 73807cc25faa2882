import type { Temporal } from "temporal-polyfill";

/** Numbers as they are said before months and years. */
const COUNTS = new Map(
  "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve".split("|").map((word, n) => [word, n]),
);
const ARTICLES = new Set(["a", "an"]);

const DISTANCE = /\b(in )?(a|an|[a-z]{3,6}|\d{1,3}) (month|year)s?( from (?:now|today)| ago)?\b/g;

/**
 * The days that are whole months or years away, ISO 8601, in English: "in three months", "a year ago". A day that its
 * month does not have is the last of that month.
 */
export function monthsAway(said: string, today: Temporal.PlainDate): string[] {
  return Array.from(said.matchAll(DISTANCE)).flatMap(([, before, count = "", unit, after]) => {
    const n = ARTICLES.has(count) ? 1 : /^\d/.test(count) ? Number(count) : COUNTS.get(count);
    if (n === undefined || (before === undefined && after === undefined)) return [];
    const distance = after === " ago" ? -n : n;
    return [today.add(unit === "year" ? { years: distance } : { months: distance }).toString()];
  });
}
