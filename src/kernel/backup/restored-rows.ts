import { conflict, invalid } from "../http/errors.ts";
import { MAX_TEXT_BYTES } from "../http/fields.ts";
import type { Border, Cell, TableRows } from "./declared.ts";

type JsonKind = "list" | "object" | "structure";

/** The requirements for the cells of a column. */
export interface RestoredColumn {
  name: string;
  type: "text" | "integer" | "real";
  isNullable: boolean;
  isKey: boolean;
  /** Whether a row may omit the column. */
  hasDefault: boolean;
  /** The kind of JSON in a text column. `structure` is a list or an object; undefined means plain text. */
  json?: JsonKind;
  /** Whether a number may be negative. */
  isSigned?: boolean;
  /** The complete list of values, if there is one. */
  values?: readonly Cell[] | undefined;
  /** The API's schema of the field, if requests can set it. JSON is parsed before it is checked. */
  border?: Border | undefined;
}

/** The rules for what a table accepts from a backup. */
export interface RestoredTable {
  table: string;
  columns: readonly RestoredColumn[];
  /** The values, by column, that replace those of the backup. */
  forced: Readonly<Record<string, Cell>>;
}

/** The maximum length of a key, such as an id or a name to which others refer, UTF-16 code units. */
const KEY_CHARS = 1_000;
/** The maximum length of an id, a hash or a name to which a row refers, UTF-16 code units. */
const REFERENCE_CHARS = 1_000;
/** The maximum length of a cell with JSON, UTF-16 code units. D1 stores at most 2 MB in a row. */
const JSON_CHARS = 2_000_000;
/** Matches the names of columns that contain references. Sealed columns are longer. */
const REFERENCE = /(^|_)(id|by|key|hash|name|type|kind|actor|last8)$/;
/** The maximum value of counts, times (ms), sizes and phone numbers. Sums of such numbers are still exact. */
const LARGEST = 2 ** 52;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z)?$/;

/**
 * Checks the rows of a page and sets the forced columns. Backups are untrusted, because anyone can make one, and anyone
 * with its passphrase can change it.
 * @throws ApiError 409 for an unknown column; 400 for a row or cell that the table cannot hold
 */
export function restoredRows({ table, columns: known, forced }: RestoredTable, page: TableRows): TableRows {
  const byName = new Map(known.map((column) => [column.name, column]));
  const columns = page.columns.map((name) => {
    const column = byName.get(name);
    if (!column) throw conflict("newer_release", `${table} has no such columns`);
    return column;
  });
  if (new Set(page.columns).size < columns.length) throw refused(table, "a column occurs twice");
  const named = new Set([...page.columns, ...Object.keys(forced)]);
  const missing = known.find(({ name, hasDefault }) => !hasDefault && !named.has(name));
  if (missing) throw refused(table, `${missing.name} is missing`);
  const taken = columns.flatMap((column, at) => (column.name in forced ? [] : [{ column, at }]));
  const rows = page.rows.map((row) => {
    if (row.length !== columns.length) throw refused(table, "a row does not have one cell for each column");
    const cells = taken.map(({ column, at }) => {
      const cell = row[at] ?? null;
      if (!isCellOf(column, cell)) throw refused(table, `${column.name} has an invalid value`);
      return cell;
    });
    return [...cells, ...Object.values(forced)];
  });
  return { table, columns: [...taken.map(({ column }) => column.name), ...Object.keys(forced)], rows };
}

const refused = (table: string, why: string) => invalid(`rows of ${table}: ${why}`, "invalid_rows");

export function isCellOf(column: RestoredColumn, cell: Cell): boolean {
  const { name, type, isNullable, json, isSigned = false, values, border } = column;
  if (cell === null) return isNullable;
  if (values && !values.includes(cell)) return false;
  if (type !== "text") {
    if (typeof cell !== "number" || (type !== "real" && !Number.isInteger(cell))) return false;
    // Columns with a fixed list of values, such as booleans, are stored in another form than in the API.
    if (border !== undefined && values === undefined) return border.safeParse(cell).success;
    return cell >= (isSigned ? -LARGEST : 0) && cell <= LARGEST;
  }
  if (typeof cell !== "string" || cell.length > mostChars(column)) return false;
  if (json !== undefined) return isJson(cell, json, border);
  if ((name === "at" || name.endsWith("_at")) && !TIME.test(cell)) return false;
  return border === undefined || border.safeParse(cell).success;
}

function mostChars({ name, isKey, json }: RestoredColumn): number {
  if (isKey) return KEY_CHARS;
  if (json !== undefined) return JSON_CHARS;
  return REFERENCE.test(name) ? REFERENCE_CHARS : MAX_TEXT_BYTES;
}

function isJson(text: string, kind: JsonKind, border: Border | undefined): boolean {
  try {
    const value: unknown = JSON.parse(text);
    // The field's schema may also accept plain values: for example, an agent's disclosure can be a word.
    if (kind === "structure" && border !== undefined) return border.safeParse(value).success;
    if (typeof value !== "object" || value === null) return false;
    if (kind !== "structure" && Array.isArray(value) !== (kind === "list")) return false;
    return border === undefined || border.safeParse(value).success;
  } catch {
    return false;
  }
}
