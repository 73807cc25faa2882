import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** The text that replaces an erased phone number. */
export const MASKED = "[PHONE]";

/** The text that replaces an erased visitor's id. */
export const MASKED_VISITOR = "[VISITOR]";

/** Separators that may occur between the digits of a number. */
const BETWEEN = String.raw`[\s().\-/\u2010-\u2015]{0,3}`;
/** A shorter national number would match too much other text. */
const SHORTEST_NATIONAL_DIGITS = 7;

/** Masks one phone number in every spelling: E.164, as dialed from abroad or at home, and with any grouping. */
export class NumberMask {
  readonly e164: string;
  readonly #pattern: RegExp;
  /** The digits that every spelling of the number contains in a row. */
  readonly #national: string;

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

  text(text: string): string {
    return text.replace(this.#pattern, MASKED);
  }

  /** Returns where the number occurs in a text. */
  rangesIn(text: string): { from: number; to: number }[] {
    return Array.from(text.matchAll(this.#pattern), ({ index, 0: found }) => ({
      from: index,
      to: index + found.length,
    }));
  }

  /** Masks the number in parsed JSON, including property names and numerals. */
  json(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.text(String(value)) === MASKED ? MASKED : value;
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.json(item)]));
  }

  /** Masks the number in JSON text. Returns the same text if it does not contain the number. */
  jsonText(json: string): string {
    // Most texts lack the digits, and this check is much cheaper than parsing. Texts with escapes are always parsed,
    // because an escape may stand for a digit.
    if (!json.includes("\\u") && !json.replaceAll(/\D/g, "").includes(this.#national)) return json;
    // Strings may contain escaped characters, so the number can only be found in the parsed value.
    const masked = JSON.stringify(this.json(JSON.parse(json)));
    return masked.includes(MASKED) ? masked : json;
  }
}

const spelled = (digits: string) => [...digits].join(BETWEEN);
