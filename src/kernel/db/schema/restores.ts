import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";

/** Accounts that were or are being restored from a backup. */
export const restores = sqliteTable("restores", {
  account: accountRef().primaryKey(),
  backup: text("backup").notNull(),
  begun_at: text("begun_at").notNull(),
  /** Null until the restore is complete. The account cannot be opened before that. */
  finished_at: text("finished_at"),
});
