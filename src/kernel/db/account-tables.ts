import { D1_BACKUP } from "./backup-data.ts";
import type { D1Table } from "./personal-data.ts";

/** The tables that the deletion of an account does not empty of its rows, with the reason. */
export const KEPT_TABLES = {
  accounts: "the account's own row, which goes last, with the note that the deletion is complete",
  scheduled_jobs: "when the jobs of the deployment last succeeded, which are of no account",
  account_deletions: "says that the account was deleted, so that its name is not used again",
} as const satisfies Partial<Record<D1Table, string>>;

/**
 * Every table with rows of an account, those that refer to others first. It is the list by which backups are written,
 * the other way round: a table that is in neither does not compile.
 */
export const ACCOUNT_TABLES: readonly D1Table[] = (Object.keys(D1_BACKUP) as D1Table[])
  .filter((table) => !(table in KEPT_TABLES))
  .reverse();
