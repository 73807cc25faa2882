import { NOTHING_AFTER, readAfterName } from "./filters.ts";
import { variableName } from "./variables.ts";

/** Characters that cannot occur in a name. */
const NAME_ENDS = /[{}|]/g;

/** A placeholder in a text; `from` and `to` are character offsets. */
export interface Placeholder {
  from: number;
  to: number;
  /** The name by which the value is looked up. */
  name: string;
  fallback: string | undefined;
  /** An unsupported filter. A text that contains one cannot be saved. */
  filter: string | undefined;
}

/**
 * Yields the placeholders of a text: `{{name}}` and `{{name|default}}`. The default may also be written as a filter of
 * Liquid or Jinja: `{{name
 * default: "there"}}`. Braces that are followed by a quote are JSON, not a placeholder. Takes linear time.
 */
export function* placeholders(template: string): Generator<Placeholder> {
  let close = -1;
  for (let from = template.indexOf("{{"); from !== -1; ) {
    const start = from + 2;
    // One search for the end serves all beginnings before it. Otherwise the time would be quadratic.
    if (close < start) close = template.indexOf("}}", start);
    if (close === -1) return;
    const end = endOfName(template, start);
    const name = variableName(template.slice(start, end));
    const hasDefault = template[end] === "|";
    if (name === "" || /^["']/.test(name) || !(hasDefault || end === close)) {
      from = template.indexOf("{{", from + 1);
      continue;
    }
    const { fallback, filter } = hasDefault ? readAfterName(template.slice(end + 1, close)) : NOTHING_AFTER;
    yield { from, to: close + 2, name, fallback, filter };
    from = template.indexOf("{{", close + 2);
  }
}

function endOfName(template: string, start: number): number {
  NAME_ENDS.lastIndex = start;
  return NAME_ENDS.exec(template)?.index ?? template.length;
}

/** Returns the distinct names without a default. They render as nothing if they have no value. */
export function namesWithoutDefault(template: string): string[] {
  const bare = [...placeholders(template)].filter(({ fallback }) => fallback === undefined);
  return [...new Set(bare.map(({ name }) => name))];
}

/** The number of characters of a placeholder that an error message quotes. */
const SHOWN_CHARS = 60;

/** Returns a message about the first unsupported filter in a text; null if there is none. */
export function templateFault(template: string): string | null {
  for (const { from, to, name, filter } of placeholders(template)) {
    if (filter === undefined) continue;
    const whole = template.slice(from, to);
    const written = whole.length > SHOWN_CHARS ? `${whole.slice(0, SHOWN_CHARS)}…` : whole;
    const known = `{{${name.slice(0, SHOWN_CHARS)} | default: "there"}}`;
    return filter === "default"
      ? `must give the default in quotes, as in ${known}, not as in ${written}`
      : `must not use the filter ${filter}, as in ${written}: the only filter is default, as in ${known}`;
  }
  return null;
}
