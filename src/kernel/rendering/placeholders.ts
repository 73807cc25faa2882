import { NOTHING_AFTER, readAfterName } from "./filters.ts";
import { variableName } from "./variables.ts";

/** Characters that cannot occur in a name. */
const NAME_ENDS = /[{}|]/g;

/** A placeholder in a text; `from` and `to` are character offsets. */
export interface Placeholder {
  from: number;
  to: number;
  /** The name as matched. */
  name: string;
  fallback: string | undefined;
  /** The filter that it has and that is not known; such a text cannot be saved. */
  filter: string | undefined;
}

/**
 * The placeholders of a text: `{{name}}` and `{{name|default}}`, where the default may also be written as the filter of
 * Liquid or Jinja: `{{name | default: "there"}}`. What begins with a quote is JSON, and text. Linear: no character is
 * looked at more than a few times.
 */
export function* placeholders(template: string): Generator<Placeholder> {
  let close = -1;
  for (let from = template.indexOf("{{"); from !== -1; ) {
    const start = from + 2;
    // One search for the end serves all beginnings before it, which keeps this linear.
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

/** The names without a default in a text, each once: they render as nothing if they have no value. */
export function namesWithoutDefault(template: string): string[] {
  const bare = [...placeholders(template)].filter(({ fallback }) => fallback === undefined);
  return [...new Set(bare.map(({ name }) => name))];
}

/** Most characters of a placeholder that a fault repeats. */
const SHOWN_CHARS = 60;

/** Why a text cannot be rendered as its writer meant it, for people; null if it can. */
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
