import type { Option } from "./field.tsx";

/** The choices of a field, from the words for each of its values. */
export function optionsOf(words: Record<string, string>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** The value of a field's choices that a select element gives. */
export function chosen<Value extends string>(words: Record<Value, string>, value: string): Value | undefined {
  return isKey(words, value) ? value : undefined;
}

function isKey<Value extends string>(words: Record<Value, string>, value: string): value is Value {
  return Object.hasOwn(words, value);
}
