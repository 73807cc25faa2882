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

/** A text with its values put in, and the names that had none. */
export interface Rendered {
  text: string;
  missing: string[];
}

/** As long as a rendered text gets: a long value named again and again would not fit into memory. */
export const MAX_RENDERED_CHARS = 500_000;

/**
 * Puts values in for `{{name}}` and `{{name|default}}`. A name that is unknown or whose value is empty gives the default
 * (without the spaces around it), else nothing, and is told as missing: once, lower case, with `_` for spaces. Values
 * and defaults are text and not looked into. Braces that are no such thing stay as they are.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  const pieces: string[] = [];
  const missing = new Set<string>();
  let chars = 0;
  const put = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
  };
  let done = 0;
  for (const { from, to, name, fallback } of placeholders(template)) {
    if (chars > MAX_RENDERED_CHARS) break;
    put(template.slice(done, from));
    const value = values.get(name) || fallback;
    if (value === undefined) missing.add(name);
    else put(value);
    done = to;
  }
  put(template.slice(done));
  return { text: pieces.join("").slice(0, MAX_RENDERED_CHARS), missing: [...missing] };
}
