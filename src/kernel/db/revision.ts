import { eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountTable } from "./account-table.ts";

/** A table whose rows count their changes by PATCH and PUT. */
export type RevisedTable = AccountTable & {
  revision: SQLiteColumn;
  updated_by: SQLiteColumn;
  revised_at: SQLiteColumn;
};

/** Returns the condition that the row has this revision; null matches any. */
export function isRevision(table: RevisedTable, revision: number | null): SQL | undefined {
  return revision === null ? undefined : eq(table.revision, revision);
}

/** The revision of defaults, which apply until something is stored. */
export const OF_DEFAULTS = 0;

type Stamp = "account" | "revision" | "updated_by" | "revised_at";
/** The settings of a row, without its bookkeeping columns. */
export type Settings<Row> = Omit<Row, Stamp>;
