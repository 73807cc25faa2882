import Papa from "papaparse";
import { beginningOf } from "../kernel/http/plain-text.ts";
import { unquotedText } from "../kernel/rendering/spreadsheet-text.ts";
import { columnKey, columnRole, isOfSkippedRows, MAX_COLUMNS, MAX_ROW_CHARS } from "./columns.ts";
import { cellsAsSent } from "./line-breaks.ts";

/** The file as a whole cannot be used; the message tells its owner why. */
export class InvalidCsv extends Error {}

/** How the columns of a list are to be read, each named by its place in the header. */
export interface Layout {
  delimiter: string;
  /** The names of all columns. */
  header: string[];
  phone: number;
  /** -1 where there is none. */
  timezone: number;
  /** The columns that are variables. */
  variables: number[];
  /** Columns of a list of skipped rows, made by the service, with the cells that a row had too many. */
  extra: number[];
  /** Made for a spreadsheet by the service, which is to take it back as it was before. */
  isQuoted: boolean;
  /** How many columns are the owner's. */
  fields: number;
}

const DELIMITERS = [",", ";", "\t", "|"];
/** What the column of the numbers may be called where none is called `phone_number`. */
const LIKE_PHONE_NUMBER = ["phone", "mobile", "number", "telephone"];
/** How many columns an error names, and how many characters of each. */
const NAMED_COLUMNS = 20;
const NAMED_CHARS = 40;

/**
 * Reads the header at the start of a text: the delimiter is the one that finds a column of numbers, and of several the
 * one that finds the most columns. @param delimiter where the file names it @throws InvalidCsv
 */
export function readHeader(text: string, delimiter?: string): Layout {
  const start = text.replace(/^\ufeff/, "").slice(0, 2 * MAX_ROW_CHARS);
  const candidates = (delimiter === undefined ? DELIMITERS : [delimiter]).map((sign) => {
    const row = firstRow(start, sign);
    const isQuoted = isOfSkippedRows(row);
    const names = row.map((name, i) => (isQuoted ? unquotedText(name) : name).trim() || `column_${i + 1}`);
    return { delimiter: sign, isQuoted, names, phones: phoneColumns(names.map(columnKey)) };
  });
  const { names, phones, ...found } = candidates.reduce((best, next) => {
    const [has, had] = [next.phones.length > 0, best.phones.length > 0];
    return (has === had ? next.names.length > best.names.length : has) ? next : best;
  });
  if (names.reduce((size, name) => size + name.length, 0) > MAX_ROW_CHARS)
    throw new InvalidCsv(`line 1: longer than ${MAX_ROW_CHARS} characters`);
  const columns = (role: ReturnType<typeof columnRole>) =>
    names.flatMap((name, i) => (columnRole(name) === role ? [i] : []));
  const own = columns("own");
  if (own.length > MAX_COLUMNS)
    throw new InvalidCsv(`the header has ${own.length} columns; the maximum is ${MAX_COLUMNS}`);
  const keys = names.map(columnKey);
  const [phone, ...others] = phones;
  if (phone === undefined)
    throw new InvalidCsv(`the header must have a column named phone_number; its columns are ${named(names)}`);
  if (others.length > 0) {
    const several = named(phones.map((i) => names[i] ?? ""));
    throw new InvalidCsv(
      `the header has no column named phone_number, and several that could be it: ${several}; rename the one to dial to phone_number`,
    );
  }
  const repeated = names.find((_, i) => keys.indexOf(keys[i] ?? "") < i);
  if (repeated !== undefined)
    throw new InvalidCsv(`the header has the column ${beginningOf(repeated, NAMED_CHARS)} twice`);
  return {
    delimiter: found.delimiter,
    header: names,
    phone,
    timezone: keys.indexOf("timezone"),
    variables: own.filter((i) => i !== phone),
    extra: columns("extra"),
    isQuoted: found.isQuoted,
    fields: own.length,
  };
}

/** The columns that may hold the numbers: the one of that name, or all that are called alike. */
function phoneColumns(keys: string[]): number[] {
  const exact = keys.indexOf("phone_number");
  if (exact !== -1) return [exact];
  return keys.flatMap((key, i) => (LIKE_PHONE_NUMBER.includes(key) ? [i] : []));
}

function named(names: string[]): string {
  const shown = names.slice(0, NAMED_COLUMNS).map((name) => beginningOf(name, NAMED_CHARS));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function firstRow(text: string, delimiter: string): string[] {
  const { data } = Papa.parse<string[]>(text, { delimiter, newline: "\n", preview: 1 });
  return cellsAsSent(data[0] ?? []);
}
