import { digitOf, digitsOfWord, JOINT, NUMBER_WORD } from "./digits.ts";
import { overlapping, type Stretch } from "./spans.ts";
import { searched, type Work } from "./work.ts";

/** A letter or digit with its position. The digits of a number word all have the position of the word. */
interface Sign extends Stretch {
  value: string;
}

/** The results of searching a text for IBANs. */
export interface IbanFindings {
  ibans: Stretch[];
  /** Stretches with the form of an IBAN but not its checksum. Their digits are not read as another kind of number. */
  lookAlikes: Stretch[];
  /** The start of a stretch that may become an IBAN if the text continues; null if there is none. */
  openFrom: number | null;
}

/** The most characters between two signs. */
const MOST_BETWEEN = 4;
const BETWEEN = new RegExp(`^[\\s\\-\\u2010-\\u2015.,${JOINT}]{0,${MOST_BETWEEN}}$`, "u");
const ALPHANUMERIC_RUN = /[A-Za-z]+|\p{Nd}+/gu;

/** Finds IBANs, including those written in groups or spelled. */
export function findIbans(text: string, work: Work): IbanFindings {
  const signs = signsOf(text, work);
  const findings: IbanFindings = { ibans: [], lookAlikes: [], openFrom: null };
  for (let at = 0; at < signs.length; at++) {
    const first = signs[at];
    if (!first || !/[A-Z]/i.test(first.value) || isWithin(text, first.from)) continue;
    const run = runFrom(text, signs, at, work);
    // A single letter at the end may be the first of a country's two.
    if (run.signs.length === 1 && isOpenEnded(text, first.to, work)) findings.openFrom ??= first.from;
    const length = ibanLength(run.value.slice(0, 2).toUpperCase());
    if (length === null || !/^(?:\d{0,2}|\d\d[A-Z0-9]*)$/i.test(run.value.slice(2))) continue;
    const written = run.signs.slice(0, length);
    const last = written.at(-1);
    if (!last) continue;
    const stretch = { from: first.from, to: last.to };
    if (!isCountry(text, run.signs)) continue;
    if (written.length < length) {
      if (isOpenEnded(text, last.to, work)) findings.openFrom ??= first.from;
    } else if (!isFollowed(text, last.to)) {
      const readings = [written, written.map((sign, n) => (n > 1 ? spelledZero(text, sign) : sign))];
      const isFound = readings.some((reading) => isIban(reading.map(({ value }) => value.toUpperCase()).join("")));
      (isFound ? findings.ibans : findings.lookAlikes).push(stretch);
    }
  }
  return findings;
}

/**
 * Checks whether two letters mean a country: they are capitals, spelled, or directly followed by digits, unlike "it".
 */
function isCountry(text: string, [first, second, third]: Sign[]): boolean {
  if (!first || !second) return false;
  const isSpelled = second.from > first.to && !isFollowed(text, second.to);
  const isCapital = /^[A-Z]{2}$/.test(first.value + second.value);
  return isSpelled || isCapital || third?.from === second.to;
}

/** Reads a single letter O as a zero, because it is often meant as one. */
function spelledZero(text: string, sign: Sign): Sign {
  const isAlone = /^o$/i.test(sign.value) && !isWithin(text, sign.from) && !isFollowed(text, sign.to);
  return isAlone ? { from: sign.from, to: sign.to, value: "0" } : sign;
}

/** Returns the signs from `at` on that have only separators between them, at most as many as the longest IBAN has. */
function runFrom(text: string, signs: Sign[], at: number, work: Work): { signs: Sign[]; value: string } {
  const row: Sign[] = [];
  for (const sign of signs.slice(at, at + 34)) {
    const before = row.at(-1);
    if (before && sign.from >= before.to && !BETWEEN.test(searched(text.slice(before.to, sign.from), work))) break;
    row.push(sign);
  }
  return { signs: row, value: row.map(({ value }) => value).join("") };
}

function signsOf(text: string, work: Work): Sign[] {
  // Number words of one letter are skipped, because O is read as a letter here.
  const words = Array.from(searched(text, work).matchAll(NUMBER_WORD))
    .filter(({ 0: word }) => word.length > 1)
    .map((match) => ({ from: match.index, to: match.index + match[0].length, value: digitsOfWord(match) }));
  const isInWord = overlapping(words, work);
  const plain = Array.from(searched(text, work).matchAll(ALPHANUMERIC_RUN)).filter(
    ({ index }) => !isInWord({ from: index, to: index + 1 }),
  );
  const signs = plain.flatMap(({ index, 0: run }) => {
    let from = index;
    return Array.from(run, (character): Sign => {
      const sign = {
        from,
        to: from + character.length,
        value: /[A-Za-z]/.test(character) ? character : digitOf(character),
      };
      from = sign.to;
      return sign;
    });
  });
  const spelled = words.flatMap(({ from, to, value }) =>
    Array.from(value, (digit): Sign => ({ from, to, value: digit })),
  );
  return [...signs, ...spelled].sort((a, b) => a.from - b.from);
}

/** Checks whether only a separator follows, so that an IBAN may continue in the next text. */
function isOpenEnded(text: string, at: number, work: Work): boolean {
  return text.length - at <= MOST_BETWEEN && BETWEEN.test(searched(text.slice(at), work));
}

/** Checks whether a letter or digit directly precedes. */
function isWithin(text: string, at: number): boolean {
  return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
}

function isFollowed(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
}

/** The length of each country's IBANs (SWIFT's IBAN registry). */
const LENGTHS: Record<string, number> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Returns the length of the country's IBANs; null if it has none. */
function ibanLength(country: string): number | null {
  return Object.hasOwn(LENGTHS, country) ? (LENGTHS[country] ?? null) : null;
}

/** Checks whether capitals and digits are an IBAN: its country's length, and its checksum (ISO 7064, MOD 97-10). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(text) || text.length !== ibanLength(text.slice(0, 2))) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
