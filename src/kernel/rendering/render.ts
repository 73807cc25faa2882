import { placeholders } from "./placeholders.ts";
import { type Variable, valuesOf } from "./variables.ts";

/** A rendered text, and the names that had no value. */
export interface Rendered {
  text: string;
  missing: string[];
}

/** Longest rendered text: a long value repeated many times would not fit into memory. */
export const MAX_RENDERED_CHARS = 500_000;

/** The longest value within a text: it is a name or a number there, not a text of its own. */
export const MAX_VALUE_CHARS = 500;

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A value as it stands in a text: on one line, without control characters, and cut with `…` where it is long. Values come
 * from contacts, callers and visitors, and must not be able to add a line to an author's text.
 */
export function inlineValue(value: string): string {
  const line = value.replace(CONTROL, " ");
  if (line.length <= MAX_VALUE_CHARS) return line;
  // A character may be two code units: this many units hold at least one character too many.
  const beginning = Array.from(line.slice(0, 2 * MAX_VALUE_CHARS + 1));
  return beginning.length <= MAX_VALUE_CHARS ? line : `${beginning.slice(0, MAX_VALUE_CHARS).join("")}…`;
}

/**
 * Replaces `{{name}}` and `{{name|default}}`, each by its value as `inlineValue` gives it. A name that is unknown or
 * has an empty value gives the default (without surrounding spaces), otherwise nothing, and is reported as missing:
 * once, in lower case, with `_` for spaces. Values and defaults are plain text and not expanded again. Other braces
 * stay as they are.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  const pieces: string[] = [];
  const missing = new Set<string>();
  let chars = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
  };
  // A long value may be used many times.
  const cache = new Map<string, string>();
  const inlined = (name: string): string => {
    const value = cache.get(name) ?? inlineValue(values.get(name) ?? "");
    cache.set(name, value);
    return value;
  };
  let done = 0;
  for (const { from, to, name, fallback } of placeholders(template)) {
    if (chars > MAX_RENDERED_CHARS) break;
    put(template.slice(done, from));
    const value = inlined(name) || fallback;
    if (value === undefined) missing.add(name);
    else put(value);
    done = to;
  }
  put(template.slice(done));
  return { text: pieces.join("").slice(0, MAX_RENDERED_CHARS), missing: [...missing] };
}

/** Texts rendered with the same variables, and the names that had no value in any of them, each once. */
export function renderAll<K extends string>(
  templates: Record<K, string>,
  variables: Variable[],
): { texts: Record<K, string>; missing: string[] } {
  const values = valuesOf(variables);
  const rendered = Object.entries<string>(templates).map(([key, template]) => [key, render(template, values)] as const);
  return {
    texts: Object.fromEntries(rendered.map(([key, { text }]) => [key, text])) as Record<K, string>,
    missing: [...new Set(rendered.flatMap(([, { missing }]) => missing))],
  };
}
