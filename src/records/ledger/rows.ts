import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { storedRow } from "./stored-row.ts";

export type LedgerTable = SQLiteTable & { $inferSelect: { id: string } };

/**
 * Reads and writes rows of one table by id. The text of the SQL never changes, because building a statement for each
 * row of a batch costs more than running it.
 */
export class Rows<T extends LedgerTable> {
  readonly #sql: SqlStorage;
  readonly #table: T;
  readonly #columns;
  readonly #select: string;
  readonly #insert: string;
  readonly #name: string;

  constructor(sql: SqlStorage, table: T) {
    this.#sql = sql;
    this.#table = table;
    this.#name = getTableName(table);
    this.#columns = Object.entries(getTableColumns(table));
    const names = this.#columns.map(([, { name }]) => name).join(", ");
    const marks = this.#columns.map(() => "?").join(", ");
    this.#select = `SELECT ${names} FROM ${this.#name} WHERE id = ?`;
    this.#insert = `INSERT INTO ${this.#name} (${names}) VALUES (${marks})`;
  }

  get(id: string): T["$inferSelect"] | null {
    const [row] = this.#sql.exec(this.#select, id).toArray();
    return row ? storedRow(this.#table, row) : null;
  }

  /** Inserts `after`, or updates the columns that differ from `before`. Returns whether anything was written. */
  put(before: T["$inferSelect"] | null, after: T["$inferSelect"]): boolean {
    const values = this.#valuesOf(after);
    if (before === null) {
      this.#sql.exec(this.#insert, ...values);
      return true;
    }
    const old = this.#valuesOf(before);
    const changed = this.#columns.flatMap(([, { name }], i) => (values[i] === old[i] ? [] : [{ name, i }]));
    if (changed.length === 0) return false;
    const set = changed.map(({ name }) => `${name} = ?`).join(", ");
    this.#sql.exec(
      `UPDATE ${this.#name} SET ${set} WHERE id = ?`,
      ...changed.map(({ i }) => values[i] ?? null),
      after.id,
    );
    return true;
  }

  #valuesOf(row: Record<string, unknown>): SqlStorageValue[] {
    return this.#columns.map(([field, column]) => {
      const value = row[field] ?? null;
      return value === null ? null : (column.mapToDriverValue(value) as SqlStorageValue);
    });
  }
}
