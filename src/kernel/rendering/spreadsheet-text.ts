/** Characters that make a spreadsheet evaluate a cell, in full and half width. */
const SIGN = "[=+\\-@＝＋－＠﹦﹢﹣﹫−]";
const LINE_BREAK = "[\\n\\r\\v\\f\\x85\\u2028\\u2029]";
/** What begins a cell for readers with another separator than ours, or that ignore quotes. */
const SEPARATOR = `[${LINE_BREAK}\\t,;\\|]`;
/** What readers strip from the beginning of a cell: white space, invisible characters, quotes. */
const DROPPED = `[[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800"]--${SEPARATOR}]`;

const ANY_SIGN = new RegExp(SIGN, "v");
const BEGINNING = new RegExp(`(^|${SEPARATOR})(?=${DROPPED}*${SIGN})`, "gv");
/** A signed number, or a sign alone: nothing to evaluate. */
const NUMBER = /^[+-](\d[\d\p{Zs}.,]*(e[+-]?\d{1,3})?%?)?$/iu;

/**
 * A cell as text to a spreadsheet: one that would be computed begins with an apostrophe, and so does every part of it
 * that could become a cell of its own. Numbers, and so phone numbers, stay as they are.
 */
export function spreadsheetText(cell: string): string {
  if (!ANY_SIGN.test(cell) || NUMBER.test(cell.trim())) return cell;
  const text = cell.replace(BEGINNING, "$1'");
  return text === cell || text.startsWith("'") ? text : `'${text}`;
}

/**
 * Like BEGINNING, but also matches parts that already have apostrophes: otherwise a quoting could not be undone
 * exactly.
 */
const QUOTED_BEGINNING = new RegExp(`(^|${SEPARATOR})(?='*${DROPPED}*${SIGN})`, "gv");
const BEGINS = new RegExp(`^'*${DROPPED}*${SIGN}`, "v");
const QUOTE = new RegExp(`(${SEPARATOR})'(?='*${DROPPED}*${SIGN})`, "gv");

/** A cell that spreadsheets treat as text; `unquotedText` restores it exactly. */
export function quotedText(cell: string): string {
  if (!ANY_SIGN.test(cell) || NUMBER.test(cell.trim())) return cell;
  const text = cell.replace(QUOTED_BEGINNING, "$1'");
  return text === cell || BEGINS.test(cell) ? text : `'${text}`;
}

/** Undoes `quotedText`; any other text stays as it is. */
export function unquotedText(text: string): string {
  if (!text.startsWith("'")) return text;
  const cell = text.slice(1).replace(QUOTE, "$1");
  return quotedText(cell) === text ? cell : text;
}
