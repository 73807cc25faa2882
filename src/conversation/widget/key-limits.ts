import { type SQL, sql } from "drizzle-orm";
import { DEFAULT_KEY_LIMITS, type KeyLimits } from "../../account/meter/key-limits.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";

/** A limit that a request sets; null lifts it. */
export interface LimitChange {
  name: keyof KeyLimits;
  limit: number | null;
}

/** The limits that a body sets. */
export function limitChanges(limits: { [Name in keyof KeyLimits]?: number | null | undefined }): LimitChange[] {
  const names = Object.keys(DEFAULT_KEY_LIMITS) as (keyof KeyLimits)[];
  return names.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [{ name, limit }];
  });
}

/** Whether a new key with these limits lets strangers use more than the defaults. */
export function exceedsDefault(set: LimitChange[]): boolean {
  return set.some(({ name, limit }) => limit === null || limit > (DEFAULT_KEY_LIMITS[name] ?? Infinity));
}

/** A condition on a key's row: one of these limits exceeds both its default and its present value. */
export function isRaised(set: LimitChange[]): SQL {
  const raised = set.map(({ name, limit }) => {
    const present = presentLimit(name);
    // A limit that is lifted cannot be raised, and lifting it again changes nothing.
    if (limit === null) return sql`${present} IS NOT NULL`;
    return exceedsDefault([{ name, limit }]) ? sql`coalesce(${present} < ${limit}, false)` : sql`false`;
  });
  return sql.join(raised, sql` OR `);
}

/**
 * The key's limits with these changed: null lifts one, where a merge patch would remove it. A limit that is in effect already
 * is not stored, so that a default that is sent back stays one.
 */
export function withLimits(set: LimitChange[]): SQL {
  const changes = set.map(({ name, limit }) => {
    // Set under a name that no limit has, which is removed.
    const path = sql`iif(${presentLimit(name)} IS ${limit}, '$."-"', ${`$.${name}`})`;
    return sql`${path}, json(${JSON.stringify(limit)})`;
  });
  return sql`json_remove(json_set(${widgetKeys.limits}, ${sql.join(changes, sql`, `)}), '$."-"')`;
}

/** The limit in effect: SQL's NULL if it is lifted, its default if none was set. */
function presentLimit(name: keyof KeyLimits): SQL {
  const path = `$.${name}`;
  return sql`CASE WHEN json_type(${widgetKeys.limits}, ${path}) IS NULL THEN ${DEFAULT_KEY_LIMITS[name]} ELSE json_extract(${widgetKeys.limits}, ${path}) END`;
}
