import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * The maximum number of rows, per quota (`quota-counts.ts`), that may exist after the current batch. Each batch sets
 * its own ceilings before its changes. Afterwards they have no meaning.
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
