import { type SQL, sql } from "drizzle-orm";
import { DEFAULT_KEY_LIMITS } from "../../account/meter/key-limits.ts";
import { all } from "../../kernel/db/conditions.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";

/**
 * Whether these limits let strangers spend no more than the row allows already, as a condition of the write: each is at
 * most its default or its present value. Null lifts a limit, so it must be lifted already.
 */
export function raisesNone(limits: readonly { name: string; limit: number | null }[]): SQL | undefined {
  return all(...limits.map(({ name, limit }) => raisesNot(name, limit)));
}

function raisesNot(name: string, limit: number | null): SQL {
  const path = `$.${name}`;
  const isLifted = sql`coalesce(json_type(${widgetKeys.limits}, ${path}), '') = 'null'`;
  if (limit === null) return isLifted;
  const ordinary = Object.entries(DEFAULT_KEY_LIMITS).find(([known]) => known === name)?.[1] ?? 0;
  return sql`(${isLifted} OR ${limit} <= max(${ordinary}, coalesce(json_extract(${widgetKeys.limits}, ${path}), 0)))`;
}
