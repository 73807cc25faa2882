import { is, SQL, sql } from "drizzle-orm";
import { type ChangedFields, changedFields, oldValue, wasSet } from "./audit-changes.ts";
import type { AccountRow } from "./look-ups.ts";
import { accounts } from "./schema/index.ts";

type NewAccount = typeof accounts.$inferInsert;
/** The fields of an account's row that operators set. Quotas may be merged with the stored ones. */
export type AccountSet = {
  [K in keyof NewAccount]?: NewAccount[K] | (K extends "quotas" ? SQL : never) | undefined;
};

/** The columns that override caps, by the cap's name. */
const CAPS = {
  concurrent_calls: "cap_concurrent_calls",
  calls_per_minute: "cap_calls_per_minute",
  calls_per_day: "cap_calls_per_day",
} as const;
type Cap = keyof typeof CAPS;

/**
 * Returns the fields that a change of an account's row affects, by their API names. Of the caps, it returns only those
 * that were sent. The database supplies the old plan, caps, quotas and status.
 */
export function accountChanges(before: AccountRow, set: AccountSet): ChangedFields {
  const caps = (Object.keys(CAPS) as Cap[]).filter((cap) => set[CAPS[cap]] !== undefined);
  const { display_name, listed, max_key_expiry_days, recording_retention_days, sessions_valid_after } = set;
  const { plan, quotas, disabled_at } = set;
  const was = {
    plan: oldValue(accounts.plan),
    caps: sql`json_object(${sql.join(
      caps.map((cap) => sql`${cap}, ${accounts[CAPS[cap]]}`),
      sql`, `,
    )})`,
    quotas: sql`json(${accounts.quotas})`,
    disabled: wasSet(accounts.disabled_at),
  };
  return changedFields(Object.assign({}, before, was), {
    display_name,
    plan,
    caps: caps.length === 0 ? undefined : Object.fromEntries(caps.map((cap) => [cap, set[CAPS[cap]]])),
    quotas: is(quotas, SQL) ? sql`json(${quotas})` : quotas,
    max_key_expiry_days,
    recording_retention_days,
    sessions_valid_after,
    listed,
    disabled: disabled_at === undefined ? undefined : disabled_at !== null,
  });
}
