import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/**
 * How much of what a quota bounds an account has: kept by triggers (migration 0004) in the very statement that changes
 * it, so that what goes over is refused by the database, whole, and no count is ever made. A migration that builds a
 * counted table anew must make its triggers anew too.
 */
export const accountUsage = sqliteTable(
  "account_usage",
  {
    account: accountRef(),
    name: text("name").notNull(),
    used: integer("used").notNull(),
    /** The limit in force, as the account's gate said last; null where it has not yet. */
    most: integer("most"),
  },
  (t) => [primaryKey({ columns: [t.account, t.name] })],
);
