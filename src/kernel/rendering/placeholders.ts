/** What cannot stand in a name. */
const NAME_ENDS = /[{}|]/g;

/** A name as it is matched: lower case, `_` for spaces within, none around. */
export function variableName(written: string): string {
  return written.normalize("NFC").trim().toLowerCase().replace(/\s+/g, "_");
}

/** A place in a text where a value belongs; `from` and `to` are characters. */
export interface Placeholder {
  from: number;
  to: number;
  /** As it is matched. */
  name: string;
  fallback: string | undefined;
}

/**
 * Where values belong: `{{name}}` and `{{name|default}}`. No character is looked at more than a few times, whatever the
 * text is.
 */
export function* placeholders(template: string): Generator<Placeholder> {
  let close = -1;
  for (let from = template.indexOf("{{"); from !== -1; ) {
    const start = from + 2;
    // One look for the end serves all beginnings before it.
    if (close < start) close = template.indexOf("}}", start);
    if (close === -1) return;
    const end = endOfName(template, start);
    const name = variableName(template.slice(start, end));
    const hasDefault = template[end] === "|";
    if (name === "" || !(hasDefault || end === close)) {
      from = template.indexOf("{{", from + 1);
      continue;
    }
    const fallback = hasDefault ? template.slice(end + 1, close).trim() : undefined;
    yield { from, to: close + 2, name, fallback };
    from = template.indexOf("{{", close + 2);
  }
}

function endOfName(template: string, start: number): number {
  NAME_ENDS.lastIndex = start;
  return NAME_ENDS.exec(template)?.index ?? template.length;
}

/** The names in a text that give nothing where they have no value, which are those without a default; each once. */
export function namesWithoutDefault(template: string): string[] {
  const bare = [...placeholders(template)].filter(({ fallback }) => fallback === undefined);
  return [...new Set(bare.map(({ name }) => name))];
}
