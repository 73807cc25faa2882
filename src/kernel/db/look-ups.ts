import { and, asc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isUseDue, useAt } from "./last-use.ts";
import {
  accountDays,
  accounts,
  apiKeys,
  callSettings,
  DAY_SUMS,
  type DaySum,
  OPERATOR_ACCOUNT,
  objectGauges,
  operatorTokens,
  removedMembers,
  scheduledJobs,
  secondFactors,
  signInPolicies,
  users,
} from "./schema/index.ts";

export type AccountRow = typeof accounts.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;
export type UserRow = typeof users.$inferSelect;
export type SecondFactorRow = typeof secondFactors.$inferSelect;
type PolicyRow = typeof signInPolicies.$inferSelect;
type CallLimitSettings = Pick<
  typeof callSettings.$inferSelect,
  "inbound_reserve" | "caller_concurrent_calls" | "caller_calls_per_day"
>;

/** The account and user of a sign-in; `user` is undefined if the name is unknown. */
export interface Login {
  account: AccountRow;
  user: UserRow | undefined;
  factor: SecondFactorRow | undefined;
}

export interface KindGauges {
  kind: string;
  objects: number;
  storage_bytes: number;
  largest_bytes: number;
  outbox_rows: number;
  /** The number of rows that their destination has refused for a day. */
  outbox_parked: number;
  /** The age of the oldest undelivered row, ms. */
  outbox_age_ms: number;
  /** The longest recent delay of an alarm, ms. */
  alarm_lag_ms: number;
  call_leases: number;
  live_leases: number;
  /** How long records past their retention have been waiting for deletion, ms. */
  retention_age_ms: number;
}

/** The data of operators' metrics. */
export interface Metrics {
  objects: KindGauges[];
  today: Record<DaySum, number>;
  accounts: number;
  /** The longest time for which an account's ledger has not received a changed retention, ms. */
  untold_ms: number;
  /** How long every run of a job has been failing, ms; 0 if the last run succeeded. */
  jobs: { job: string; failing_ms: number }[];
}

/** How long the delay of a late alarm is shown, ms. */
const LAG_SHOWN_MS = 300_000;

/** The few look-ups that are made before the request's account is known. */
export class LookUps {
  readonly #db;

  constructor(d1: D1Database) {
    this.#db = drizzle(d1);
  }

