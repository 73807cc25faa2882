import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  isNull,
  lt,
  not,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import { conflict } from "../http/errors.ts";
import { type AccountSet, accountChanges } from "./account-changes.ts";
import { AccountStatements } from "./account-statements.ts";
import { type Author, violatedConstraint } from "./account-store.ts";
import { type ChangedFields, differsFrom, storedChanges } from "./audit-changes.ts";
import { actorName, resourceName } from "./audit-names.ts";
import { type AccountDatabase, type ConfigurationBatch, drizzleOver } from "./batch.ts";
import {
  cancelDeletion,
  type DeletionOrder,
  pendingDeletion,
  scheduleDeletion,
  unreserved,
} from "./deletion-statements.ts";
import type { DeletionRow } from "./deletion-store.ts";
import type { AccountRow } from "./look-ups.ts";
import {
  accountDays,
  accountDeletions,
  accounts,
  auditLog,
  DAY_SUMS,
  type DaySum,
  type DayTotal,
  invitations,
  OPERATOR_ACCOUNT,
  passwordResets,
  removedMembers,
  restores,
  users,
} from "./schema/index.ts";
import { open, type Write } from "./statement.ts";

type NewAccount = typeof accounts.$inferInsert;
type AuditRow = typeof auditLog.$inferSelect;
type Batch = [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];
type UserListing = Pick<typeof users.$inferSelect, "id" | "email" | "name" | "role" | "source" | "created_at">;

/**
 * What operators do with accounts and their users, for operator routes only. It is audited both in the account and in
 * the operators' own log. Changes go through the account's gate, so that they apply from its next request on.
 */
export class OperatorStore {
  readonly #d1: D1Database;
  readonly #db;
  /** Builds the statements of changes, which the gate then runs. */
  readonly #changes = drizzleOver(() => Promise.reject(new TypeError("changes go through the gate")));
  readonly #configure: (account: string) => AccountDatabase["configure"];
  readonly #author: Author;

  constructor(d1: D1Database, configure: (account: string) => AccountDatabase["configure"], author: Author) {
    this.#d1 = d1;
    this.#db = drizzle(d1);
    this.#configure = configure;
    this.#author = author;
  }

