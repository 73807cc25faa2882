import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** A column of JSON with the fields that are given set, over the row as the write finds it. */
export function mergedJson(column: SQLiteColumn, given: object): SQL {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const pairs = set.map(([field, value]) => sql`, ${`$.${field}`}, json(${JSON.stringify(value)})`);
  return pairs.length === 0 ? sql`${column}` : sql`json_set(${column}${sql.join(pairs)})`;
}
