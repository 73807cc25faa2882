import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * Gauges of accounts' objects for operators' metrics. They are absolute values, which the object itself writes within a
 * minute of a change. `at` is in ms.
 */
export const objectGauges = sqliteTable(
  "object_gauges",
  {
    account: accountRef(),
    /** The object's name within the account, such as `ledger/2026-11-23`. */
    object: text("object").notNull(),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    storage_bytes: integer("storage_bytes").notNull(),
    outbox_rows: integer("outbox_rows").notNull(),
    /** The number of outbox rows that their destination has refused for a day. */
    outbox_parked: integer("outbox_parked").notNull().default(0),
    /** Since when (ms) a message has been waiting for delivery; null if none is. */
    outbox_since: integer("outbox_since"),
    /** The longest delay of an alarm since the last push, ms. */
    alarm_lag_ms: integer("alarm_lag_ms").notNull(),
    call_leases: integer("call_leases").notNull().default(0),
    live_leases: integer("live_leases").notNull().default(0),
    /** Since when (ms) records past their retention have been waiting for deletion; null if none are. */
    retention_since: integer("retention_since"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.object] }),
    // The only index that metrics read.
    index("object_gauges_kind").on(t.kind),
  ],
);

export type ObjectGauges = Omit<typeof objectGauges.$inferSelect, "account">;
