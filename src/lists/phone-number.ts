import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

const E164 = /^\+[1-9]\d{6,14}$/;
/** The zero of +44 (0)20 …, which is dialed within the country only. */
const TRUNK_ZERO = /\(\s*0\s*\)/;

/**
 * A number as read: E.164, and whether its country had to be assumed. `couldBe` is the number it would be with a plus, if
 * that is valid too; without `e164` it is unclear which of the two is meant, and `national` is the other one, if any.
 */
export type ReadNumber =
  | { e164: string; isNational: boolean; couldBe?: string }
  | { couldBe: string; national: string | null };

/**
 * A number as people write it, as E.164; null if it is not one. National numbers need their country. International
 * ones, nearly all of a large list, take the short path.
 */
export function toE164(written: string): string | null {
  if (E164.test(written)) return written;
  const bare = bareNumber(written);
  if (!E164.test(bare)) return null;
  // A few countries, such as Italy, keep the zero: the library knows which.
  return TRUNK_ZERO.test(written) ? (parsePhoneNumberFromString(bare)?.number ?? null) : bare;
}

/** The same of a number that may be a national one of this country. */
export function readNumber(written: string, country: string | null): ReadNumber | null {
  const international = toE164(written);
  if (international !== null) return { e164: international, isNational: false };
  const bare = bareNumber(written);
  if (country === null || !isSupportedCountry(country) || !/^\d{3,15}$/.test(bare)) return null;
  const parsed = parsePhoneNumberFromString(bare, country);
  const national = parsed?.isPossible() && E164.test(parsed.number) ? parsed : null;
  const withPlus = bare.startsWith("0") ? undefined : parsePhoneNumberFromString(`+${bare}`);
  if (!withPlus?.isValid() || withPlus.number === national?.number)
    return national && { e164: national.number, isNational: true };
  const couldBe = withPlus.number;
  // Where national numbers begin with 0, a number without it may simply lack its plus: never dial a guess.
  if (!national?.isValid() || dropsZero(bare, country, national.number))
    return { couldBe, national: national?.number ?? null };
  return { e164: national.number, isNational: true, couldBe };
}

/** Marks of writing direction and joining, which come along when a number is copied from an address book. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function bareNumber(written: string): string {
  return written
    .replace(INVISIBLE, "")
    .replace(/^'/, "")
    .replace(/[\s().\-/\u00a0\u2010-\u2015]/g, "")
    .replace(/^00(?=[1-9])/, "+");
}

/** Whether the number with a leading 0 is the same national number of the country. */
function dropsZero(bare: string, country: CountryCode, national: string): boolean {
  return parsePhoneNumberFromString(`0${bare}`, country)?.number === national;
}
