import { conflict, invalid } from "../http/errors.ts";
import { MAX_TEXT_BYTES } from "../http/fields.ts";
import type { Border, Cell, TableRows } from "./declared.ts";

type JsonKind = "list" | "object" | "structure";

/** What a restored cell of a column must be. */
export interface RestoredColumn {
  name: string;
  type: "text" | "integer" | "real";
  isNullable: boolean;
  isKey: boolean;
  /** Whether a row may leave the column out. */
  hasDefault: boolean;
  /** The kind of JSON that a text holds, where `structure` is a list or an object; undefined for plain text. */
  json?: JsonKind;
  /** Whether a number may be negative. */
  isSigned?: boolean;
  /** The only values, if there are few. */
  values?: readonly Cell[] | undefined;
  /** What the API takes for the field, if it is one of the API's; the value of JSON is judged parsed. */
  border?: Border | undefined;
}

/** What a table accepts from a backup. */
export interface RestoredTable {
  table: string;
  columns: readonly RestoredColumn[];
  /** Values that are written in place of the backup's, by column. */
  forced: Readonly<Record<string, Cell>>;
}

/** The most UTF-16 code units of a key, such as an id or a name that others refer to. */
const KEY_CHARS = 1_000;
/** The most UTF-16 code units of an id, a hash or the name of a person or thing that a row refers to. */
const REFERENCE_CHARS = 1_000;
/** The most UTF-16 code units of a cell with JSON: D1 stores no more than 2 MB in a row. */
const JSON_CHARS = 2_000_000;
/** Names of columns that hold a reference; what is sealed holds more. */
const REFERENCE = /(^|_)(id|by|key|hash|name|type|kind|actor|last8)$/;
/** No count, time (ms), size or phone number is larger, and what is counted on from here stays exact. */
const LARGEST = 2 ** 52;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z)?$/;

/**
 * Returns the rows with the forced columns in place. A backup is a stranger's input: whoever has its passphrase can change
 * it, and anybody can make one.
 * @throws ApiError 409 for an unknown column; 400 for a row or cell that the table cannot hold
 */
export function restoredRows({ table, columns: known, forced }: RestoredTable, page: TableRows): TableRows {
  const byName = new Map(known.map((column) => [column.name, column]));
  const columns = page.columns.map((name) => {
    const column = byName.get(name);
    if (!column) throw conflict("newer_release", `${table} has no such columns here`);
    return column;
  });
  if (new Set(page.columns).size < columns.length) throw refused(table, "a column is there twice");
  const named = new Set([...page.columns, ...Object.keys(forced)]);
  const missing = known.find(({ name, hasDefault }) => !hasDefault && !named.has(name));
  if (missing) throw refused(table, `${missing.name} is missing`);
  const taken = columns.flatMap((column, at) => (column.name in forced ? [] : [{ column, at }]));
  const rows = page.rows.map((row) => {
    if (row.length !== columns.length) throw refused(table, "a row has not as many cells as there are columns");
    const cells = taken.map(({ column, at }) => {
      const cell = row[at] ?? null;
      if (!isCellOf(column, cell)) throw refused(table, `${column.name} is not what it can be`);
      return cell;
    });
    return [...cells, ...Object.values(forced)];
  });
  return { table, columns: [...taken.map(({ column }) => column.name), ...Object.keys(forced)], rows };
}

const refused = (table: string, why: string) => invalid(`rows of ${table}: ${why}`, "invalid_rows");

/** Whether the column can hold the cell. */
export function isCellOf(column: RestoredColumn, cell: Cell): boolean {
  const { name, type, isNullable, json, isSigned = false, values, border } = column;
  if (cell === null) return isNullable;
  if (values && !values.includes(cell)) return false;
  if (type !== "text") {
    if (typeof cell !== "number" || (type !== "real" && !Number.isInteger(cell))) return false;
    // A column with few values, such as a boolean, is stored otherwise than it is sent.
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
    // The field's own schema says more than that it is structured: an agent's disclosure may be a word.
    if (kind === "structure" && border !== undefined) return border.safeParse(value).success;
    if (typeof value !== "object" || value === null) return false;
    if (kind !== "structure" && Array.isArray(value) !== (kind === "list")) return false;
    return border === undefined || border.safeParse(value).success;
  } catch {
    return false;
  }
}
