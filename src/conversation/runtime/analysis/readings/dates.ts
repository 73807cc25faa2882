import { Temporal } from "temporal-polyfill";
import { daysInFigures, japaneseDays } from "./date-figures.ts";
import { namedDays } from "./date-words.ts";
import type { Day } from "./days.ts";
import { type Mention, plainText, tokensOf } from "./tokens.ts";

/**
 * Returns the days that a text names unambiguously, ISO 8601, relative to `base`, the day on which it was said: in
 * figures, in words, and as distances from that day. "Next Friday" gives both days that people mean by it. A date that
 * may be either of two days (3/4/2026) is omitted.
 */
export function datesIn(text: string, base: string): Set<string> {
  return new Set(dateMentions(text, base).flatMap(({ values, isSure }) => (isSure ? values : [])));
}

/** Returns everything in a text that may be a day, in order. Positions refer to `plainText`. */
export function dateMentions(text: string, base: string): Mention<string>[] {
  const today = Temporal.PlainDate.from(base);
  const plain = plainText(text);
  const tokens = tokensOf(plain);
  const named = namedDays(tokens, today).map(({ days, isSure, first, next }) =>
    mentioned(days, isSure, tokens[first]?.from ?? 0, tokens[next - 1]?.to ?? 0),
  );
  const written = [...daysInFigures(plain, today), ...japaneseDays(plain, today)].map(
    ({ days, isSure = true, from, to }) => mentioned(days, isSure, from, to),
  );
  return [...named, ...written].filter(({ values }) => values.length > 0).toSorted((a, b) => a.from - b.from);
}

function mentioned(days: (Day | null)[], isSure: boolean, from: number, to: number): Mention<string> {
  return { values: days.flatMap((day) => day?.toString() ?? []), isSure, from, to };
}
