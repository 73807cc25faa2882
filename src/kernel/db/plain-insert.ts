import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountTable } from "./account-table.ts";
import { PlainStatement } from "./plain-statement.ts";
import { driverValue } from "./upsert-many.ts";

interface Shape {
  sql: string;
  columns: [key: string, column: SQLiteColumn][];
}

/** One for each table: building the statement of a wide table takes longer than many requests' whole own work. */
const shapes = new WeakMap<AccountTable, Shape | null>();

/**
 * Returns an insert of one row as the database's batch takes it, with text that was built once; null if the row or the
 * table's defaults contain expressions, which are part of the text.
 */
export function plainInsert(table: AccountTable, row: Record<string, unknown>) {
  const shape = shapes.get(table) ?? shapeOf(table);
  shapes.set(table, shape);
  if (shape === null) return null;
  const params: unknown[] = [];
  for (const [key, column] of shape.columns) {
    const value = row[key] === undefined ? column.default : row[key];
    if (is(value, SQL)) return null;
    params.push(driverValue(column, value));
  }
  return new PlainStatement({ sql: shape.sql, params });
}

function shapeOf(table: AccountTable): Shape | null {
  const columns = Object.entries<SQLiteColumn>(getTableColumns(table));
  if (columns.some(([, { defaultFn, onUpdateFn }]) => defaultFn || onUpdateFn)) return null;
  const names = columns.map(([, { name }]) => `"${name}"`).join(", ");
  const sql = `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => "?").join(", ")})`;
  return { sql, columns };
}
