/* Redaction in its simplest form, without regard to time. The real one is compared with it on short texts. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { isCardNumber, isIssuedCardNumber } from "../../../src/records/privacy/redaction/card.ts";
import { type DigitChain, type DigitGroup, digitChains, JOINT } from "../../../src/records/privacy/redaction/digits.ts";
import { findIbans } from "../../../src/records/privacy/redaction/find-ibans.ts";
import { MARKS } from "../../../src/records/privacy/redaction/redact.ts";
import { overlap, type RedactKind, type Stretch } from "../../../src/records/privacy/redaction/spans.ts";
import { noWork } from "../../../src/records/privacy/redaction/work.ts";

interface Found extends Stretch {
  kind: RedactKind;
}

/** Returns the texts with marks, read as one text. */
export function straightforward(texts: readonly string[], kinds: ReadonlySet<RedactKind>): string[] {
  const found = find(texts.join(JOINT), kinds);
  const starts = startsOf([...texts]);
  return texts.map((text, n) => {
    const start = starts[n] ?? 0;
    const within = found
      .map(({ kind, from, to }) => ({ kind, from: Math.max(0, from - start), to: Math.min(text.length, to - start) }))
      .filter(({ from, to }) => from < to);
    return marked(text, within);
  });
}

/** Returns a text with marks in place of these stretches. */
function marked(text: string, stretches: Found[]): string {
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

function find(text: string, kinds: ReadonlySet<RedactKind>): Found[] {
  const emails = kinds.has("email") ? findEmails(text) : [];
  const iban = findIbans(text, noWork());
  const ibans = kinds.has("iban") ? iban.ibans.map((stretch) => ({ ...stretch, kind: "iban" as const })) : [];
  const numbers = findNumbers(text, kinds, [...iban.ibans, ...iban.lookAlikes]);
  return joined([...ibans, ...numbers, ...emails]);
}

/** Returns the findings in the order of the text. Overlapping ones are merged and get the kind of the first. */
function joined(found: Found[]): Found[] {
  const apart: Found[] = [];
  for (const one of found) {
    const { kind } = apart.find((other) => overlap(other, one, noWork())) ?? one;
    const touching = apart.filter((other) => overlap(other, one, noWork()));
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
/** Matches an email address within which one text ends, so that it is complete on neither side. */
const BROKEN_EMAIL = new RegExp(
  `[^\\s@${JOINT}]+(?=(@[^\\s@${JOINT}]*${JOINT}[^\\s@${JOINT}]+|${JOINT}@[^\\s@${JOINT}]+))`,
  "gu",
);

function findEmails(text: string): Found[] {
  const whole = stretchesOf(text, EMAIL);
  const broken = stretchesOf(text, BROKEN_EMAIL).filter((one) => {
    const written = text.slice(one.from, one.to).replace(JOINT, "");
    return (
      !whole.some((other) => overlap(one, other, noWork())) && new RegExp(`^${LOCAL}@${DOMAIN}`, "u").test(written)
    );
  });
  return [...whole, ...broken].map((stretch) => ({ ...stretch, kind: "email" }));
}

function stretchesOf(text: string, pattern: RegExp): Stretch[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found, 1: rest = "" }) => ({
    from: index,
    to: index + found.length + rest.length,
  }));
}

/** A number that was found, with its kind. */
interface FoundNumber extends Stretch {
  kind: RedactKind;
}

/** Groups of a chain that are read as one number. */
interface Window extends Stretch {
  groups: DigitGroup[];
  digits: string;
  /** The positions of separators, counted in digits. The end of a text is not a separator. */
  cuts: number[];
  /** Whether it is the whole chain, and whether it begins and ends where a number may. */
  isWhole: boolean;
  isBounded: boolean;
  /** Whether it contains a comma or similar, so that it may be several numbers. */
  isListed: boolean;
  /** Whether it is a single group. Such a number cannot have been cut off at the end of a text. */
  isRun: boolean;
}

/** Longer rows of groups are not a number of any kind. */
const MOST_DIGITS = 19;

/**
 * Finds card numbers, social security numbers and phone numbers. Digits within `taken` belong to other findings. If a
 * row as long as a card number fails its check, neither the row nor a part of it is a number.
 */
