import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";

const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * A number as people write it, as E.164; null when it is none. National numbers need the country they are of.
 * The international ones, nearly all of a large list, take the short way.
 */
export function toE164(written: string, country: string | null): string | null {
  if (E164.test(written)) return written;
  const bare = written
    .replace(/^'/, "")
    .replace(/[\s().\-/\u00a0\u2010-\u2015]/g, "")
    .replace(/^00(?=[1-9])/, "+");
  if (bare.startsWith("+")) return E164.test(bare) ? bare : null;
  if (country === null || !/^\d{3,15}$/.test(bare)) return null;
  const parsed = parsePhoneNumberFromString(bare, country as CountryCode);
  return parsed?.isPossible() && E164.test(parsed.number) ? parsed.number : null;
}