  /** Returns the migrations of the database, with the hash with which each was applied; null if none was recorded. */
  async migrations(): Promise<Map<string, string | null>> {
    const kept = sql`SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'migration_hashes') AS kept`;
    const [names, [hashes]] = await this.#db.batch([
      this.#db.all<{ name: string }>(sql`SELECT name FROM d1_migrations`),
      this.#db.all<{ kept: number }>(kept),
    ]);
    const found = hashes?.kept
      ? await this.#db.all<{ name: string; hash: string }>(sql`SELECT name, hash FROM migration_hashes`)
      : [];
    const hashOf = new Map(found.map(({ name, hash }) => [name, hash]));
    return new Map(names.map(({ name }) => [name, hashOf.get(name) ?? null]));
  }

  /** Returns the accounts that may be shown to anyone. */
  listed(): Promise<{ name: string; display_name: string }[]> {
    return this.#db
      .select({ name: accounts.name, display_name: accounts.display_name })
      .from(accounts)
      .where(and(eq(accounts.listed, true), isNull(accounts.disabled_at)))
      .orderBy(asc(accounts.name));
  }

  async account(name: string): Promise<AccountRow | undefined> {
    const [row] = await this.#db.select().from(accounts).where(eq(accounts.name, name));
    return row;
  }

  async accountAndCallLimits(
    name: string,
  ): Promise<{ account: AccountRow | undefined; settings: CallLimitSettings | undefined }> {
    const { account, inbound_reserve, caller_concurrent_calls, caller_calls_per_day } = callSettings;
    const [[row], [settings]] = await this.#db.batch([
      this.#db.select().from(accounts).where(eq(accounts.name, name)),
      this.#db
        .select({ inbound_reserve, caller_concurrent_calls, caller_calls_per_day })
        .from(callSettings)
        .where(eq(account, name)),
    ]);
    return { account: row, settings };
  }

  /** Returns the user with their second factor, and the account into which they sign in, in one round trip. */
  login(account: string, email: string): Promise<Login | undefined> {
    return this.#login(account, sql`${users.email} = ${email} AND ${users.source} = 'password'`);
  }

  /** Returns the same for a user's id. */
  loginOf(account: string, id: string): Promise<Login | undefined> {
    return this.#login(account, eq(users.id, id));
  }

  async #login(account: string, isUser: SQL): Promise<Login | undefined> {
    const ofUser = this.#db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.account, account), isUser));
    const [[found], [user], [factor]] = await this.#db.batch([
      this.#db.select().from(accounts).where(eq(accounts.name, account)),
      this.#db
        .select()
        .from(users)
        .where(and(eq(users.account, account), isUser)),
      this.#db
        .select()
        .from(secondFactors)
        .where(and(eq(secondFactors.account, account), inArray(secondFactors.id, ofUser))),
    ]);
    return found && { account: found, user, factor };
  }

  /** Returns the key with this hash and its account, in one round trip. */
  async findKey(
    account: string,
    hash: string,
  ): Promise<{ key: ApiKeyRow | undefined; account: AccountRow | undefined }> {
    const [[key], [row]] = await this.#db.batch([
      this.#db
        .select()
        .from(apiKeys)
        .where(and(eq(apiKeys.account, account), eq(apiKeys.hash, hash))),
      this.#db.select().from(accounts).where(eq(accounts.name, account)),
    ]);
    return { key, account: row };
  }

  /**
   * Returns the key with this hash and its account, and records the use in the same round trip: durably, so that a
   * later deletion knows that the key was used, and at most once a minute.
   */
  async useKey(
    account: string,
    hash: string,
    now: number,
  ): Promise<{ key: ApiKeyRow | undefined; account: AccountRow | undefined }> {
    const { set, isDue } = useAt(apiKeys, now);
    const isKey = and(eq(apiKeys.account, account), eq(apiKeys.hash, hash));
    const [, [key], [row]] = await this.#db.batch([
      this.#db
        .update(apiKeys)
        .set(set)
        .where(and(isKey, isDue, or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, set.last_used_at)))),
      this.#db.select().from(apiKeys).where(isKey),
      this.#db.select().from(accounts).where(eq(accounts.name, account)),
    ]);
    return { key, account: row };
  }

  /** Returns the operators' token with this hash, and records its use, at most once a minute. */
  async operatorToken(hash: string, now: number): Promise<typeof operatorTokens.$inferSelect | undefined> {
    const isToken = and(eq(operatorTokens.account, OPERATOR_ACCOUNT), eq(operatorTokens.hash, hash));
    const [token] = await this.#db.select().from(operatorTokens).where(isToken);
    const last_used_at = new Date(now).toISOString();
    if (token && token.expires_at > last_used_at && isUseDue(token.last_used_at, now))
      await this.#db.update(operatorTokens).set({ last_used_at }).where(isToken);
    return token;
  }

  /**
   * Returns, in one round trip, the account, its user with this id (none if the id is null), its rules for sessions,
   * and whether the person of another identity provider was removed.
   */
  async sessionUser(
    account: string,
    id: string | null,
  ): Promise<{
    account: AccountRow | undefined;
    user: UserRow | undefined;
    policy: PolicyRow | undefined;
    removed: boolean;
  }> {
    const isUser = and(eq(users.account, account), eq(users.id, id ?? ""));
    const [[row], [user], [policy], [removedMember]] = await this.#db.batch([
      this.#db.select().from(accounts).where(eq(accounts.name, account)),
      this.#db.select().from(users).where(isUser),
      this.#db.select().from(signInPolicies).where(eq(signInPolicies.account, account)),
      this.#db
        .select()
        .from(removedMembers)
        .where(and(eq(removedMembers.account, account), eq(removedMembers.id, id ?? ""))),
    ]);
    return { account: row, user, policy, removed: removedMember !== undefined };
  }

  /** Returns which of these accounts have removed the identity provider's user with this id. */
  async removedFrom(names: string[], id: string): Promise<string[]> {
    const { account } = removedMembers;
    const rows = await this.#db
      .select({ account })
      .from(removedMembers)
      .where(
        and(sql`${account} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`, eq(removedMembers.id, id)),
      );
    return rows.map(({ account }) => account);
  }

  /** Returns which of these accounts exist. */
  named(names: string[]): Promise<Pick<AccountRow, "name" | "display_name" | "disabled_at">[]> {
    const { name, display_name, disabled_at } = accounts;
    return this.#db
      .select({ name, display_name, disabled_at })
      .from(accounts)
      .where(sql`${name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`)
      .orderBy(asc(name));
  }

  async exists(name: string): Promise<boolean> {
    const [row] = await this.#db.select({ name: accounts.name }).from(accounts).where(eq(accounts.name, name));
    return row !== undefined;
  }

  /**
   * Returns the data of operators' metrics in one batch: the gauges at `now` (ms) by kind of object, and the sums of
   * the day.
   */
  async metrics(now: number): Promise<Metrics> {
    const { kind, at, storage_bytes, outbox_rows, outbox_parked, outbox_since, alarm_lag_ms } = objectGauges;
    const { call_leases, live_leases, retention_since } = objectGauges;
    const total = (column: SQLiteColumn) => sql<number>`coalesce(sum(${column}), 0)`;
    const sums = Object.fromEntries(DAY_SUMS.map((name) => [name, total(accountDays[name])]));
    const [objects, [today], [counted], [retention], jobs] = await this.#db.batch([
      this.#db
        .select({
          kind,
          objects: sql<number>`count(*) AS objects`,
          storage_bytes: sql<number>`sum(${storage_bytes}) AS storage_sum`,
          largest_bytes: sql<number>`max(${storage_bytes}) AS storage_max`,
          outbox_rows: sql<number>`sum(${outbox_rows}) AS rows_sum`,
          outbox_parked: sql<number>`sum(${outbox_parked}) AS parked_sum`,
          outbox_age_ms: sql<number>`max(0, ${now} - coalesce(min(${outbox_since}), ${now})) AS age`,
          alarm_lag_ms: sql<number>`coalesce(max(iif(${at} >= ${now - LAG_SHOWN_MS}, ${alarm_lag_ms}, 0)), 0) AS lag`,
          call_leases: sql<number>`sum(${call_leases}) AS calls`,
          live_leases: sql<number>`sum(${live_leases}) AS live`,
          retention_age_ms: sql<number>`max(0, ${now} - coalesce(min(${retention_since}), ${now})) AS retention`,
        })
        .from(objectGauges)
        .groupBy(kind)
        .orderBy(asc(kind)),
      this.#db
        .select(sums as Record<DaySum, SQL<number>>)
        .from(accountDays)
        .where(eq(accountDays.day, new Date(now).toISOString().slice(0, 10))),
      this.#db.select({ accounts: sql<number>`count(*)` }).from(accounts),
      // Both queries are index look-ups. A due time of 0 means at once, so it counts from now.
      this.#db
        .select({
          owed_since: sql<number | null>`(SELECT min(${accounts.retention_owed_since}) FROM ${accounts})`,
          due_at: sql<
            number | null
          >`(SELECT min(${accounts.retention_due_at}) FROM ${accounts} WHERE ${accounts.retention_due_at} > 0)`,
        })
        .from(sql`(SELECT 1)`),
      this.#db.select().from(scheduledJobs).orderBy(asc(scheduledJobs.job)),
    ]);
    const none = Object.fromEntries(DAY_SUMS.map((name) => [name, 0])) as Record<DaySum, number>;
    const untold_since = Math.min(retention?.owed_since ?? now, retention?.due_at ?? now, now);
    return {
      objects,
      today: today ?? none,
      accounts: counted?.accounts ?? 0,
      untold_ms: now - untold_since,
      jobs: jobs.map(({ job, failing_since }) => ({ job, failing_ms: Math.max(0, now - (failing_since ?? now)) })),
    };
  }
}
