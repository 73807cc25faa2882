import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * Events of what happens to rows here, on their way to the account's sequence: each is written in the batch of what it is
 * about, and deleted once it is taken.
 */
export const pendingEvents = sqliteTable(
  "pending_events",
  {
    account: accountRef(),
    /** When it happened, ISO 8601. */
    at: text("at").notNull(),
    type: text("type").notNull(),
    /** What it happened to: with time and type it identifies the event. */
    resource: text("resource").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.at, t.type, t.resource] })],
);
