import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Returns SQL that sets the given fields in a JSON column of the row as it is at the time of the write. It uses one
 * parameter, because a statement accepts at most 100. It keeps the order of the fields, so that unchanged values are
 * recognized.
 */
export function mergedJson(column: SQLiteColumn, given: object): SQL {
  const ofField = (object: unknown) => sql`${object} -> ('$.' || key)`;
  const value = sql`json(coalesce(${ofField(JSON.stringify(given))}, ${ofField(column)}))`;
  return sql`(SELECT json_group_object(key, ${value}) FROM json_each(${column}))`;
}
