import { digitChains, isOpenEnded, JOINT } from "./digits.ts";
import { findIbans } from "./find-ibans.ts";
import { findNumbers } from "./find-numbers.ts";
import { overlap, type RedactKind, type Stretch } from "./spans.ts";

/** What stands where something was redacted. */
export const MARKS: Record<RedactKind, string> = {
  card: "[CARD]",
  iban: "[IBAN]",
  email: "[EMAIL]",
  phone: "[PHONE]",
  ssn: "[SSN]",
};

interface Found extends Stretch {
  kind: RedactKind;
}

/** Texts that were redacted. */
export interface Redacted {
  texts: string[];
  /** For each text what was replaced in it. */
  stretches: Found[][];
  /** How many of the texts from the front on nothing that follows can change; what comes after is to be held back. */
  settled: number;
}

/**
 * Redacts texts that are read as one, each going on where the one before ended: a number that is spread over several is
 * found too, and marked in each of them.
 */
export function redactTexts(originals: readonly string[], kinds: ReadonlySet<RedactKind>): Redacted {
  const texts = originals.map((text) => text.replaceAll(JOINT, " "));
  const whole = texts.join(JOINT);
  const starts = startsOf(texts);
  const { found, openFrom } = find(whole, kinds);
  const stretches = texts.map((text, n) => {
    const start = starts[n] ?? 0;
    return found
      .map(({ kind, from, to }) => ({ kind, from: Math.max(0, from - start), to: Math.min(text.length, to - start) }))
      .filter(({ from, to }) => from < to);
  });
  return {
    texts: texts.map((text, n) => marked(text, stretches[n] ?? [])),
    stretches,
    settled:
      openFrom === null ? texts.length : starts.filter((start, n) => start + (texts[n] ?? "").length < openFrom).length,
  };
}

/** Redacts one text. */
export function redactText(text: string, kinds: ReadonlySet<RedactKind>): string {
  return redactTexts([text], kinds).texts[0] ?? text;
}

/** A text with marks in place of these stretches. */
export function marked(text: string, stretches: Found[]): string {
  let out = "";
  let end = 0;
  for (const { kind, from, to } of stretches) {
    out += text.slice(end, from) + MARKS[kind];
    end = to;
  }
  return out + text.slice(end);
}

function startsOf(texts: string[]): number[] {
  let at = 0;
  return texts.map((text) => {
    const start = at;
    at += text.length + JOINT.length;
    return start;
  });
}

function find(text: string, kinds: ReadonlySet<RedactKind>): { found: Found[]; openFrom: number | null } {
  const emails = kinds.has("email") ? findEmails(text) : [];
  const iban = findIbans(text);
  const ibans = kinds.has("iban") ? iban.ibans.map((stretch) => ({ ...stretch, kind: "iban" as const })) : [];
  const numbers = findNumbers(text, kinds, [...iban.ibans, ...iban.lookAlikes]);
  const open = [
    kinds.has("iban") ? iban.openFrom : null,
    kinds.has("email") ? openEmail(text) : null,
    ["card", "ssn", "phone"].some((kind) => kinds.has(kind as RedactKind)) ? openDigits(text) : null,
  ].filter((at) => at !== null);
  return { found: joined([...ibans, ...numbers, ...emails]), openFrom: open.length === 0 ? null : Math.min(...open) };
}

/** The findings in the order of the text; overlapping ones are merged and named after the first. */
function joined(found: Found[]): Found[] {
  const apart: Found[] = [];
  for (const one of found) {
    const { kind } = apart.find((other) => overlap(other, one)) ?? one;
    const touching = apart.filter((other) => overlap(other, one));
    for (const other of touching) apart.splice(apart.indexOf(other), 1);
    const all = [one, ...touching];
    apart.push({
      kind,
      from: Math.min(...all.map(({ from }) => from)),
      to: Math.max(...all.map(({ to }) => to)),
    });
  }
  return apart.sort((a, b) => a.from - b.from);
}

const LOCAL = "[\\p{L}\\p{N}][\\p{L}\\p{N}._%+'-]{0,63}";
const DOMAIN = "(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.)+\\p{L}{2,24}";
const EMAIL = new RegExp(`${LOCAL}@${DOMAIN}`, "gu");
/** The same where one text ends within it: what is not whole on either side. */
const BROKEN_EMAIL = new RegExp(
  `[^\\s@${JOINT}]+(?:@[^\\s@${JOINT}]*${JOINT}[^\\s@${JOINT}]+|${JOINT}@[^\\s@${JOINT}]+)`,
  "gu",
);

function findEmails(text: string): Found[] {
  const whole = stretchesOf(text, EMAIL);
  const broken = stretchesOf(text, BROKEN_EMAIL).filter((one) => {
    const written = text.slice(one.from, one.to).replace(JOINT, "");
    return !whole.some((other) => overlap(one, other)) && new RegExp(`^${LOCAL}@${DOMAIN}`, "u").test(written);
  });
  return [...whole, ...broken].map((stretch) => ({ ...stretch, kind: "email" }));
}

function stretchesOf(text: string, pattern: RegExp): Stretch[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ from: index, to: index + found.length }));
}

/** Where an incomplete address begins that may continue after the text; null if nowhere. */
function openEmail(text: string): number | null {
  const last = /[^\s@]+@[^\s@]*$/u.exec(text);
  return last === null || new RegExp(`${LOCAL}@${DOMAIN}$`, "u").test(last[0]) ? null : last.index;
}

/** Where a row of digits begins that may continue after the text; null if nowhere. */
function openDigits(text: string): number | null {
  const last = digitChains(text).at(-1);
  const [first, end] = [last?.groups[0], last?.groups.at(-1)];
  return first && end && isOpenEnded(text, end.to) ? first.from : null;
}
