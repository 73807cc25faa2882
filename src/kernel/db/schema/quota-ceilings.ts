import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * How many rows the batch under way may leave of what a quota counts (`quota-counts.ts`). Each batch sets its own
 * ceilings before its changes, so that they mean nothing once it has ended.
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
