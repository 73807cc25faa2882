import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { isCardNumber, isIssuedCardNumber } from "./card.ts";
import type { DigitChain, DigitGroup } from "./digits.ts";
import { overlapping, type RedactKind, type Stretch } from "./spans.ts";
import { searched, type Work } from "./work.ts";

export interface FoundNumber extends Stretch {
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

const MOST_DIGITS = 19;
const FEWEST_DIGITS = 8;

/**
 * Finds card numbers, social security numbers and phone numbers in the chains of a text. Digits within `taken` belong
 * to other findings. If a row as long as a card number fails its check, neither the row nor a part of it is a number.
 * @param work is counted up
 */
export function findNumbers(
  text: string,
  chains: readonly DigitChain[],
  kinds: ReadonlySet<RedactKind>,
  taken: readonly Stretch[],
  work: Work,
): FoundNumber[] {
  const isTaken = overlapping(taken, work);
  const isPossible = possiblePhones(work);
  return chains.flatMap((chain) => {
    const windows = windowsOf(chain, work).filter((window) => !isTaken(window));
    const isCardLike = isLikeCard(lengthOf(chain.groups, work));
    const cards = kinds.has("card") ? windows.filter((window) => isCard(window, isCardLike)) : [];
    const isOfCard = overlapping(cards, work);
    const free = windows.filter((window) => window.isBounded && !isOfCard(window));
    const others = free.filter((window) => window.isWhole || !isCardLike || window.cuts.length > 0);
    const ssns = kinds.has("ssn") ? others.filter(isSsn) : [];
    const phones = kinds.has("phone") ? others.filter((window) => isPhone(text, window, isPossible, work)) : [];
    return [
      ...found("card", cards),
      ...found("ssn", ssns),
      ...found(
        "phone",
        phones.map((one) => withPlus(text, one, work)),
      ),
    ];
  });
}

const found = (kind: RedactKind, windows: Stretch[]): FoundNumber[] =>
  windows.map(({ from, to }) => ({ kind, from, to }));

function lengthOf(groups: DigitGroup[], work: Work): number {
  work.groups += groups.length;
  return groups.reduce((sum, { digits }) => sum + digits.length, 0);
}

/** Checks whether a row of this many digits is as long as common card numbers. */
const isLikeCard = (length: number) => length >= 13 && length <= 16;

/**
 * Returns the sequences of up to MOST_DIGITS digits that may be a number. At most MOST_DIGITS of them begin at each
 * group, because no group is empty.
 */
function windowsOf({ groups, gaps }: DigitChain, work: Work): Window[] {
  const windows: Window[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = "";
    for (let last = first; last < groups.length; last++) {
      const [from, group] = [groups[first], groups[last]];
      if (!from || !group) break;
      work.windows += 1;
      if (digits.length + group.digits.length > MOST_DIGITS) break;
      digits += group.digits;
      const begins = first === 0 || isEdge(gaps[first - 1]);
      const ends = last === groups.length - 1 || isEdge(gaps[last]);
      // Only card numbers begin or end within a row of groups, so most rows are dropped before they are copied.
      const isBounded = begins && ends && digits.length >= FEWEST_DIGITS;
      if (!isBounded && !isCardNumber(digits)) continue;
      const written = groups.slice(first, last + 1);
      windows.push({
        groups: written,
        digits,
        cuts: cutsOf(written, gaps.slice(first, last)),
        from: from.from,
        to: group.to,
        isWhole: first === 0 && last === groups.length - 1,
        isBounded,
        isListed: gaps.slice(first, last).some(({ isHard }) => isHard),
        isRun: first === last && gaps[first - 1]?.isJoint !== true && gaps[last]?.isJoint !== true,
      });
    }
  }
  return windows;
}

function cutsOf(groups: readonly DigitGroup[], gaps: DigitChain["gaps"]): number[] {
  let at = 0;
  return gaps.flatMap(({ isJoint }, n) => {
    at += groups[n]?.digits.length ?? 0;
    return isJoint ? [] : [at];
  });
}

const isEdge = (gap: DigitChain["gaps"][number] | undefined) => gap === undefined || gap.isJoint || gap.isHard;

/**
 * Checks for a card number. Alone, any digits that pass the check are one; within a longer row, only numbers that a
 * scheme issues.
 */
function isCard({ digits, isRun, isWhole, isBounded, isListed }: Window, isCardLike: boolean): boolean {
  if (!isCardNumber(digits) || (isListed && !isIssuedCardNumber(digits))) return false;
  if (isWhole || isRun) return true;
  if (isCardLike) return false;
  return (isBounded && digits.length >= 16) || isIssuedCardNumber(digits);
}

/**
 * Checks whether digits are written without gaps, spelled one by one or in pairs, or in groups that end at these
 * positions (in digits).
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
function withPlus(text: string, { from, to }: Stretch, work: Work): Stretch {
  const before = searched(text.slice(Math.max(0, from - 8), from), work);
  const sign = PLUS_BEFORE.exec(before) ?? /\($/.exec(before);
  return { from: from - (sign?.[0].length ?? 0), to };
}

/**
 * Checks for a number with a country code that is possible in its country, or a North American number of ten digits.
 */
function isPhone(text: string, window: Window, isPossible: (international: string) => boolean, work: Work): boolean {
  const { digits } = window;
  const international = PLUS_BEFORE.test(searched(text.slice(Math.max(0, window.from - 8), window.from), work))
    ? digits
    : /^00[1-9]/.test(digits)
      ? digits.slice(2)
      : null;
  if (international !== null && digits.length >= 8) return isPossible(international);
  if (!NORTH_AMERICAN.test(digits)) return false;
  return isGrouped(window, digits.length === 11 ? [1, 4, 7, 9] : [3, 6, 8]);
}

/**
 * Returns a function that checks whether digits with a country code can be a phone number. It parses each number once.
 */
function possiblePhones(work: Work): (international: string) => boolean {
  const known = new Map<string, boolean>();
  return (international) => {
    const before = known.get(international);
    if (before !== undefined) return before;
    work.parses += 1;
    const isPossible = parsePhoneNumberFromString(`+${international}`)?.isPossible() === true;
    known.set(international, isPossible);
    return isPossible;
  };
}
