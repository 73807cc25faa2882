import { and, type SQL, sql } from "drizzle-orm";

/** Returns the conjunction of the conditions; ignores undefined ones. */
export function all(...conditions: (SQL | undefined)[]): SQL {
  return and(...conditions) ?? sql`true`;
}
