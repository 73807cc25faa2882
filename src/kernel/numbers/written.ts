/** The maximum length of a text that can be one number, including spaces, characters. */
export const MOST_NUMBER_CHARS = 100;

/** Why a text is not one phone number. */
export type Fault = "none" | "several" | "extension" | "digits_lost";

/**
 * The digits of a text, with their plus if there is one; or why there are none, and the part that may still be a
 * number.
 */
export type Digits = { bare: string } | { fault: Fault; rest: string | null };

/** Marks of writing direction, joining and hyphenation that are copied along with numbers. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** The zeros of other scripts' digits: full-width, Arabic, Persian, Devanagari. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];
/** The prefixes that address books, CRMs and messengers put before a number. */
const SCHEME = /^(?:tel|phone|mobile|whatsapp|callto|p)\s*:\s*/i;
/** Separators between the digits of one number. */
const BETWEEN = /[\s()[\].\-/\u00b7\u2010-\u2015\u2212\uff08\uff09\uff0d]/g;
/** Separators between two numbers. */
const SEVERAL = /[,;|&\n\r]|:::|\b(?:or|and|oder|und|ou|et)\b/i;
const MAYBE_SEVERAL = new RegExp(`/|${SEVERAL.source}`, "gi");
const SHORTEST_DIGITS = 7;
/** The maximum number of digits of a number as dialed from abroad, and the maximum number of slashes in a number. */
const LONGEST_DIGITS = 22;
const MOST_CUTS = 4;
const EXTENSION = /^(.*\d)\)?[\s,;]*(?:ext(?:ensione?|n)?|x|durchwahl|dw|poste|ramal|#)[\s.:=]*\d{1,7}#?$/is;
/** Matches large numbers in the form in which spreadsheets show them: `4,91512E+11`. */
const SCIENTIFIC = /^(\+?)(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;

/**
 * Reduces the text of a cell or field to the digits of one number. `isNumber` checks whether a text is a valid number
 * by itself, so that two numbers are not joined into a third.
 */
export function digitsOf(written: string, isNumber: (text: string) => boolean): Digits {
  if (written.length > MOST_NUMBER_CHARS) return { fault: "none", rest: null };
  const text = unwrapped(written);
  const whole = SCIENTIFIC.test(text) ? fromScientific(text) : text.replace(/^(\+?\d+)[.,]0+$/, "$1");
  if (whole === null) return { fault: "digits_lost", rest: null };
  const extended = EXTENSION.exec(whole)?.[1];
  if (extended !== undefined) return { fault: "extension", rest: extended };
  if (isSeveral(whole, isNumber)) return { fault: "several", rest: null };
  const bare = whole.replace(BETWEEN, "").replace(/^00(?=[1-9])/, "+");
  // A minus before a number comes from a formula or a calculation.
  if (/^\+?\d+$/.test(bare) && bare.length <= LONGEST_DIGITS && !/^[-\u2212]/.test(whole)) return { bare };
  return { fault: "none", rest: /^[-\u2212]/.test(whole) ? null : beginningOf(whole) };
}

/** Removes what programs add around a number, and converts the digits of other scripts to ASCII. */
function unwrapped(written: string): string {
  const ascii = written
    .replace(INVISIBLE, "")
    .replace(/\uff0b/g, "+")
    .replace(/[^\P{Nd}0-9]/gu, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? digit : String(code - zero);
    })
    .trim();
  const text = /^="([^"]*)"$/.exec(ascii)?.[1] ?? ascii.replace(/^['\u2018\u2019`\u00b4]|^=(?=\+)/, "");
  return text.trim().replace(SCHEME, "");
}

/**
 * Returns the digits of a number in scientific notation; null if more than the last digit is missing, which is then 0.
 */
function fromScientific(text: string): string | null {
  const [, plus = "", first = "", more = "", exponent = ""] = SCIENTIFIC.exec(text) ?? [];
  const missing = Number(exponent) - more.length;
  return missing === 0 || missing === 1 ? `${plus}${first}${more}${"0".repeat(missing)}` : null;
}

function isSeveral(text: string, isNumber: (text: string) => boolean): boolean {
  // A slash may also be part of a number: 0171/1234567.
  const parts = text.split(SEVERAL);
  if (parts.filter((part) => digitsIn(part) >= SHORTEST_DIGITS).length > 1) return true;
  const cuts = [...text.matchAll(MAYBE_SEVERAL)].map(({ index }) => index);
  // The text before each cut must be parsed, so their number is limited.
  if (cuts.length > MOST_CUTS) return true;
  // A decimal, such as 2025550112.1
  const point = /^\+?\d+\.\d+$/.test(text) ? [text.indexOf(".")] : [];
  return [...cuts, ...point].some((cut) => digitsIn(text.slice(cut)) > 0 && isNumber(text.slice(0, cut)));
}

const digitsIn = (text: string) => text.replace(/\D/g, "").length;

/**
 * Returns the beginning of a text, up to the first character that cannot be part of a number: `+12025550130 (mobile)`.
 */
function beginningOf(text: string): string | null {
  const start = /^[+\d\s()[\].\-/]*\d/.exec(text)?.[0] ?? "";
  return start === "" ? null : start;
}
