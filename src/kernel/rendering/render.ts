import { placeholders } from "./placeholders.ts";
import { type Variable, valuesOf } from "./variables.ts";

/** A rendered text, and the names that had no value. */
export interface Rendered {
  text: string;
  missing: string[];
}

/** The maximum length of a rendered text. A long value that is used many times would otherwise exceed memory. */
export const MAX_RENDERED_CHARS = 500_000;

/** The maximum length of a value within a text. Longer ones are cut. */
export const MAX_VALUE_CHARS = 500;

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Returns a value in the form in which it is inserted into a text: on one line, without control characters, and cut
 * with `…` if it is long. Values come from contacts, callers and visitors, and must not be able to add a line to an
 * author's text.
 */
export function inlineValue(value: string): string {
  const line = value.replace(CONTROL, " ");
  if (line.length <= MAX_VALUE_CHARS) return line;
  // A character has up to two code units, so this slice has at least one character more than the limit.
  const beginning = Array.from(line.slice(0, 2 * MAX_VALUE_CHARS + 1));
  return beginning.length <= MAX_VALUE_CHARS ? line : `${beginning.slice(0, MAX_VALUE_CHARS).join("")}…`;
}

/**
 * Replaces `{{name}}` and `{{name|default}}` with values, each prepared by `inlineValue`. If a name has no value or an
 * empty one, its trimmed default is rendered, otherwise nothing, and the name is reported as missing: once, in lower
 * case, with `_` for spaces. Values and defaults are not expanded again. Other braces are kept.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  const pieces: string[] = [];
  const missing = new Set<string>();
  let chars = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
  };
  // Avoids preparing a long value again each time it is used.
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

/** Renders texts with the same variables; `missing` lists the names without a value in any of them. */
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