function findNumbers(text: string, kinds: ReadonlySet<RedactKind>, taken: Stretch[]): FoundNumber[] {
  return digitChains(text, noWork()).flatMap((chain) => {
    const windows = windowsOf(chain).filter((window) => !taken.some((other) => overlap(window, other, noWork())));
    const cards = kinds.has("card") ? windows.filter((window) => isCard(window, chain)) : [];
    const free = windows.filter((window) => window.isBounded && !cards.some((card) => overlap(card, window, noWork())));
    const isCardLike = isLikeCard(digitsOf(chain.groups));
    const others = free.filter((window) => window.isWhole || !isCardLike || window.cuts.length > 0);
    const ssns = kinds.has("ssn") ? others.filter(isSsn) : [];
    const phones = kinds.has("phone") ? others.filter((window) => isPhone(text, window)) : [];
    return [
      ...found("card", cards),
      ...found("ssn", ssns),
      ...found(
        "phone",
        phones.map((one) => withPlus(text, one)),
      ),
    ];
  });
}

const found = (kind: RedactKind, windows: Stretch[]): FoundNumber[] =>
  windows.map(({ from, to }) => ({ kind, from, to }));

const digitsOf = (groups: DigitGroup[]) => groups.map(({ digits }) => digits).join("");

/** Checks whether a row is as long as common card numbers. */
const isLikeCard = ({ length }: string) => length >= 13 && length <= 16;

function windowsOf({ groups, gaps }: DigitChain): Window[] {
  const windows: Window[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = "";
    const cuts: number[] = [];
    for (let last = first; last < groups.length; last++) {
      const [from, group] = [groups[first], groups[last]];
      if (!from || !group) break;
      if (last > first && gaps[last - 1]?.isJoint === false) cuts.push(digits.length);
      digits += group.digits;
      if (digits.length > MOST_DIGITS) break;
      const begins = first === 0 || isEdge(gaps[first - 1]);
      const ends = last === groups.length - 1 || isEdge(gaps[last]);
      windows.push({
        groups: groups.slice(first, last + 1),
        digits,
        cuts: [...cuts],
        from: from.from,
        to: group.to,
        isWhole: first === 0 && last === groups.length - 1,
        isBounded: begins && ends,
        isListed: gaps.slice(first, last).some(({ isHard }) => isHard),
        isRun: first === last && gaps[first - 1]?.isJoint !== true && gaps[last]?.isJoint !== true,
      });
    }
  }
  return windows;
}

const isEdge = (gap: DigitChain["gaps"][number] | undefined) => gap === undefined || gap.isJoint || gap.isHard;

/**
 * Checks for a card number. Alone, any digits that pass the check are one; within a longer row, only numbers that a
 * scheme issues.
 */
function isCard({ digits, isRun, isWhole, isBounded, isListed }: Window, chain: DigitChain): boolean {
  if (!isCardNumber(digits) || (isListed && !isIssuedCardNumber(digits))) return false;
  if (isWhole || isRun) return true;
  if (isLikeCard(digitsOf(chain.groups))) return false;
  return (isBounded && digits.length >= 16) || isIssuedCardNumber(digits);
}

/**
 * Checks whether digits are written without gaps, spelled one by one or in pairs, or in groups that end at some of
 * these places.
 */
function isGrouped({ groups, cuts }: Window, ends: number[]): boolean {
  if (groups.every(({ isWord }) => isWord)) return true;
  return cuts.every((cut) => ends.includes(cut)) || groups.every(({ digits }) => digits.length <= 2);
}

/** Checks for a number that the Social Security Administration may have issued. */
function isSsn(window: Window): boolean {
  const [, area = "", group = "", serial = ""] = /^(\d{3})(\d{2})(\d{4})$/.exec(window.digits) ?? [];
  if (area === "" || ["000", "666"].includes(area) || area >= "900" || group === "00" || serial === "0000")
    return false;
  return isGrouped(window, [3, 5]);
}

const NORTH_AMERICAN = /^1?[2-9]\d{2}[2-9]\d{6}$/;
const PLUS_BEFORE = /(?:\+|(?<!\p{L})plus)[\s(]*$/iu;

/** Extends a phone number to the plus or parenthesis before it. */
function withPlus(text: string, { from, to }: Stretch): Stretch {
  const before = text.slice(Math.max(0, from - 8), from);
  const sign = PLUS_BEFORE.exec(before) ?? /\($/.exec(before);
  return { from: from - (sign?.[0].length ?? 0), to };
}

/**
 * Checks for a number with a country code that is possible in its country, or a North American number of ten digits.
 */
function isPhone(text: string, window: Window): boolean {
  const { digits } = window;
  const international = PLUS_BEFORE.test(text.slice(Math.max(0, window.from - 8), window.from))
    ? digits
    : /^00[1-9]/.test(digits)
      ? digits.slice(2)
      : null;
  if (international !== null && digits.length >= 8)
    return parsePhoneNumberFromString(`+${international}`)?.isPossible() === true;
  if (!NORTH_AMERICAN.test(digits)) return false;
  return isGrouped(window, digits.length === 11 ? [1, 4, 7, 9] : [3, 6, 8]);
}
