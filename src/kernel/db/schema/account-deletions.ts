import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The states of a deletion. It can be canceled only while it is `scheduled`. */
export const DELETION_STATUSES = ["scheduled", "running", "complete", "cancelled"] as const;

/** What blocks a deletion, and since when: a failing object, or the step itself if `object` is null. */
export interface HeldBy {
  step: string;
  object: { binding: string; name: string } | null;
  since: string;
}

/**
 * Deletions of accounts and their progress. A row outlives its account and does not refer to it, so that the name is
 * never used again.
 */
export const accountDeletions = sqliteTable("account_deletions", {
  account: text("account").primaryKey(),
  status: text("status", { enum: DELETION_STATUSES }).notNull(),
  requested_at: text("requested_at").notNull(),
  /** The earliest time at which the deletion begins. */
  begins_at: text("begins_at").notNull(),
  begun_at: text("begun_at"),
  completed_at: text("completed_at"),
  /** The step at which the job continues; null while it is not running. */
  step: text("step"),
  cursor: text("cursor", { mode: "json" }).$type<unknown>(),
  /**
   * The first days of the account's ledger volumes, because the account's own row, which lists them, is deleted before
   * the last check.
   */
  volumes: text("volumes", { mode: "json" }).$type<string[]>().notNull().default([]),
  objects: integer("objects").notNull().default(0),
  files: integer("files").notNull().default(0),
  rows: integer("rows").notNull().default(0),
  held_by: text("held_by", { mode: "json" }).$type<HeldBy[]>().notNull().default([]),
});
