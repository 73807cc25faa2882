/** Characters that make a spreadsheet evaluate a cell, including full-width and half-width forms. */
const SIGN = "[=+\\-@＝＋－＠﹦﹢﹣﹫−]";
const LINE_BREAK = "[\\n\\r\\v\\f\\x85\\u2028\\u2029]";
/** Characters that start a new cell in programs that use another separator or ignore quotes. */
const SEPARATOR = `[${LINE_BREAK}\\t,;\\|]`;
/** Characters that programs strip from the beginning of a cell: white space, invisible characters, quotes. */
const DROPPED = `[[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800"]--${SEPARATOR}]`;

const ANY_SIGN = new RegExp(SIGN, "v");
const BEGINNING = new RegExp(`(^|${SEPARATOR})(?=${DROPPED}*${SIGN})`, "gv");
/** Matches a signed number or a sign alone, which spreadsheets don't evaluate. */
const NUMBER = /^[+-](\d[\d\p{Zs}.,]*(e[+-]?\d{1,3})?%?)?$/iu;

/**
 * Returns a cell that spreadsheets don't evaluate. It puts an apostrophe before a formula, and before every part of the
 * cell that could become a formula in a cell of its own. Numbers, including phone numbers, are unchanged.
 */
export function spreadsheetText(cell: string): string {
  if (!ANY_SIGN.test(cell) || NUMBER.test(cell.trim())) return cell;
  const text = cell.replace(BEGINNING, "$1'");
  return text === cell || text.startsWith("'") ? text : `'${text}`;
}

/** Also matches parts that already have apostrophes, so that quoting can be undone exactly. */
const QUOTED_BEGINNING = new RegExp(`(^|${SEPARATOR})(?='*${DROPPED}*${SIGN})`, "gv");
const BEGINS = new RegExp(`^'*${DROPPED}*${SIGN}`, "v");
const QUOTE = new RegExp(`(${SEPARATOR})'(?='*${DROPPED}*${SIGN})`, "gv");

/** Quotes a cell so that spreadsheets treat it as text. `unquotedText` restores it exactly. */
export function quotedText(cell: string): string {
  if (!ANY_SIGN.test(cell) || NUMBER.test(cell.trim())) return cell;
  const text = cell.replace(QUOTED_BEGINNING, "$1'");
  return text === cell || BEGINS.test(cell) ? text : `'${text}`;
}

/** Undoes `quotedText`. Returns any other text unchanged. */
export function unquotedText(text: string): string {
  if (!text.startsWith("'")) return text;
  const cell = text.slice(1).replace(QUOTE, "$1");
  return quotedText(cell) === text ? cell : text;
}
