import { and, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Returns the condition that one of the columns contains the text literally, ignoring the case of ASCII letters. LIKE
 * is not used because D1 refuses patterns of more than 50 bytes.
 */
export function contains(columns: SQLiteColumn[], text: string | undefined): SQL | undefined {
  if (text === undefined || text === "") return undefined;
  return or(...columns.map((column) => sql`instr(lower(${column}), lower(${text})) > 0`));
}

/**
 * Returns the condition that a lower-case column begins with the text. It is a range, so that an index can serve it.
 */
export function beginsWith(column: SQLiteColumn, text: string | undefined): SQL | undefined {
  if (text === undefined || text === "") return undefined;
  const prefix = text.toLowerCase();
  return and(gte(column, prefix), lt(column, `${prefix}\u{10ffff}`));
}
