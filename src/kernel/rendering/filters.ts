/**
 * Filters of Liquid, Jinja and their kin that people write after a name, without arguments. Whatever else stands there
 * alone is a default in plain words.
 */
const FILTERS = new Set(
  (
    "abs append capitalize capitalise ceil date default downcase escape first float floor format int join last length " +
    "lower lowercase lstrip newline_to_br number prepend remove replace reverse round rstrip safe size slice sort split " +
    "strip strip_html striptags string title titlecase titleize trim truncate truncatewords uniq upcase upper uppercase " +
    "url_encode urlencode"
  ).split(" "),
);

/** `upcase`, `truncate: 10`, `date: "%B"`, `replace('a', 'b')`. */
const FILTER = /^([a-z_]\w*)\s*(\(|:\s*["'\u2018-\u201f\d]|:|$)/i;
/** `default: "there"`, and `default('there')` with Jinja's second argument. Text editors make quotes round. */
const DEFAULT =
  /^default\s*(?::\s*|\(\s*)(["'\u2018-\u201f])(.*)(["'\u2018-\u201f])\s*(?:,\s*(?:true|false)\s*)?(\)?)$/is;

/** What stands behind a name and a bar: the text to use where there is no value, or a filter that is not known. */
export interface AfterName {
  fallback: string | undefined;
  filter: string | undefined;
}

export const NOTHING_AFTER: AfterName = { fallback: undefined, filter: undefined };

/** Reads what stands behind a name: a default in plain words or written as a filter, else a filter that is not known. */
export function readAfterName(written: string): AfterName {
  const text = written.trim();
  const quoted = quotedDefault(text);
  if (quoted !== null) return { fallback: quoted, filter: undefined };
  for (const part of text.split("|")) {
    const filter = filterIn(part.trim());
    if (filter !== null) return { fallback: undefined, filter };
  }
  return { fallback: text, filter: undefined };
}

function quotedDefault(text: string): string | null {
  const [, open = "", inner = "", close = "", end = ""] = DEFAULT.exec(text) ?? [];
  if (open === "" || (end === ")") !== /^default\s*\(/i.test(text)) return null;
  // Straight quotes come in pairs, and round ones in several.
  if (/["']/.test(open + close) && open !== close) return null;
  const unescaped = inner.replace(/\\(["'\\])/g, "$1");
  return isQuotedWithin(inner, open) ? null : unescaped;
}

/** Whether the quote ends before the end, so that something else follows: `default: "a" | append: "b"`. */
function isQuotedWithin(inner: string, quote: string): boolean {
  return inner.replace(/\\./g, "").includes(quote);
}

function filterIn(part: string): string | null {
  const [, name = "", after = ""] = FILTER.exec(part) ?? [];
  if (name === "") return null;
  const key = name.toLowerCase();
  if (FILTERS.has(key)) return key;
  // Other words with a colon are a default in plain words: `Note: none`.
  return after === "(" || after.length > 1 ? key : null;
}