  /**
   * Records work on all accounts, such as re-encryption, in the operators' log: before it begins, and with its result
   * when it is done. An entry without a result shows that the work was interrupted.
   */
  async recorded<T extends object>(
    entry: Pick<AuditRow, "action" | "resource" | "resource_id">,
    work: (d1: D1Database) => Promise<T>,
  ): Promise<T> {
    const row = { account: OPERATOR_ACCOUNT, id: uuidv7(), at: new Date().toISOString(), ...this.#author, ...entry };
    await this.#db.insert(auditLog).values(row);
    const outcome = await work(this.#d1);
    const changes = Object.fromEntries(Object.entries(outcome).map(([name, to]) => [name, { from: null, to }]));
    const isEntry = and(eq(auditLog.account, OPERATOR_ACCOUNT), eq(auditLog.id, row.id));
    await this.#db.update(auditLog).set({ changes }).where(isEntry);
    return outcome;
  }

  /**
   * Records in the account's log and the operators' own that the account's data are read. Does nothing within `quietMs`
   * of an entry by the same actor, because a backup is read in many pieces, or if the account does not exist.
   */
  async noteBackup(account: string, now: number, quietMs: number): Promise<void> {
    const { actor } = this.#author;
    const since = new Date(now - quietMs).toISOString();
    const { account: of, actor: by, action, at } = auditLog;
    const isRecorded = sql`SELECT 1 FROM ${auditLog} WHERE ${of} = ${account} AND ${by} = ${actor} AND ${action} = 'backup' AND ${at} > ${since}`;
    const isThere = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.name} = ${account}`;
    const wanted = sql`WHERE EXISTS (${isThere}) AND NOT EXISTS (${isRecorded})`;
    // Written directly: configuration does not change, so no cached read needs to be invalidated.
    await this.#db.batch([this.#audit(account, "backup", "account", account, {}, wanted, this.#db)]);
  }

  /** Returns a page of the operators' own log, newest first, and the number of entries that meet the condition. */
  async auditLog(where: SQL, { limit, offset }: { limit: number; offset: number }): Promise<[AuditRow[], number]> {
    const own = and(eq(auditLog.account, OPERATOR_ACCOUNT), where);
    const [rows, [counted]] = await this.#db.batch([
      this.#db
        .select()
        .from(auditLog)
        .where(own)
        .orderBy(desc(auditLog.at), desc(auditLog.id))
        .limit(limit)
        .offset(offset),
      this.#db.select({ n: count() }).from(auditLog).where(own),
    ]);
    return [rows, counted?.n ?? 0];
  }

  accounts(): Promise<AccountRow[]> {
    return this.#db.select().from(accounts).orderBy(asc(accounts.name));
  }

  async account(name: string): Promise<AccountRow | undefined> {
    const [row] = await this.#db.select().from(accounts).where(eq(accounts.name, name));
    return row;
  }

  /**
   * Creates the account with its first rows, or nothing at all; undefined if the name is taken.
   * @throws ApiError 409 for the name of an account that was deleted
   */
  async create(
    account: NewAccount,
    rows: (statements: AccountStatements) => Write<unknown>[],
  ): Promise<AccountRow | undefined> {
    const { name } = account;
    // Checked before the write as well, so that a refused name leaves nothing at its gate.
    const { status } = (await this.deletion(name)) ?? {};
    if (status === "running" || status === "complete")
      throw conflict("name_reserved", "an account with this name was deleted; its name is not used again");
    const first = rows(new AccountStatements(this.#changes, name)).flatMap((statement) => open(statement).builders);
    try {
      const [[row]] = await this.#run(name, { tables: ["accounts"], added: ["accounts"] }, [
        this.#changes.insert(accounts).select(unreserved(account)).returning(),
        this.#audit(name, "create", "account", name),
        ...(first as BatchItem<"sqlite">[]),
      ]);
      return row;
    } catch (error) {
      // The first rows refer to the account, so D1 refuses them if it was not created.
      if (violatedConstraint(error)) return undefined;
      throw error;
    }
  }

  /** Returns the latest deletion of an account with this name; undefined if there was none. */
  async deletion(name: string): Promise<DeletionRow | undefined> {
    const [row] = await this.#db.select().from(accountDeletions).where(eq(accountDeletions.account, name));
    return row;
  }

  /** Schedules the deletion of a disabled account unless one is pending. Returns false if nothing changed. */
  async scheduleDeletion(name: string, order: DeletionOrder): Promise<boolean> {
    const [changed] = await this.#change(name, "accounts", [
      scheduleDeletion(this.#changes, name, order),
      this.#audit(name, "schedule_deletion", "account", name),
    ]);
    return changed.length > 0;
  }

  /** Cancels the deletion of an account. Returns false if the deletion has already begun. */
  async cancelDeletion(name: string): Promise<boolean> {
    const [changed] = await this.#change(name, "accounts", [
      cancelDeletion(this.#changes, name),
      this.#audit(name, "cancel_deletion", "account", name),
    ]);
    return changed.length > 0;
  }

  /** Updates an account if it is still as it was read; undefined if it has changed since or must not be opened. */
  async update(before: AccountRow, set: AccountSet): Promise<AccountRow | undefined> {
    const { name, updated_at, plan, quotas, disabled_at } = before;
    // An account that is only partly restored, or is about to be deleted, stays closed.
    const partly = this.#changes
      .select()
      .from(restores)
      .where(and(eq(restores.account, name), isNull(restores.finished_at)));
    const mayOpen = and(notExists(partly), notExists(pendingDeletion(this.#changes, name)));
    const isAsRead = not(differsFrom(accounts, { updated_at, plan, quotas, disabled_at }));
    const isIt = and(eq(accounts.name, name), isAsRead, set.disabled_at === null ? mayOpen : undefined);
    const changes = accountChanges(before, set);
    // A changed display name also raises the revision that the account's own members see.
    const revision = sql`${accounts.revision} + (${accounts.display_name} IS NOT ${set.display_name ?? null})`;
    const renamed = Object.assign({}, set, { revision });
    const [, [row]] = await this.#change(name, "accounts", [
      // Inserted before the update, because the entry contains the old values.
      this.#audit(name, "update", "account", name, changes, sql`, ${accounts} WHERE ${isIt}`),
      this.#changes
        .update(accounts)
        .set(set.display_name === undefined ? set : renamed)
        .where(isIt)
        .returning(),
    ]);
    return row;
  }

  /** Returns the backup from which an account is being or was restored; undefined if there is none. */
  async restore(name: string): Promise<typeof restores.$inferSelect | undefined> {
    const [row] = await this.#db.select().from(restores).where(eq(restores.account, name));
    return row;
  }

  /**
   * Ends the restore of an account from this backup, and applies `set` in the same batch. Returns false if no such
   * restore was running.
   */
  async finishRestore(name: string, backup: string, set: AccountSet, now: string): Promise<boolean> {
    const isUnderWay = and(eq(restores.account, name), eq(restores.backup, backup), isNull(restores.finished_at));
    const [[row]] = await this.#change(name, "accounts", [
      this.#changes
        .update(accounts)
        .set(set)
        .where(
          and(
            eq(accounts.name, name),
            exists(this.#changes.select().from(restores).where(isUnderWay)),
            notExists(pendingDeletion(this.#changes, name)),
          ),
        )
        .returning({ name: accounts.name }),
      this.#audit(name, "restore", "account", name),
      this.#changes
        .update(restores)
        .set({ finished_at: now })
        .where(and(isUnderWay, notExists(pendingDeletion(this.#changes, name)))),
    ]);
    return row !== undefined;
  }

  /**
   * Returns the account's daily totals since `since` (`2026-11-23`, UTC), newest first. Days without activity are
   * omitted.
   */
  days(account: string, since: string): Promise<DayTotal[]> {
    const { account: _, ...totals } = getTableColumns(accountDays);
    return this.#db
      .select(totals)
      .from(accountDays)
      .where(and(eq(accountDays.account, account), gte(accountDays.day, since)))
      .orderBy(desc(accountDays.day));
  }

  /** Returns what each account used from day `from` (UTC) up to the day before `to`, by its name. */
  usage({ from, to }: { from: string; to: string }): Promise<({ account: string } & Record<DaySum, number>)[]> {
    const sums = DAY_SUMS.map((name) => [name, sql<number>`sum(${accountDays[name]})`] as const);
    const fields = Object.assign(
      { account: accountDays.account },
      Object.fromEntries(sums) as Record<DaySum, SQL<number>>,
    );
    return this.#db
      .select(fields)
      .from(accountDays)
      .where(and(gte(accountDays.day, from), lt(accountDays.day, to)))
      .groupBy(accountDays.account)
      .orderBy(asc(accountDays.account));
  }

  users(account: string): Promise<UserListing[]> {
    const { id, email, name, role, source, created_at } = users;
    return this.#db
      .select({ id, email, name, role, source, created_at })
      .from(users)
      .where(eq(users.account, account))
      .orderBy(asc(email));
  }

  async hasUser(account: string, id: string): Promise<boolean> {
    const [row] = await this.#db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.account, account), eq(users.id, id)));
    return row !== undefined;
  }

  /** Creates the user; undefined if the email is taken in the account. */
  async createUser(user: typeof users.$inferInsert): Promise<UserListing | undefined> {
    const [taken] = await this.#db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.account, user.account), eq(users.email, user.email), eq(users.source, "password")));
    if (taken) return undefined;
    const { id, email, name, role, source, created_at } = users;
    const [[row]] = await this.#change(user.account, "users", [
      this.#changes
        .insert(users)
        .values(user)
        .onConflictDoNothing()
        .returning({ id, email, name, role, source, created_at }),
      this.#audit(user.account, "create", "user", user.id),
    ]);
    return row;
  }

  async deleteUser(account: string, id: string): Promise<boolean> {
    if (!(await this.hasUser(account, id))) return false;
    const isUser = and(eq(users.account, account), eq(users.id, id));
    await this.#change(account, "users", [
      // Inserted before the deletion, because the entry contains the name.
      this.#audit(account, "delete", "user", id, {}, sql`, ${users} WHERE ${isUser}`),
      this.#changes
        .insert(removedMembers)
        .select(
          sql`SELECT ${users.account}, ${users.id}, ${users.email}, ${new Date().toISOString()} FROM ${users} WHERE ${isUser} AND ${users.source} = 'oidc'`,
        )
        .onConflictDoNothing(),
      this.#changes.delete(users).where(isUser),
      // The removed member's invitations and reset links carried their authority.
      this.#changes.delete(invitations).where(and(eq(invitations.account, account), eq(invitations.invited_by, id))),
      this.#changes
        .delete(passwordResets)
        .where(and(eq(passwordResets.account, account), eq(passwordResets.created_by, `console:${id}`))),
    ]);
    return true;
  }

  /**
   * Ends all sessions of the user, including the session that survived a change of the password. Returns false if
   * there is no such user.
   */
  async signOutUser(account: string, id: string): Promise<boolean> {
    if (!(await this.hasUser(account, id))) return false;
    // Later than the beginning of every session, and later than the earlier end.
    const now = new Date(Date.now() + 1).toISOString();
    const next = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${users.sessions_valid_after}, '+0.001 seconds')`;
    const sessions_valid_after = sql`max(${now}, coalesce(${next}, ''))`;
    await this.#change(account, "users", [
      this.#changes
        .update(users)
        .set({ sessions_valid_after })
        .where(and(eq(users.account, account), eq(users.id, id))),
      this.#audit(account, "sign_out_user", "user", id),
    ]);
    return true;
  }

  /** Runs changes of the account's row or its users as one atomic batch. */
  #change<T extends Batch>(account: string, table: "accounts" | "users", builders: T) {
    return this.#run(account, { tables: [table], added: [] }, builders);
  }

  #run<T extends Batch>(account: string, touched: Pick<ConfigurationBatch, "tables" | "added">, builders: T) {
    const db = drizzleOver(async (statements) => {
      const outcome = await this.#configure(account)({ statements, ...touched });
      if ("refused" in outcome) throw new Error(outcome.refused);
      return outcome.results;
    });
    return db.batch(builders);
  }

  /**
   * Builds the entries in the account's log and the operators' own. They are written if `source` returns a row, and if
   * placed after a change, depend on whether it changed one.
   */
  #audit(
    account: string,
    action: string,
    resource: string,
    resource_id: string,
    changes: ChangedFields = {},
    source = sql`WHERE changes() > 0`,
    db: Pick<DrizzleD1Database, "insert"> = this.#changes,
  ) {
    const at = new Date().toISOString();
    const { actor, request_id } = this.#author;
    // UUIDv7s that are created in sequence keep entries of the same millisecond in order.
    const logs = new Map([[account, [account, uuidv7(), null]]]);
    logs.set(OPERATOR_ACCOUNT, [OPERATOR_ACCOUNT, uuidv7(), account]);
    return db
      .insert(auditLog)
      .select(
        sql`SELECT log.value ->> 0, log.value ->> 1, ${at}, ${actor}, ${actorName(OPERATOR_ACCOUNT, actor)}, ${action}, ${resource}, ${resource_id}, ${resourceName(account, resource, resource_id)}, ${request_id}, ${storedChanges(changes)}, log.value ->> 2 FROM json_each(${JSON.stringify([...logs.values()])}) log ${source}`,
      );
  }
}
