import { and, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Rows one of whose columns holds the text, in either case; what the text says is literal, wildcards too. */
export function contains(columns: SQLiteColumn[], text: string | undefined): SQL | undefined {
  if (text === undefined || text === "") return undefined;
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`));
}

/** Rows whose column, all lower case, begins with the text: a range, so that an index serves it. */
export function beginsWith(column: SQLiteColumn, text: string | undefined): SQL | undefined {
  if (text === undefined || text === "") return undefined;
  const prefix = text.toLowerCase();
  return and(gte(column, prefix), lt(column, `${prefix}\u{10ffff}`));
}
