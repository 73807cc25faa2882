import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Returns SQL that sets the given fields in a JSON column, on the row as the write finds it. It uses one parameter,
 * because a statement takes at most 100, and keeps the order of the fields, by which unchanged values are recognised.
 */
export function mergedJson(column: SQLiteColumn, given: object): SQL {
  const ofField = (object: unknown) => sql`${object} -> ('$.' || key)`;
  const value = sql`json(coalesce(${ofField(JSON.stringify(given))}, ${ofField(column)}))`;
  return sql`(SELECT json_group_object(key, ${value}) FROM json_each(${column}))`;
}
