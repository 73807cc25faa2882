import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * The maximum number of rows of what a quota counts (`quota-counts.ts`) that the current batch may leave. Each batch
 * sets its own ceilings before its changes; afterwards they mean nothing.
 */
export const quotaCeilings = sqliteTable(
  "quota_ceilings",
  {
    account: accountRef(),
    name: text("name").notNull(),
    ceiling: integer("ceiling").notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.name] })],
);
