import { and, type SQL, sql } from "drizzle-orm";

/** All of the conditions; an undefined one asks for nothing. */
export function all(...conditions: (SQL | undefined)[]): SQL {
  return and(...conditions) ?? sql`true`;
}
