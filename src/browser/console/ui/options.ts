import type { Option } from "./field.tsx";
import { namesOf } from "./names-of.ts";

export function optionsOf<Value extends string>(words: Record<Value, string>): Option<Value>[] {
  return namesOf(words).map((value) => ({ value, label: words[value] }));
}

/** Returns the value of a select element if it is one of the field's values; otherwise undefined. */
export function chosen<Value extends string>(words: Record<Value, string>, value: string): Value | undefined {
  return isKey(words, value) ? value : undefined;
}

function isKey<Value extends string>(words: Record<Value, string>, value: string): value is Value {
  return Object.hasOwn(words, value);
}
