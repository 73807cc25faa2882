import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { accountDeletions, accounts } from "./schema/index.ts";
import { driverValue } from "./upsert-many.ts";

/* The statements with which operators schedule and cancel the deletion of an account. */

/** When a deletion was requested, and when it begins (ISO 8601). */
export interface DeletionOrder {
  requested_at: string;
  begins_at: string;
  /** Whether to delete the account only if it was restored from a backup and has not been opened since. */
  ifNeverOpened: boolean;
}

/** Schedules the deletion of a disabled account unless one is pending. Returns the row if it was scheduled. */
export function scheduleDeletion(
  db: DrizzleD1Database,
  name: string,
  { requested_at, begins_at, ifNeverOpened }: DeletionOrder,
) {
  const isUnopened = sql`EXISTS (SELECT 1 FROM restores r WHERE r.account = name AND (r.finished_at IS NULL OR disabled_at <= r.finished_at))`;
  const isIt = and(sql`name = ${name} AND disabled_at IS NOT NULL`, ifNeverOpened ? isUnopened : undefined);
  return db
    .insert(accountDeletions)
    .select(
      sql`SELECT name, 'scheduled', ${requested_at}, ${begins_at}, NULL, NULL, NULL, NULL, '[]', 0, 0, 0, '[]' FROM ${accounts} WHERE ${isIt}`,
    )
    .onConflictDoUpdate({
      target: accountDeletions.account,
      set: { status: "scheduled", requested_at, begins_at },
      setWhere: sql`${accountDeletions.status} = 'cancelled'`,
    })
    .returning();
}

/** Cancels the deletion of an account if it has not begun. Returns the row if it was canceled. */
export function cancelDeletion(db: DrizzleD1Database, name: string) {
  return db
    .update(accountDeletions)
    .set({ status: "cancelled" })
    .where(and(eq(accountDeletions.account, name), eq(accountDeletions.status, "scheduled")))
    .returning();
}

/** Selects the account's deletion if it is scheduled or running. */
export function pendingDeletion(db: DrizzleD1Database, name: string) {
  const isPending = inArray(accountDeletions.status, ["scheduled", "running"]);
  return db
    .select()
    .from(accountDeletions)
    .where(and(eq(accountDeletions.account, name), isPending));
}

/**
 * Returns a `SELECT` of a new account's row. It is empty if an account with this name is being deleted or was deleted.
 */
export function unreserved(account: typeof accounts.$inferInsert): SQL {
  const given: Record<string, unknown> = account;
  const picks = Object.entries<SQLiteColumn>(getTableColumns(accounts)).map(
    ([key, column]) => sql`${driverValue(column, given[key] ?? column.default)}`,
  );
  const reserved = sql`SELECT 1 FROM ${accountDeletions} WHERE account = ${account.name} AND status IN ('running', 'complete')`;
  return sql`SELECT ${sql.join(picks, sql`, `)} WHERE NOT EXISTS (${reserved})`;
}
