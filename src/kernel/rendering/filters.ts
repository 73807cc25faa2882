/**
 * Filters of Liquid, Jinja and similar languages that people use without arguments. Any other single word after a name
 * is a plain default.
 */
const FILTERS = new Set(
  (
    "abs append capitalize capitalise ceil date default downcase escape first float floor format int join last length " +
    "lower lowercase lstrip newline_to_br number prepend remove replace reverse round rstrip safe size slice sort split " +
    "strip strip_html striptags string title titlecase titleize trim truncate truncatewords uniq upcase upper uppercase " +
    "url_encode urlencode"
  ).split(" "),
);

/** Matches `upcase`, `truncate: 10`, `date: "%B"` and `replace('a', 'b')`. */
const FILTER = /^([a-z_]\w*)\s*(\(|:\s*["'\u2018-\u201f\d]|:|$)/i;
/**
 * Matches `default: "there"`, and `default('there')`, with or without Jinja's second argument. Curly quotes are
 * accepted because text editors insert them.
 */
const DEFAULT =
  /^default\s*(?::\s*|\(\s*)(["'\u2018-\u201f])(.*)(["'\u2018-\u201f])\s*(?:,\s*(?:true|false)\s*)?(\)?)$/is;

/** The text after a name and a bar: a default, or the name of an unsupported filter. */
export interface AfterName {
  fallback: string | undefined;
  filter: string | undefined;
}

export const NOTHING_AFTER: AfterName = { fallback: undefined, filter: undefined };

/** Parses the text after the bar: a plain default, a default written as a filter, or an unsupported filter. */
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
  // Straight quotes must match. Curly quotes come in several combinations.
  if (/["']/.test(open + close) && open !== close) return null;
  const unescaped = inner.replace(/\\(["'\\])/g, "$1");
  return isQuotedWithin(inner, open) ? null : unescaped;
}

/**
 * Checks whether the quotation ends early, so that something else follows it: `default: "a"
 * append: "b"`.
 */
function isQuotedWithin(inner: string, quote: string): boolean {
  return inner.replace(/\\./g, "").includes(quote);
}

function filterIn(part: string): string | null {
  const [, name = "", after = ""] = FILTER.exec(part) ?? [];
  if (name === "") return null;
  const key = name.toLowerCase();
  if (FILTERS.has(key)) return key;
  // Any other word with a colon is a plain default, such as `Note: none`.
  return after === "(" || after.length > 1 ? key : null;
}
