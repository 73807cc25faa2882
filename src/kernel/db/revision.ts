import { eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountTable } from "./account-statements.ts";

/** A table whose rows count what PATCH and PUT have changed of them. */
export type RevisedTable = AccountTable & {
  revision: SQLiteColumn;
  updated_by: SQLiteColumn;
  revised_at: SQLiteColumn;
};

/** The row is of this revision; null asks for none. */
export function isRevision(table: RevisedTable, revision: number | null): SQL | undefined {
  return revision === null ? undefined : eq(table.revision, revision);
}

/** The revision of the defaults that hold until something is stored. */
export const OF_DEFAULTS = 0;

type Stamp = "account" | "revision" | "updated_by" | "revised_at";
/** What a row of settings says, without what is noted about it. */
export type Settings<Row> = Omit<Row, Stamp>;
