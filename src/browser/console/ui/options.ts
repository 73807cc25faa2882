import type { Option } from "./field.tsx";
import { namesOf } from "./names-of.ts";

/** The choices of a field, from the words for each of its values. */
export function optionsOf<Value extends string>(words: Record<Value, string>): Option<Value>[] {
  return namesOf(words).map((value) => ({ value, label: words[value] }));
}

/** The value of a field's choices that a select element gives. */
export function chosen<Value extends string>(words: Record<Value, string>, value: string): Value | undefined {
  return isKey(words, value) ? value : undefined;
}

function isKey<Value extends string>(words: Record<Value, string>, value: string): value is Value {
  return Object.hasOwn(words, value);
}
