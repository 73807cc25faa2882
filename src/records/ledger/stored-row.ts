import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Converts a row with all columns of a table, as plain SQL returns it, to the types of the table's schema. */
export function storedRow<T extends SQLiteTable>(table: T, stored: Record<string, unknown>): T["$inferSelect"] {
  const columns = Object.entries(getTableColumns(table));
  const values = columns.map(([name, column]) => {
    const value = stored[column.name] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(values);
}
