import { canonicalNumber } from "../../kernel/numbers/read-number.ts";
import { shownNumber } from "../contact-id.ts";
import type { NumberRange, Wanted } from "../store/contact-listing.ts";
import type { ContactRow } from "../store/contacts.ts";

interface Search extends Pick<Wanted, "status" | "outcome"> {
  /** E.164. */
  phone_number?: string | undefined;
  search?: string | undefined;
}

/** Digits of an E.164 number. */
const SHORTEST_DIGITS = 7;
const LONGEST_DIGITS = 15;

const NUMBER_PREFIX = /^\+\d*$/;
/** Matches the parts of a text that SQL and JavaScript compare in the same way without case. */
const ASCII_RUN = /[\x20-\x7e]+/g;

/**
 * Returns the beginning of a number, with its plus, if that is all a search looks for; null if the text may be in a
 * variable.
 */
export function numberPrefix(search: string): string | null {
  const whole = search.startsWith("+") ? canonicalNumber(search) : null;
  if (whole !== null) return whole;
  const bare = search.replace(/[\s().\-/]/g, "");
  return search.startsWith("+") && NUMBER_PREFIX.test(bare) ? bare : null;
}

/** Returns the ranges of numbers (digits) that match; null if the beginning of a number doesn't determine them. */
export function rangesOf({ phone_number, search }: Search): NumberRange[] | null {
  if (phone_number !== undefined) {
    const number = Number(phone_number.slice(1));
    return [[number, number]];
  }
  const prefix = search === undefined ? null : numberPrefix(search);
  if (prefix === null || prefix === "+") return null;
  const digits = prefix.slice(1);
  if (digits.startsWith("0")) return [];
  const lengths = Array.from({ length: LONGEST_DIGITS - digits.length + 1 }, (_, i) => digits.length + i);
  return lengths
    .filter((length) => length >= SHORTEST_DIGITS)
    .map((length) => {
      const unit = 10 ** (length - digits.length);
      return [Number(digits) * unit, (Number(digits) + 1) * unit - 1];
    });
}

/** Returns the criteria that must be compared row by row. */
export function wantedBy({ status, outcome, phone_number, search = "" }: Search): Wanted {
  const isNumber = ({ phone }: Pick<ContactRow, "phone">) =>
    phone_number === undefined || shownNumber(phone) === phone_number;
  const prefix = numberPrefix(search);
  if (prefix !== null) {
    const matches: Wanted["matches"] = (contact) => isNumber(contact) && shownNumber(contact.phone).startsWith(prefix);
    return { status, outcome, numberPrefix: prefix, matches };
  }
  const text = search.toLowerCase();
  const json = JSON.stringify(text).slice(1, -1);
  const [run = ""] = (json.match(ASCII_RUN) ?? []).sort((a, b) => b.length - a.length);
  return {
    status,
    outcome,
    roughly: { number: text, json: run },
    matches: (contact) =>
      isNumber(contact) && (shownNumber(contact.phone).includes(text) || holds(contact.variables, text, json)),
  };
}

/** Checks whether one of the cells contains the text. Most rows are decided without parsing them. */
function holds(variables: string, text: string, json: string): boolean {
  if (!variables.toLowerCase().includes(json)) return false;
  const cells: string[] = JSON.parse(variables);
  return cells.some((cell) => cell.toLowerCase().includes(text));
}
