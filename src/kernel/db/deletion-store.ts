import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import type { D1Table } from "../stores/tables.ts";
import { ReferenceViolation, violatedConstraint } from "./account-store.ts";
import { accountDeletions, accounts, auditLog, type HeldBy, OPERATOR_ACCOUNT, restores } from "./schema/index.ts";

export type DeletionRow = typeof accountDeletions.$inferSelect;

export type Deleted = Pick<DeletionRow, "objects" | "files" | "rows">;

/** The number of rows of a table that are deleted at a time. */
const ROWS_AT_ONCE = 1_000;

/**
 * The deletion of one account: its progress, and its rows in D1. Its writes bypass the account's gate, because the
 * account is closed and the gate's own object is deleted as well.
 */
export class DeletionStore {
  readonly #d1: D1Database;
  readonly #db;
  readonly #account: string;

  constructor(d1: D1Database, account: string) {
    this.#d1 = d1;
    this.#db = drizzle(d1);
    this.#account = account;
  }

  async get(): Promise<DeletionRow | undefined> {
    const [row] = await this.#db.select().from(accountDeletions).where(this.#isIt);
    return row;
  }

  /**
   * Begins the deletion if it is due at `now` (ISO 8601) and has not been canceled. From then on, no page of a backup
   * can be restored into the account. `volumes` are the first days of its ledger's volumes.
   */
  async begin(volumes: string[], step: string, now: string): Promise<void> {
    const isDue = and(this.#isIt, eq(accountDeletions.status, "scheduled"), lte(accountDeletions.begins_at, now));
    const set = { status: "running" as const, begun_at: now, volumes, step, cursor: null };
    const isRunning = sql`EXISTS (SELECT 1 FROM account_deletions WHERE account = ${this.#account} AND status = 'running')`;
    await this.#db.batch([
      this.#db.update(accountDeletions).set(set).where(isDue),
      this.#db.delete(restores).where(and(eq(restores.account, this.#account), isRunning)),
    ]);
  }

  /** Stores what was deleted, the position where the job continues, and what blocks it. */
  async note({ objects, files, rows }: Deleted, step: string, cursor: unknown, held_by: HeldBy[]): Promise<void> {
    const set = {
      objects: sql`objects + ${objects}`,
      files: sql`files + ${files}`,
      rows: sql`rows + ${rows}`,
      step,
      cursor: cursor ?? null,
      held_by,
    };
    await this.#db.update(accountDeletions).set(set).where(this.#isRunning);
  }

  /** Stores what blocks the job. */
  async noteHeld(held_by: HeldBy[]): Promise<void> {
    await this.#db.update(accountDeletions).set({ held_by }).where(this.#isRunning);
  }

  /** Deletes some of the account's rows of a table, and returns how many. */
  async deleteRows(table: D1Table): Promise<number> {
    const some = `SELECT rowid FROM ${table} WHERE account = ? LIMIT ${ROWS_AT_ONCE}`;
    const { meta } = await this.#d1.prepare(`DELETE FROM ${table} WHERE rowid IN (${some})`).bind(this.#account).run();
    return meta.changes;
  }

  /**
   * Deletes the account's own row, and removes the names of its members and resources from the operators' log. Changes
   * nothing and returns false if a table still has a row of the account.
   */
  async deleteAccount(): Promise<boolean> {
    const isAbout = and(eq(auditLog.account, OPERATOR_ACCOUNT), eq(auditLog.about_account, this.#account));
    try {
      await this.#db.batch([
        this.#db.delete(accounts).where(eq(accounts.name, this.#account)),
        this.#db.update(auditLog).set({ resource_name: null }).where(isAbout),
      ]);
      return true;
    } catch (error) {
      if (violatedConstraint(error) instanceof ReferenceViolation) return false;
      throw error;
    }
  }

  /** Completes the deletion, with an entry in the operators' log. */
  async complete(now: string): Promise<void> {
    const set = { status: "complete" as const, completed_at: now, step: null, cursor: null, volumes: [], held_by: [] };
    const counts = ["objects", "files", "rows"].map(
      (name) => sql`${name}, json_object('from', NULL, 'to', ${sql.raw(name)})`,
    );
    const entry = sql`SELECT ${OPERATOR_ACCOUNT}, ${uuidv7()}, ${now}, 'system:deletion', NULL, 'delete', 'account', account, NULL, '', json_object(${sql.join(counts, sql`, `)}), account FROM account_deletions WHERE account = ${this.#account} AND status = 'running'`;
    await this.#db.batch([
      // The entry is inserted before the update, after which its condition no longer holds.
      this.#db.insert(auditLog).select(entry),
      this.#db.update(accountDeletions).set(set).where(this.#isRunning),
    ]);
  }

  get #isIt() {
    return eq(accountDeletions.account, this.#account);
  }

  get #isRunning() {
    return and(this.#isIt, eq(accountDeletions.status, "running"));
  }
}

/** Returns some accounts whose deletion is due at `now` (ISO 8601) or running, in random order so that none starves. */
export async function dueDeletions(d1: D1Database, now: string, limit: number): Promise<string[]> {
  const rows = await drizzle(d1)
    .select({ account: accountDeletions.account })
    .from(accountDeletions)
    .where(and(inArray(accountDeletions.status, ["scheduled", "running"]), lte(accountDeletions.begins_at, now)))
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ account }) => account);
}
