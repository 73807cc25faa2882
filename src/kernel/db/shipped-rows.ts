import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { v7 as uuidv7 } from "uuid";
import type { AccountTable, PlainRow } from "./account-table.ts";
import { driverValue } from "./upsert-many.ts";

/**
 * Rows of one table that every new account receives. They are serialized once, because serializing them for each
 * account would take longer than inserting them. Ids, and the columns `common` to all rows, are added for each account.
 */
export class ShippedRows<T extends AccountTable, C extends keyof PlainRow<T> & string> {
  readonly table: T;
  /**
   * The position of each column's value in a row of `withIds`, in the order of the table; null for columns that are
   * added.
   */
  readonly #columns: [key: string, column: SQLiteColumn, value: SQL | null][];
  /** For each row, the JSON array of its values without the opening bracket, before which the id is inserted. */
  readonly #values: string[];

  constructor(table: T, rows: readonly Omit<PlainRow<T>, C | "id">[], common: readonly C[]) {
    this.table = table;
    const added = new Set<string>(["account", ...common]);
    const columns = Object.entries<SQLiteColumn>(getTableColumns(table));
    const own = columns.filter(([key]) => !added.has(key) && key !== "id");
    const order = ["id", ...own.map(([key]) => key)];
    this.#columns = columns.map(([key, column]) => {
      return [key, column, added.has(key) ? null : sql.raw(`value ->> ${order.indexOf(key)}`)];
    });
    this.#values = rows.map((row) => {
      const record: Record<string, unknown> = row;
      return JSON.stringify(own.map(([key, column]) => driverValue(column, record[key]))).slice(1);
    });
  }

  /**
   * Returns a `SELECT` of the rows, each with an id created at `now` (ms) and the added columns: the account and those
   * common to all rows.
   */
  select(now: number, added: Record<string, unknown>): SQL {
    const picks = this.#columns.map(([key, column, value]) => value ?? sql`${driverValue(column, added[key])}`);
    const rows = `[${this.#values.map((values) => `["${uuidv7({ msecs: now })}",${values}`).join(",")}]`;
    return sql`SELECT ${sql.join(picks, sql`, `)} FROM json_each(${rows})`;
  }
}
