import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * How objects of accounts are, for operators' metrics: absolute, written by the object itself with its totals, a minute
 * after a change at the latest. `at` is ms.
 */
export const objectGauges = sqliteTable(
  "object_gauges",
  {
    account: accountRef(),
    /** Its kind, and what it is called within the account: `ledger/2026-11-23`. */
    object: text("object").notNull(),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    storage_bytes: integer("storage_bytes").notNull(),
    outbox_rows: integer("outbox_rows").notNull(),
    /** Those of them that their destination has refused for a day. */
    outbox_parked: integer("outbox_parked").notNull().default(0),
    /** Since when something is owed, ms; null if nothing is. */
    outbox_since: integer("outbox_since"),
    /** The most that an alarm was late since the last time, ms. */
    alarm_lag_ms: integer("alarm_lag_ms").notNull(),
    call_leases: integer("call_leases").notNull().default(0),
    live_leases: integer("live_leases").notNull().default(0),
    /** Since when records wait to be deleted that are older than their account keeps them, ms; null if none do. */
    retention_since: integer("retention_since"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.object] }),
    // Metrics are read from it alone.
    index("object_gauges_kind").on(t.kind),
  ],
);

export type ObjectGauges = Omit<typeof objectGauges.$inferSelect, "account">;
