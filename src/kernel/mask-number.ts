import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What stands where a number stood that was erased. */
export const MASKED = "[PHONE]";

/** What stands where a visitor's id stood that was erased. */
export const MASKED_VISITOR = "[VISITOR]";

/** What may stand between the digits of a number. */
const BETWEEN = String.raw`[\s().\-/\u2010-\u2015]{0,3}`;
/** A shorter national number is too likely to be something else. */
const SHORTEST_NATIONAL_DIGITS = 7;

/** Masks one phone number wherever it stands: as E.164, as it is dialled from abroad or at home, and however it is grouped. */
export class NumberMask {
  readonly e164: string;
  readonly #pattern: RegExp;
  /** Digits that stand in a row wherever the number stands. */
  readonly #national: string;

  /** @param e164 the number */
  constructor(e164: string) {
    this.e164 = e164;
    const digits = e164.slice(1);
    const national: string = parsePhoneNumberFromString(e164)?.nationalNumber ?? digits;
    this.#national = national;
    const code = digits.slice(0, digits.length - national.length);
    const trunk = String.raw`(?:\(?0\)?${BETWEEN})?`;
    const abroad = `(?:(?:\\+|%2B|00)${BETWEEN})?${spelled(code)}${code && BETWEEN}${trunk}${spelled(national)}`;
    const atHome = national.length < SHORTEST_NATIONAL_DIGITS ? [] : [`${trunk}${spelled(national)}`];
    this.#pattern = new RegExp(`(?<!\\d)\\(?(?:${[abroad, ...atHome].join("|")})(?!\\d)`, "gi");
  }

  /** The text without the number. */
  text(text: string): string {
    return text.replace(this.#pattern, MASKED);
  }

  /** Parsed JSON without the number, in names and numerals too. */
  json(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.text(String(value)) === MASKED ? MASKED : value;
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.json(item)]));
  }

  /** JSON text without the number; the same text where it does not have it. */
  jsonText(json: string): string {
    // Most texts do not have the digits, which takes much less time to tell. An escape may spell digits, or have some.
    if (!json.includes("\\u") && !json.replaceAll(/\D/g, "").includes(this.#national)) return json;
    // A string may spell its characters as escapes: only what is parsed shows what it says.
    const masked = JSON.stringify(this.json(JSON.parse(json)));
    return masked.includes(MASKED) ? masked : json;
  }
}

const spelled = (digits: string) => [...digits].join(BETWEEN);
