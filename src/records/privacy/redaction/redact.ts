import { type DigitChain, digitChains, isOpenEnded, JOINT } from "./digits.ts";
import { findIbans } from "./find-ibans.ts";
import { findNumbers } from "./find-numbers.ts";
import { overlapping, type RedactKind, type Stretch } from "./spans.ts";
import { noWork, searched, type Work } from "./work.ts";

export const MARKS: Record<RedactKind, string> = {
  card: "[CARD]",
  iban: "[IBAN]",
  email: "[EMAIL]",
  phone: "[PHONE]",
  ssn: "[SSN]",
};

export interface Found extends Stretch {
  kind: RedactKind;
}

export interface Redacted {
  texts: string[];
  /** What was replaced in each text. */
  stretches: Found[][];
  /** How many texts from the front can no longer change. The following ones must be held back. */
  settled: number;
}

/**
 * Redacts texts that are read as one, each continuing the one before. A number that is spread over several texts is
 * found too, and marked in each of them. This takes time proportional to the length of the texts, whatever they
 * contain.
 * @param work is increased by the amount of text that was examined
 */
export function redactTexts(
  originals: readonly string[],
  kinds: ReadonlySet<RedactKind>,
  work: Work = noWork(),
): Redacted {
  const texts = originals.map(withoutJoints);
  const whole = texts.join(JOINT);
  const starts = startsOf(texts);
  const { found, openFrom } = find(whole, kinds, work);
  const stretches = divided(found, texts, starts, work);
  return {
    texts: texts.map((text, n) => marked(text, stretches[n] ?? [])),
    stretches,
    settled:
      openFrom === null ? texts.length : starts.filter((start, n) => start + (texts[n] ?? "").length < openFrom).length,
  };
}

/** Replaces the character that separates texts in a text from a client. */
export const withoutJoints = (text: string): string => text.replaceAll(JOINT, " ");

/**
 * Divides the findings in the joined text (both in order) between the texts. A stretch over several texts is in each of
 * them.
 */
function divided(found: Found[], texts: string[], starts: number[], work: Work): Found[][] {
  let next = 0;
  return texts.map((text, n) => {
    const start = starts[n] ?? 0;
    const end = start + text.length;
    const within: Found[] = [];
    for (let at = next; at < found.length; at++) {
      work.comparisons += 1;
      const one = found[at];
      if (!one || one.from >= end) break;
      if (one.to <= end) next = at + 1;
      const [from, to] = [Math.max(0, one.from - start), Math.min(text.length, one.to - start)];
      if (from < to) within.push({ kind: one.kind, from, to });
    }
    return within;
  });
}

export function redactText(text: string, kinds: ReadonlySet<RedactKind>): string {
  return redactTexts([text], kinds).texts[0] ?? text;
}

export function marked(text: string, stretches: readonly Found[]): string {
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

function find(text: string, kinds: ReadonlySet<RedactKind>, work: Work): { found: Found[]; openFrom: number | null } {
  const emails = kinds.has("email") ? findEmails(text, work) : [];
  const iban = findIbans(text, work);
  const ibans = kinds.has("iban") ? iban.ibans.map((stretch) => ({ ...stretch, kind: "iban" as const })) : [];
  const chains = digitChains(text, work);
  const numbers = findNumbers(text, chains, kinds, [...iban.ibans, ...iban.lookAlikes], work);
  const open = [
    kinds.has("iban") ? iban.openFrom : null,
    kinds.has("email") ? openEmail(text, work) : null,
    ["card", "ssn", "phone"].some((kind) => kinds.has(kind as RedactKind)) ? openDigits(text, chains, work) : null,
  ].filter((at) => at !== null);
  return {
    found: joined([...ibans, ...numbers, ...emails], work),
    openFrom: open.length === 0 ? null : Math.min(...open),
  };
}

/**
 * Returns the findings in the order of the text. Overlapping findings are merged and get the kind that was found first.
 */
function joined(found: Found[], work: Work): Found[] {
  work.comparisons += found.length;
  const apart: (Found & { n: number })[] = [];
  const inOrder = found.map(({ kind, from, to }, n) => ({ kind, from, to, n })).sort((a, b) => a.from - b.from);
  for (const one of inOrder) {
    const last = apart.at(-1);
    if (!last || one.from >= last.to) {
      apart.push(one);
      continue;
    }
    if (one.n < last.n) Object.assign(last, { kind: one.kind, n: one.n });
    last.to = Math.max(last.to, one.to);
  }
  return apart.map(({ kind, from, to }) => ({ kind, from, to }));
}

const LOCAL = "[\\p{L}\\p{N}][\\p{L}\\p{N}._%+'-]{0,63}";
const DOMAIN = "(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.)+\\p{L}{2,24}";
const EMAIL = new RegExp(`${LOCAL}@${DOMAIN}`, "gu");
const EMAIL_AT_START = new RegExp(`^${LOCAL}@${DOMAIN}`, "u");
const EMAIL_AT_END = new RegExp(`${LOCAL}@${DOMAIN}$`, "u");
/**
 * Matches an email address that the end of a text divides, so that neither part is complete. A match begins at the
 * beginning of a word, because trying every character would take time proportional to the square of a long word's
 * length. Everything after the first word is only looked ahead at, so that a match does not depend on earlier ones.
 */
const BROKEN_EMAIL = new RegExp(
  `(?<![^\\s@${JOINT}])[^\\s@${JOINT}]+(?=(@[^\\s@${JOINT}]*${JOINT}[^\\s@${JOINT}]+|${JOINT}@[^\\s@${JOINT}]+))`,
  "gu",
);

function findEmails(text: string, work: Work): Found[] {
  const whole = stretchesOf(searched(text, work), EMAIL);
  const isOfWhole = overlapping(whole, work);
  const broken = stretchesOf(searched(text, work), BROKEN_EMAIL).filter(
    (one) => !isOfWhole(one) && EMAIL_AT_START.test(searched(text.slice(one.from, one.to), work).replace(JOINT, "")),
  );
  return [...whole, ...broken].map(({ from, to }) => ({ kind: "email", from, to }));
}

function stretchesOf(text: string, pattern: RegExp): Stretch[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found, 1: rest = "" }) => ({
    from: index,
    to: index + found.length + rest.length,
  }));
}

const OPEN_EMAIL = new RegExp(`(?<![^\\s@${JOINT}])[^\\s@${JOINT}]+@[^\\s@${JOINT}]*$`, "u");

/**
 * Returns the start of an incomplete address that the next text may complete; null if there is none. Later texts cannot
 * complete it.
 */
function openEmail(text: string, work: Work): number | null {
  const last = OPEN_EMAIL.exec(searched(text, work));
  return last === null || EMAIL_AT_END.test(last[0]) ? null : last.index;
}

/** Returns the start of a row of digits that may continue after the text; null if there is none. */
function openDigits(text: string, chains: readonly DigitChain[], work: Work): number | null {
  const last = chains.at(-1);
  const [first, end] = [last?.groups[0], last?.groups.at(-1)];
  return first && end && isOpenEnded(text, end.to, work) ? first.from : null;
}
