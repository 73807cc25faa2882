import { MAX_DEPTH } from "../objects.ts";
import { type FieldError, invalid, invalidField } from "./errors.ts";
import { invalidFields, MOST_NAMED, shownPath } from "./issues.ts";

export const MAX_KEY_CHARS = 256;
/**
 * The maximum number of values in a body, including lists and objects: for authenticated callers, and for all others.
 */
export const MAX_VALUES = 100_000;
export const MAX_VALUES_OF_ANYBODY = 1_000;

/** Limits for a JSON value from a caller. */
export interface JsonRules {
  /** The maximum number of values, including lists and objects. */
  values: number;
  /** The maximum length of a key, characters. */
  keyChars: number;
  /** The maximum length of a text, bytes in UTF-8. */
  textBytes: number;
  /** Whether texts may have unpaired surrogates. */
  halfPairs: boolean;
  /** Whether `__proto__` is allowed as a key. */
  protoKeys: boolean;
}

const HALF_A_PAIR = "must not contain unpaired surrogates";

/**
 * Refuses a JSON value that would be too expensive for later code or that cannot be stored unchanged. The walk keeps
 * only the current path, and writes it as text only for faults that are reported.
 * @throws ApiError 400 `nesting_too_deep`, `forbidden_key`, `key_too_long`, `too_many_values`; or one that lists up to
 * 20 faulty fields
 */
export function inspectJson(json: unknown, rules: JsonRules): void {
  const path: (string | number)[] = [];
  const faults: FieldError[] = [];
  let faultCount = 0;
  let values = 0;

  const note = (code: string, message: string) => {
    faultCount++;
    if (faults.length < MOST_NAMED) faults.push({ field: shownPath(path), code, message });
  };
  const visitMember = (key: string, member: unknown) => {
    if (key.length > rules.keyChars) throw keyTooLong(shownPath([...path, key]), rules.keyChars);
    path.push(key);
    if (!rules.halfPairs && !key.isWellFormed()) note("invalid_name", HALF_A_PAIR);
    visit(member);
    path.pop();
  };
  const visit = (value: unknown) => {
    if (++values > rules.values) throw tooManyValues(rules.values);
    if (typeof value === "string") {
      if (isLonger(value, rules.textBytes))
        note("too_long", `must not be larger than ${Math.floor(rules.textBytes / 1024)} KB`);
      else if (!rules.halfPairs && !value.isWellFormed()) note("invalid", HALF_A_PAIR);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    if (path.length >= MAX_DEPTH) throw invalid(`JSON is nested deeper than ${MAX_DEPTH} levels`, "nesting_too_deep");
    if (!rules.protoKeys && Object.hasOwn(value, "__proto__"))
      throw invalid("the key __proto__ is not allowed", "forbidden_key");
    if (!Array.isArray(value)) for (const [key, member] of Object.entries(value)) visitMember(key, member);
    else
      for (let i = 0; i < value.length; i++) {
        path.push(i);
        visit(value[i]);
        path.pop();
      }
  };

  visit(json);
  if (faultCount > 0) throw invalidFields(faults, undefined, faultCount);
}

function keyTooLong(field: string, most: number) {
  return invalidField(field, "key_too_long", `has a key of more than ${most.toLocaleString("en")} characters`);
}

function tooManyValues(most: number) {
  const message = `the body has more than ${most.toLocaleString("en")} values, its lists and objects included`;
  return invalid(`${message}; send fewer at a time`, "too_many_values");
}

/** Checks whether a text is longer than `bytes` in UTF-8. A UTF-16 code unit takes at most three bytes. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}
