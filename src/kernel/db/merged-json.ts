import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * A column of JSON with the fields that are given set, over the row as the write finds it. It has one variable, as a
 * statement of D1 takes 100, and keeps the order of the fields, by which an unchanged value is recognized.
 */
export function mergedJson(column: SQLiteColumn, given: object): SQL {
  const ofField = (object: unknown) => sql`${object} -> ('$.' || key)`;
  const value = sql`json(coalesce(${ofField(JSON.stringify(given))}, ${ofField(column)}))`;
  return sql`(SELECT json_group_object(key, ${value}) FROM json_each(${column}))`;
}
