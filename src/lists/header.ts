import Papa from "papaparse";
import { unquotedText } from "../kernel/rendering/spreadsheet-text.ts";
import {
  columnKey,
  columnRole,
  isOfSkippedRows,
  MAX_COLUMNS,
  MAX_FILE_COLUMNS,
  MAX_ROW_CHARS,
  zoneColumns,
} from "./columns.ts";
import { type ColumnNames, listed, nameColumns, short } from "./corrections.ts";
import { InvalidCorrections, InvalidCsv } from "./invalid-csv.ts";
import { cellsAsSent } from "./line-breaks.ts";

/** The columns of a list, as positions in the header. */
export interface Layout {
  delimiter: string;
  sent: string[];
  /** The positions of the used columns in the file; null if all are used. */
  used: number[] | null;
  /** The names of the used columns. The positions below refer to this list. */
  header: string[];
  phone: number;
  /** The position of the time zone column; -1 if there is none. */
  timezone: number;
  /** The positions of the columns that become variables. */
  variables: number[];
  /** Columns for surplus cells, which the service adds to a list of skipped rows. */
  extra: number[];
  /** Whether the service quoted the cells for a spreadsheet. They are then unquoted when they are read. */
  isQuoted: boolean;
  /** The number of columns that belong to the owner. */
  fields: number;
}

const DELIMITERS = [",", ";", "\t", "|"];
/** The names of the phone column that are accepted if no column is called `phone_number`. */
const LIKE_PHONE_NUMBER = ["phone", "mobile", "number", "telephone"];

/**
 * Parses the header at the start of a text. The delimiter is the one with which a phone column is found; of several,
 * the one with the most columns.
 * @param delimiter the delimiter, if the file names it
 * @param columns the columns of the fields
 * @throws InvalidCsv
 */
export function readHeader(text: string, delimiter: string | undefined, columns: ColumnNames): Layout {
  const start = text.replace(/^\ufeff/, "").slice(0, 2 * MAX_ROW_CHARS);
  const candidates = (delimiter === undefined ? DELIMITERS : [delimiter]).map((sign) => {
    const row = firstRow(start, sign);
    const isQuoted = isOfSkippedRows(row);
    const sent = row.map((name, i) => (isQuoted ? unquotedText(name) : name).trim() || `column_${i + 1}`);
    const named = nameColumns(sent, columns);
    return { delimiter: sign, isQuoted, sent, named, phones: phoneColumns(named.names.map(columnKey)) };
  });
  const { sent, named, phones, ...found } = candidates.reduce((best, next) => (isBetter(next, best) ? next : best));
  if (sent.reduce((size, name) => size + name.length, 0) > MAX_ROW_CHARS)
    throw new InvalidCsv(`line 1: longer than ${MAX_ROW_CHARS} characters`);
  if (sent.length > MAX_FILE_COLUMNS)
    throw new InvalidCsv(`the header has ${sent.length} columns; the maximum is ${MAX_COLUMNS}`);
  if (named.problems.length > 0) throw new InvalidCorrections(named.problems);
  const { names, positions } = named;
  const withRole = (role: ReturnType<typeof columnRole>) =>
    names.flatMap((name, i) => (columnRole(name) === role ? [i] : []));
  const own = withRole("own");
  if (own.length > MAX_COLUMNS)
    throw new InvalidCsv(`the header has ${own.length} columns; the maximum is ${MAX_COLUMNS}`);
  const keys = names.map(columnKey);
  const [phone, ...others] = phones;
  if (phone === undefined)
    throw new InvalidCsv(
      `the header must have a column named phone_number; its columns are ${listed(names)}${likely(names)}`,
    );
  if (others.length > 0) {
    const several = listed(phones.map((i) => names[i] ?? ""));
    throw new InvalidCsv(
      `the header has no column named phone_number, and several that could be it: ${several}; rename the one to dial to phone_number`,
    );
  }
  const zones = zoneColumns(names);
  if (zones.length > 1) {
    const several = listed(zones.map((i) => names[i] ?? ""));
    throw new InvalidCsv(
      `the header has no column named timezone, and several that could be it: ${several}; rename the one to use to timezone`,
    );
  }
  const seen = new Set<string>();
  const repeated = names.find((_, i) => seen.size === seen.add(keys[i] ?? "").size);
  if (repeated !== undefined) throw new InvalidCsv(`the header has the column ${short(repeated)} twice`);
  return {
    delimiter: found.delimiter,
    sent,
    used: positions.length === sent.length ? null : positions,
    header: names,
    phone,
    timezone: zones[0] ?? -1,
    variables: own.filter((i) => i !== phone),
    extra: withRole("extra"),
    isQuoted: found.isQuoted,
    fields: own.length,
  };
}

/** Returns the columns that may contain the numbers: `phone_number`, otherwise all columns with a similar name. */
function phoneColumns(keys: string[]): number[] {
  const exact = keys.indexOf("phone_number");
  if (exact !== -1) return [exact];
  return keys.flatMap((key, i) => (LIKE_PHONE_NUMBER.includes(key) ? [i] : []));
}

/** Words in the names of phone columns, in the languages of customers' spreadsheets. */
const OF_PHONES =
  /phone|mobil|cell|handy|^tel\b|^tel[^a-z]|telef|t[eé]l[eé]ph|celular|portable|whats ?app|rufn|nummer|number|n[uú]mero|msisdn|电话|手机|電話|携帯/iu;

/** Lists the columns whose names suggest phone numbers, as the end of a message; "" if there are none. */
function likely(names: string[]): string {
  const found = names.filter((name) => OF_PHONES.test(name));
  if (found.length === 0) return "";
  return `; ${found.length === 1 ? "this looks" : "these look"} like phone numbers: ${listed(found)}: rename the one to dial to phone_number`;
}

interface Candidate {
  sent: string[];
  named: { problems: unknown[] };
  phones: number[];
}

/**
 * Checks whether one way to split the header is better than another. The first criterion is whether every column to be
 * renamed exists, the second whether there is a phone column, and the third the number of columns.
 */
function isBetter(a: Candidate, b: Candidate): boolean {
  const [fits, fitted] = [a, b].map(({ named }) => named.problems.length === 0);
  if (fits !== fitted) return fits === true;
  const [has, had] = [a, b].map(({ phones }) => phones.length > 0);
  return has === had ? a.sent.length > b.sent.length : has === true;
}

function firstRow(text: string, delimiter: string): string[] {
  const { data } = Papa.parse<string[]>(text, { delimiter, newline: "\n", preview: 1 });
  return cellsAsSent(data[0] ?? []);
}
