import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * Events of changes in D1 that have not reached the account's event sequence yet. Each is written in the batch of its
 * change, and deleted after delivery.
 */
export const pendingEvents = sqliteTable(
  "pending_events",
  {
    account: accountRef(),
    /** When it happened, ISO 8601. */
    at: text("at").notNull(),
    type: text("type").notNull(),
    /** The resource. Together with the time and type it identifies the event. */
    resource: text("resource").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.at, t.type, t.resource] })],
);
