import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { callingCodeOf, numberingPlan } from "./calling-codes.ts";
import { isWrittenAsStored } from "./written-as-stored.ts";

const E164 = /^\+\d{7,15}$/;

/** Mexico, whose mobile numbers had a 1 after the country code until 2019: carriers still report some so. */
const MEXICO = "52";
/** Argentina, whose mobile numbers have a 9 before the area code abroad, and a 15 after it at home. */
const ARGENTINA = "54";

const prefixes = new Map<string, string>();

/**
 * The ways to write a number (E.164) that were stored as they came before every number was read by its country's
 * numbering plan, the number itself first: +447911123456 was +4407911123456 to some. What was hashed under such a
 * spelling can only be found by it.
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
  // Some spellings are the valid number of another person.
  return [...spellings].filter(
    (spelling) => spelling === e164 || (E164.test(spelling) && !isWrittenAsStored(spelling)),
  );
}

/** What is dialed before a national number at home, such as 0; "" where nothing is. */
function nationalPrefix(code: string): string {
  const known = prefixes.get(code);
  if (known !== undefined) return known;
  const prefix = numberingPlan(code).nationalPrefix() ?? "";
  prefixes.set(code, prefix);
  return prefix;
}
