import type { AnalysisField } from "../../../kernel/db/schema/index.ts";
import type { Value } from "../../../records/analysis/analysis.ts";
import { fold, holds } from "../../../records/analysis/fold.ts";
import { deniesDay, deniesEmail, deniesNumber } from "./contradiction.ts";
import type { Evidence, Words } from "./evidence.ts";
import { dateMentions } from "./readings/dates.ts";
import { numberMentions } from "./readings/numbers.ts";
import { isSamePhone, isSpelled } from "./readings/spelled.ts";
import { plainText, tokensOf, unaccented } from "./readings/tokens.ts";

/** A claimed value, converted to its field's type, with checks of words against it. */
export interface ReadClaim {
  value: Value;
  /** Checks whether words confirm the value; null if words cannot confirm such a value, so that the cited turns are sufficient. */
  confirms: ((words: Words) => boolean) | null;
  /** Checks whether words contradict the value. */
  denies(words: readonly Words[]): boolean;
}

type Reader = (evidence: Evidence, value: unknown, field: AnalysisField) => ReadClaim | null;

const never = () => false;

/** Reads the claim as a value of the field's type; null if it is none. */
export function readClaim(evidence: Evidence, value: unknown, field: AnalysisField): ReadClaim | null {
  return READERS[field.type](evidence, value, field);
}

const READERS: Record<AnalysisField["type"], Reader> = {
  text: (evidence, value) =>
    typeof value === "string" || typeof value === "number" ? textClaim(evidence, String(value).trim()) : null,
  number: (evidence, value) => {
    const n = typeof value === "string" ? numberOf(value) : value;
    if (typeof n !== "number" || !Number.isFinite(n)) return null;
    return {
      value: n,
      confirms: (words) => evidence.numbers(words).some(({ values, isSure }) => isSure && values.includes(n)),
      denies: (words) => deniesNumber(evidence, words, [n]),
    };
  },
  date: (evidence, value) => {
    const day = typeof value === "string" ? dayOf(value.trim()) : undefined;
    return day === undefined ? null : dayClaim(evidence, day);
  },
  boolean: (_evidence, value) => (typeof value === "boolean" ? { value, confirms: null, denies: never } : null),
  choice: (_evidence, value, { choices = [] }) => {
    if (typeof value === "object") return null;
    const chosen =
      choices.find((choice) => choice === value) ?? choices.find((choice) => fold(choice) === fold(String(value)));
    return chosen === undefined ? null : { value: chosen, confirms: null, denies: never };
  },
};

function dayClaim(evidence: Evidence, day: string): ReadClaim {
  return {
    value: day,
    confirms: (words) => evidence.dates(words).some(({ values, isSure }) => isSure && values.includes(day)),
    denies: (words) => deniesDay(evidence, words, day),
  };
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** Reads a number that a model wrote as text: "2", "$5,000", "5k"; null if there are other words. */
function numberOf(text: string): number | null {
  const trimmed = text.trim();
  if (NUMBER.test(trimmed)) return Number(trimmed);
  return /\d/.test(trimmed) ? (amountOf(trimmed)?.[0] ?? null) : null;
}

const CURRENCY = /^(?:\p{Sc}|dollars?|euros?|pounds?|pesos?|francs?|usd|eur|gbp|chf|pln|jpy|brl|mxn|cents?|yen|円)$/u;

/** Reads an amount: a number with or without a currency; null if the text has other words. */
function amountOf(text: string): number[] | null {
  const mentions = numberMentions(text).filter(({ isSure }) => isSure);
  const [widest] = mentions.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (widest === undefined) return null;
  const outside = tokensOf(plainText(text)).filter(({ from, to }) => to <= widest.from || from >= widest.to);
  return outside.every(({ text: token }) => CURRENCY.test(token)) ? widest.values : null;
}

/** Reads a day that a model wrote: ISO 8601 with or without a time, or another full written date. */
function dayOf(text: string): string | undefined {
  const [iso] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text) ?? [];
  if (iso !== undefined || !/\d{4}/.test(text) || text.length > 40) return iso;
  const [only, ...others] = dateMentions(text, "2000-01-01");
  return only?.isSure === true && others.length === 0 ? only.values[0] : undefined;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PHONE = /^[+\d\s().\-/]{7,}$/;
const FIGURES = /^\d+(?:[.,]\d+)*$/;

/**
 * Reads a text, which is confirmed by the same words or an equivalent: a spelled address, phone number or name, an
 * amount, a day. Parts confirm nothing: "ada@example" is not in "ada@example.com", nor 1.5 in 21.5.
 */
function textClaim(evidence: Evidence, text: string): ReadClaim {
  if (EMAIL.test(text)) return emailClaim(evidence, text);
  const phrase = fold(text);
  const compact = unaccented(plainText(text)).replaceAll(/[^\p{L}\p{N}]+/gu, "");
  const isPhone = PHONE.test(text) && text.replaceAll(/\D/g, "").length >= 7;
  const amount = text.length > MAX_AMOUNT_CHARS || isPhone ? null : amountOf(text);
  const day = text.length > MAX_AMOUNT_CHARS ? undefined : dayOf(text);
  // Separators are significant in an amount: 1.5 is not 15.
  const maySpell = compact !== "" && (amount === null || /^\d+$/.test(text));
  const stands = (words: Words) =>
    FIGURES.test(text) ? figuresIn(words.text).has(text) : holds(evidence.folded(words), phrase);
  return {
    value: text,
    confirms: (words) =>
      stands(words) ||
      (isPhone && evidence.phones(words).some((said) => isSamePhone(text, said))) ||
      (amount?.some((n) => evidence.numbers(words).some(({ values, isSure }) => isSure && values[0] === n)) ?? false) ||
      (day !== undefined && dayClaim(evidence, day).confirms?.(words) === true) ||
      (maySpell && isSpelled(compact, evidence.spelled(words))),
    denies: (words) => isPhone && deniesPhone(evidence, words, text),
  };
}

/** The longest text that is read as an amount or a day, characters. */
const MAX_AMOUNT_CHARS = 60;

function figuresIn(text: string): Set<string> {
  return new Set(text.match(/\d+(?:[.,]\d+)*/g) ?? []);
}

function emailClaim(evidence: Evidence, text: string): ReadClaim {
  const address = unaccented(plainText(text));
  return {
    value: text,
    confirms: (words) =>
      evidence.emails(words).some(({ values }) => values.includes(address)) || standsWhole(words.text, address),
    denies: (words) => deniesEmail(evidence, words, address),
  };
}

/** Checks whether a text contains a written address that is not part of a longer one. */
function standsWhole(text: string, address: string): boolean {
  const plain = unaccented(plainText(text));
  const isPart = (char = "") => /[\p{L}\p{N}_@+-]/u.test(char);
  for (let at = plain.indexOf(address); at !== -1; at = plain.indexOf(address, at + 1)) {
    const [before, after, further] = [plain[at - 1], plain[at + address.length], plain[at + address.length + 1]];
    if (!isPart(before) && before !== "." && !isPart(after) && !(after === "." && isPart(further))) return true;
  }
  return false;
}

/** Checks whether words name exactly one phone number, and it is another one. */
function deniesPhone(evidence: Evidence, words: readonly Words[], text: string): boolean {
  const [only, ...others] = words.flatMap((each) => evidence.phones(each));
  return only !== undefined && others.length === 0 && !isSamePhone(text, only);
}
