import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { callingCodeOf } from "./calling-codes.ts";
import { digitsOf, type Fault } from "./written.ts";
import { isValidAsWritten, isWrittenAsStored } from "./written-as-stored.ts";

/**
 * The minimum number of digits of a national number without its leading zero. Shorter texts are totals and other
 * figures, or numbers without their area code, which would reach a stranger in another area.
 */
const SHORTEST_WITHOUT_ZERO = 8;

/**
 * The result of reading a text as a phone number:
 * - `e164`: the number, and whether its country was assumed. `couldBe` is the number with a plus in front, if that is
 * valid too.
 * - `couldBe` without `e164`: the text may mean this number or `national`, if there is one.
 * - `fault`: the text is not one valid number. `likely` is suggested to the person but never used.
 */
export type NumberReading =
  | { e164: string; isNational: boolean; couldBe?: string }
  | { couldBe: string; national: string | null }
  | NoNumber;

/**
 * The reason why a text is not one valid number, and the number that is probably meant (E.164); null if there is none,
 * or several.
 */
export interface NoNumber {
  fault: Fault;
  likely: string | null;
  /** Whether the number may be valid if its country is known. */
  needsCountry: boolean;
}

/**
 * Reads a phone number in any form that people and programs write. Only numbers that their country's numbering plan
 * allows are accepted, because other figures in a file, such as totals, can look like possible numbers and would be
 * called.
 * @param country the country of numbers without a calling code; null if the calling code is required
 */
export function readNumber(written: string, country: string | null): NumberReading {
  if (isWrittenAsStored(written)) return { e164: written, isNational: false };
  const digits = digitsOf(written, (text) => isOneNumber(text, country));
  if ("fault" in digits) {
    const rest = digits.rest === null ? null : readAlone(digits.rest, country);
    return { fault: digits.fault, likely: rest && "e164" in rest ? rest.e164 : null, needsCountry: false };
  }
  return readDigits(digits.bare, country);
}

/**
 * Returns the E.164 form of a number that includes its calling code. It is the same for all spellings; null if the
 * number is not valid.
 */
export function canonicalNumber(written: string): string | null {
  const read = readNumber(written, null);
  return "e164" in read ? read.e164 : null;
}

/**
 * Returns the canonical form of a number that a carrier reported, so that a caller matches a contact. Invalid numbers
 * are returned unchanged, because carriers may report any text.
 */
export function reportedNumber(reported: string): string {
  // Carriers still report Mexican mobile numbers with the 1 that was dropped in 2019.
  const mexican = reported.replace(/^\+521(?=\d{10}$)/, "+52");
  return canonicalNumber(reported) ?? canonicalNumber(mexican) ?? reported;
}

/** Returns the error message for a field that is not a number with its country code. */
export function whyNoNumber(read: NumberReading): string {
  const { fault, likely } = "fault" in read ? read : { fault: "none" as const, likely: null };
  switch (fault) {
    case "several":
      return "must be one phone number, not several";
    case "extension":
      return `must be a phone number without an extension${meant(likely)}`;
    case "digits_lost":
      return "must be a phone number with all its digits: scientific notation lost some";
    case "none":
      return `must be a valid phone number with its country code${meant(likely) || ", such as +12025550100"}`;
  }
}

/** Returns the message about a cell that is not a number. It continues the text of the cell. */
export function numberFault({ fault, likely, needsCountry }: NoNumber): string {
  switch (fault) {
    case "several":
      return "has several numbers; keep one";
    case "extension":
      return `has an extension, which cannot be called${meant(likely)}`;
    case "digits_lost":
      return "is in scientific notation, which lost digits; format the column as text";
    case "none":
      return `is not a phone number${needsCountry ? " with its country code" : ""}${meant(likely)}`;
  }
}

function meant(likely: string | null): string {
  return likely === null ? "" : `: did you mean ${groupedNumber(likely)}?`;
}

/** Formats a number as its country writes it: +525512345678 → "+52 55 1234 5678". */
export function groupedNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}

function readDigits(bare: string, country: string | null): NumberReading {
  if (bare.startsWith("+")) {
    const e164 = parsed(bare);
    return e164 === null ? refused(likelyInternational(bare.slice(1), country)) : { e164, isNational: false };
  }
  if (country === null || !isSupportedCountry(country)) {
    const needsCountry = country === null && bare.length >= 3 && bare.length <= 15;
    return { fault: "none", likely: onlyOne([`+${bare}`, northAmerican(bare)]), needsCountry };
  }
  const withPlus = bare.startsWith("0") ? null : parsed(`+${bare}`);
  const like = parsed(bare, country);
  const lacksZero = () => like !== null && !bare.startsWith("0") && parsed(`0${bare}`, country) === like;
  const national = bare.length < SHORTEST_WITHOUT_ZERO && lacksZero() ? null : like;
  if (withPlus === null || withPlus === national) {
    if (national === null) return refused(null);
    // A number in another country, as dialed from this one: 011 44 …
    return { e164: national, isNational: national.startsWith(`+${getCountryCallingCode(country)}`) };
  }
  // If national numbers begin with 0, a number without it may only lack its plus. A guess must never be dialed.
  if (national === null || lacksZero()) return { couldBe: withPlus, national };
  return { e164: national, isNational: true, couldBe: withPlus };
}

const refused = (likely: string | null): NumberReading => ({ fault: "none", likely, needsCountry: false });

/** Returns the number that is probably meant by invalid digits after a plus; null if there are several, or none. */
function likelyInternational(digits: string, country: string | null): string | null {
  const bare = digits.replace(/^0+/, "");
  const code = callingCodeOf(bare) ?? "";
  const rest = bare.slice(code.length);
  const candidates = [`+${bare}`, `+${code}${rest.replace(/^0+/, "")}`, northAmerican(bare)];
  // Mexican mobile numbers had a 1 after the country code until 2019.
  if (code === "52") candidates.push(`+52${rest.replace(/^1/, "")}`);
  return onlyOne(candidates, country !== null && digits.startsWith("0") ? parsed(digits, country) : null);
}

const northAmerican = (digits: string) => (/^[2-9]\d{9}$/.test(digits) ? `+1${digits}` : "");

/** Returns the only valid number among the candidates; null if there are several, or none. */
function onlyOne(candidates: string[], more: string | null = null): string | null {
  const valid = [...candidates.map((candidate) => parsed(candidate)), more].filter((number) => number !== null);
  return new Set(valid).size === 1 ? (valid[0] ?? null) : null;
}

/** Returns the valid number (E.164) that the library parses; null if there is none. */
function parsed(digits: string, country?: string): string | null {
  const isValid = isValidAsWritten(digits);
  if (isValid !== null) return isValid ? digits : null;
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const number = parsePhoneNumberFromString(digits, known);
  return number?.isValid() && /^\+[1-9]\d{6,14}$/.test(number.number) ? number.number : null;
}

/** Checks whether a text may be a number by itself, even if it is unclear which one. */
function isOneNumber(text: string, country: string | null): boolean {
  const read = readAlone(text, country);
  return read !== null && !("fault" in read);
}

function readAlone(text: string, country: string | null): NumberReading | null {
  const digits = digitsOf(text, () => false);
  return "bare" in digits ? readDigits(digits.bare, country) : null;
}
