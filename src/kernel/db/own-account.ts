import { and, eq, type SQL, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { accounts } from "./schema/index.ts";
import { close, closeRead, closeUpdate, type Read, type Write } from "./statement.ts";

type AccountRow = typeof accounts.$inferSelect;

/** The part of an account's row that the account itself can change, and its revision. */
export type OwnAccount = Pick<
  AccountRow,
  "name" | "display_name" | "timezone" | "revision" | "updated_by" | "revised_at"
>;
export type OwnAccountSet = { [K in "display_name" | "timezone"]?: AccountRow[K] | undefined };

/** The status of an account: open, disabled by an operator, or missing. */
export type AccountStatus = "open" | "disabled" | "unknown";

/** An account in the form in which others see it. */
export interface Profile {
  accountStatus: AccountStatus;
  display_name: string;
  /** The account's IANA time zone; null if none is set. */
  timezone: string | null;
  /** Console sessions that began before this time are over; null if no such limit is set. */
  sessions_valid_after: string | null;
}

/** Reads the account's profile. The display name is "" if the account does not exist. */
export function profileOf<T>(db: DrizzleD1Database, account: string, result: (profile: Profile) => T): Read<T> {
  const { disabled_at, display_name, timezone, sessions_valid_after } = accounts;
  const query = db
    .select({ disabled_at, display_name, timezone, sessions_valid_after })
    .from(accounts)
    .where(eq(accounts.name, account));
  return closeRead(query, ([rows]) => {
    const [row] = rows as (Omit<Profile, "accountStatus"> & { disabled_at: string | null })[];
    if (!row) return result({ accountStatus: "unknown", display_name: "", timezone: null, sessions_valid_after: null });
    const { disabled_at: disabled, display_name: name, timezone: zone, sessions_valid_after: valid } = row;
    return result({
      accountStatus: disabled === null ? "open" : "disabled",
      display_name: name,
      timezone: zone,
      sessions_valid_after: valid,
    });
  });
}

const OWN = {
  name: accounts.name,
  display_name: accounts.display_name,
  timezone: accounts.timezone,
  revision: accounts.revision,
  updated_by: accounts.updated_by,
  revised_at: accounts.revised_at,
};

/** Reads the part of the account's row that the account itself can change; undefined if the account does not exist. */
export function ownAccountOf(db: DrizzleD1Database, account: string): Read<OwnAccount | undefined> {
  const query = db.select(OWN).from(accounts).where(eq(accounts.name, account));
  return closeRead(query, ([rows]) => (rows as OwnAccount[])[0]);
}

/** Updates the account's row if it differs and has the revision `ifMatch` (null for any). Returns the changed row. */
export function reviseAccount(
  db: DrizzleD1Database,
  account: string,
  set: OwnAccountSet,
  { differs, ifMatch, actor }: { differs: SQL; ifMatch: number | null; actor: string },
): Write<OwnAccount[]> {
  const { name, revision } = accounts;
  const where = and(eq(name, account), differs, ifMatch === null ? undefined : eq(revision, ifMatch));
  const now = new Date().toISOString();
  const stamp = { revision: sql`${revision} + 1`, updated_by: actor, revised_at: now, updated_at: now };
  const change = db
    .update(accounts)
    .set(Object.assign({}, set, stamp))
    .where(where)
    .returning(OWN);
  return closeUpdate("accounts", change, sql`FROM ${accounts} WHERE ${where}`);
}

/** Reads the first days (UTC) of the account's ledger volumes, oldest first. */
export function ledgerDaysOf(db: DrizzleD1Database, account: string): Read<string[]> {
  const { created_at, ledger_days } = accounts;
  const query = db.select({ created_at, ledger_days }).from(accounts).where(eq(accounts.name, account));
  return closeRead(query, ([rows]) => {
    const [row] = rows as { created_at: string; ledger_days: string[] }[];
    return row ? [row.created_at.slice(0, 10), ...row.ledger_days] : [];
  });
}

/**
 * Appends `day` if `newest` is still the newest day. The check is part of the update, because several volumes may
 * append at the same time.
 */
export function appendLedgerDay(db: DrizzleD1Database, account: string, newest: string, day: string): Write<unknown> {
  const { name, ledger_days, created_at } = accounts;
  const last = sql`coalesce(${ledger_days} ->> '$[#-1]', substr(${created_at}, 1, 10))`;
  const change = db
    .update(accounts)
    .set({ ledger_days: sql`json_insert(${ledger_days}, '$[#]', ${day})` })
    .where(
      and(
        eq(name, account),
        sql`${last} = ${newest} AND ${newest} < ${day} AND datetime(${day}) >= datetime('now', '+12 hours')`,
      ),
    );
  return close({ builders: [change], result: () => undefined, writes: null });
}

export function recordingDaysOf(db: DrizzleD1Database, account: string): Read<number | undefined> {
  const { name, recording_retention_days: days } = accounts;
  const query = db.select({ days }).from(accounts).where(eq(name, account));
  return closeRead(query, ([rows]) => (rows as { days: number }[])[0]?.days);
}

/**
 * Reads a quota of the account; 0 if the account does not exist.
 * @param byPlan the limit by plan, which applies unless an operator set another
 */
export function quotaOf(
  db: DrizzleD1Database,
  account: string,
  quota: string,
  byPlan: Readonly<Record<string, number>>,
): Read<number> {
  const { name, plan, quotas } = accounts;
  const query = db.select({ plan, quotas }).from(accounts).where(eq(name, account));
  return closeRead(query, ([rows]) => {
    const [row] = rows as Pick<AccountRow, "plan" | "quotas">[];
    return row ? (row.quotas[quota] ?? byPlan[row.plan] ?? 0) : 0;
  });
}

export function setRecordingDays(db: DrizzleD1Database, account: string, days: number): Write<unknown> {
  const change = db.update(accounts).set({ recording_retention_days: days }).where(eq(accounts.name, account));
  return close({ builders: [change], result: () => undefined, writes: null });
}

/** Makes the account due at once, even while the cron is sending its previous retention to the ledger. */
export function retentionDueNow(db: DrizzleD1Database, account: string): Write<unknown> {
  const change = db.update(accounts).set({ retention_due_at: 0 }).where(eq(accounts.name, account));
  return close({ builders: [change], result: () => undefined, writes: null });
}
