import fc from "fast-check";
import { passesLuhn } from "../../../src/records/privacy/redaction/card.ts";
import { isIban } from "../../../src/records/privacy/redaction/find-ibans.ts";

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Generates this many of these characters. `fc.stringMatching` would take most of a test's time for its setup. */
const characters = (of: string, length: number) =>
  fc.array(fc.constantFrom(...of), { minLength: length, maxLength: length }).map((chosen) => chosen.join(""));
const digits = (length: number) => characters(DIGITS, length);
const letters = (length: number) => characters(LETTERS, length);

/** Appends the check digit that makes digits a card number. */
function withCheckDigit(body: string): string {
  return [...DIGITS].map((digit) => body + digit).find(passesLuhn) ?? body;
}

/** Replaces the last digit by another one. */
const spoiled = (number: string, by: number) => number.slice(0, -1) + String((Number(number.at(-1)) + by) % 10);

const body = (prefixes: string[], length: number) =>
  fc.constantFrom(...prefixes).chain((prefix) => digits(length - 1 - prefix.length).map((rest) => prefix + rest));

/** Card numbers of the most common schemes, with the lengths that they issue. */
export const card = fc
  .oneof(
    body(["4"], 16),
    body(["51", "52", "53", "54", "55", "2221", "2720"], 16),
    body(["34", "37"], 15),
    body(["6011", "65"], 16),
    body(["3528", "3589"], 16),
  )
  .map(withCheckDigit);

/** Numbers with the form of a card number but another last digit. */
export const noCard = fc.tuple(card, fc.integer({ min: 1, max: 9 })).map(([number, by]) => spoiled(number, by));

const ACCOUNT_FORMS: [country: string, parts: fc.Arbitrary<string>[]][] = [
  ["DE", [digits(18)]],
  ["FR", [digits(10), characters(DIGITS + LETTERS, 11), digits(2)]],
  ["GB", [letters(4), digits(14)]],
  ["NL", [letters(4), digits(10)]],
  ["ES", [digits(20)]],
  ["NO", [digits(11)]],
];

/** IBANs with their valid checksum. */
export const iban = fc
  .constantFrom(...ACCOUNT_FORMS)
  .chain(([country, parts]) => fc.tuple(...parts).map((account) => ({ country, rest: account.join("") })))
  .map(({ country, rest }) => {
    const checks = Array.from({ length: 97 }, (_, n) => String(n + 2).padStart(2, "0"));
    return checks.map((check) => country + check + rest).find(isIban) ?? "";
  });

/**
 * Texts with the form of an IBAN but another last digit. None contains an O, which could be read as a zero and make
 * another IBAN.
 */
export const noIban = fc
  .tuple(iban, fc.integer({ min: 1, max: 9 }))
  .map(([number, by]) => spoiled(number, by))
  .filter((number) => !number.includes("O"));

/** How a number is written: without gaps, in groups of four, or with a word for each digit. */
export type Writing = "plain" | "spaced" | "dashed" | "words";
export const writing = fc.constantFrom<Writing>("plain", "spaced", "dashed", "words");

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

export function written(number: string, how: Writing): string {
  if (how === "plain") return number;
  if (how === "words") return [...number].map((sign) => WORDS[Number(sign)] ?? sign).join(" ");
  return (number.match(/.{1,4}/g) ?? []).join(how === "spaced" ? " " : "-");
}

/** Cuts a text into pieces at these positions (0 to 1 of its length). Words are not cut in two. */
export function pieces(text: string, places: number[]): string[] {
  const spots = text.includes(" ")
    ? [...text.matchAll(/ /g)].map(({ index }) => index + 1)
    : [...text].map((_, n) => n);
  const cuts = [...new Set(places.map((place) => spots[Math.floor(place * spots.length)] ?? 0))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, n) => text.slice(from, cuts[n] ?? text.length));
}
