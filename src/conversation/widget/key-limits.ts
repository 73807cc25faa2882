import { type SQL, sql } from "drizzle-orm";
import { DEFAULT_KEY_LIMITS, type KeyLimits } from "../../account/meter/key-limits.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";

/** A limit that a request sets; null removes it. */
export interface LimitChange {
  name: keyof KeyLimits;
  limit: number | null;
}

/** Returns the limits that a body sets. */
export function limitChanges(limits: { [Name in keyof KeyLimits]?: number | null | undefined }): LimitChange[] {
  const names = Object.keys(DEFAULT_KEY_LIMITS) as (keyof KeyLimits)[];
  return names.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [{ name, limit }];
  });
}

/** Checks whether a new key with these limits allows strangers to use more than the defaults. */
export function exceedsDefault(set: LimitChange[]): boolean {
  return set.some(({ name, limit }) => limit === null || limit > (DEFAULT_KEY_LIMITS[name] ?? Infinity));
}

/** Returns the SQL condition on a key's row that one of these limits exceeds both its default and its present value. */
export function isRaised(set: LimitChange[]): SQL {
  const raised = set.map(({ name, limit }) => {
    const present = presentLimit(name);
    // A removed limit cannot be raised, and removing it again changes nothing.
    if (limit === null) return sql`${present} IS NOT NULL`;
    return exceedsDefault([{ name, limit }]) ? sql`coalesce(${present} < ${limit}, false)` : sql`false`;
  });
  return sql.join(raised, sql` OR `);
}

/**
 * Returns the key's limits with these changes. Null removes a limit, where a merge patch would reset it. A limit that
 * is already in effect is not stored, so that a default that is sent back stays a default.
 */
export function withLimits(set: LimitChange[]): SQL {
  const changes = set.map(({ name, limit }) => {
    // For an unchanged limit, the path has a name that no limit has. It is set and then removed.
    const path = sql`iif(${presentLimit(name)} IS ${limit}, '$."-"', ${`$.${name}`})`;
    return sql`${path}, json(${JSON.stringify(limit)})`;
  });
  return sql`json_remove(json_set(${widgetKeys.limits}, ${sql.join(changes, sql`, `)}), '$."-"')`;
}

/** Returns the limit in effect: SQL's NULL if it was removed, its default if none was set. */
function presentLimit(name: keyof KeyLimits): SQL {
  const path = `$.${name}`;
  return sql`CASE WHEN json_type(${widgetKeys.limits}, ${path}) IS NULL THEN ${DEFAULT_KEY_LIMITS[name]} ELSE json_extract(${widgetKeys.limits}, ${path}) END`;
}
