import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { callingCodeOf, numberingPlan } from "./calling-codes.ts";
import { isWrittenAsStored } from "./written-as-stored.ts";

const E164 = /^\+\d{7,15}$/;

/** Mexico. Until 2019 its mobile numbers had a 1 after the country code, and carriers still report some with it. */
const MEXICO = "52";
/** Argentina. Its mobile numbers have a 9 before the area code when dialed from abroad, and a 15 after it at home. */
const ARGENTINA = "54";

const prefixes = new Map<string, string>();

/**
 * Returns the spellings in which a number (E.164) may have been stored before numbers were normalized, starting with
 * the number itself. For example, +447911123456 was also stored as +4407911123456. A hash of such a spelling can only
 * be found with that spelling.
 */
export function spellingsOf(e164: string): string[] {
  const digits = e164.slice(1);
  const code = callingCodeOf(digits);
  if (code === null) return [e164];
  const national = digits.slice(code.length);
  const prefix = nationalPrefix(code);
  const spellings = new Set([e164]);
  if (prefix !== "") spellings.add(`+${code}${prefix}${national}`);
  if (code === MEXICO) spellings.add(`+${code}1${national}`);
  if (code === ARGENTINA) {
    const atHome = (parsePhoneNumberFromString(e164)?.formatNational() ?? "").replace(/\D/g, "");
    spellings.add(`+${code}${atHome}`).add(`+${code}${atHome.replace(/^0/, "")}`);
  }
  // Excludes spellings that are valid numbers of other people.
  return [...spellings].filter(
    (spelling) => spelling === e164 || (E164.test(spelling) && !isWrittenAsStored(spelling)),
  );
}

/** Returns the prefix that is dialed before a national number at home, such as 0; "" if there is none. */
function nationalPrefix(code: string): string {
  const known = prefixes.get(code);
  if (known !== undefined) return known;
  const prefix = numberingPlan(code).nationalPrefix() ?? "";
  prefixes.set(code, prefix);
  return prefix;
}
