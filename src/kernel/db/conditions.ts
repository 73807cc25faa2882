import { and, type SQL, sql } from "drizzle-orm";

/** The conjunction of the conditions; undefined ones are left out. */
export function all(...conditions: (SQL | undefined)[]): SQL {
  return and(...conditions) ?? sql`true`;
}
