import type { Migration } from "../durable/migrate.ts";
import type { SignInHistory } from "./sign-in-delay.ts";

/** Who tries to sign in: the user as a hash of what was typed, whether there is one or not, and the client's address. */
export interface SignInPair {
  user: string;
  address: string;
}

export const FAILED_SIGN_INS: Migration = {
  id: "failed-sign-ins",
  sql: `
    CREATE TABLE sign_in_failures (
      user TEXT NOT NULL, address TEXT NOT NULL, failures INTEGER NOT NULL, last_at INTEGER NOT NULL,
      PRIMARY KEY (user, address)
    ) WITHOUT ROWID;
    CREATE INDEX sign_in_failures_address ON sign_in_failures (address, last_at);
    CREATE INDEX sign_in_failures_last ON sign_in_failures (last_at);
    CREATE TABLE sign_in_homes (
      user TEXT NOT NULL, address TEXT NOT NULL, seen_at INTEGER NOT NULL, PRIMARY KEY (user, address)
    ) WITHOUT ROWID;
    CREATE INDEX sign_in_homes_seen ON sign_in_homes (seen_at);
  `,
};

const DAY_MS = 86_400_000;
/** A failure is held against nobody for longer. */
export const FAILURES_KEPT_MS = DAY_MS;
/** How long an address is known as one that the user signs in from. */
export const HOMES_KEPT_MS = 90 * DAY_MS;
/** Pairs with failures that are kept: many addresses can invent names without end. */
const MAX_PAIRS = 50_000;
/** The oldest pairs beyond those go at every so many failures. */
const FAILURES_A_TRIM = 1_000;
/** Rows that are looked at for what many failed at: more make no difference. */
const COUNTED_ROWS = 1_000;

/** Failed sign-ins of an account by user and address, and the addresses its users sign in from. */
export class SignInLedger {
  readonly #sql: SqlStorage;
  #sinceTrim = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** What is remembered of the two at `now`, ms. */
  history({ user, address }: SignInPair, now: number): SignInHistory {
    const since = now - FAILURES_KEPT_MS;
    const [own] = this.#sql
      .exec<{ failures: number; lastAt: number }>(
        "SELECT failures, last_at lastAt FROM sign_in_failures WHERE user = ? AND address = ? AND last_at > ?",
        user,
        address,
        since,
      )
      .toArray();
    const elsewhere = this.#sql
      .exec<{ n: number }>(
        `SELECT coalesce(sum(failures), 0) n FROM (
           SELECT failures FROM sign_in_failures WHERE user = ? AND address != ? AND last_at > ? LIMIT ${COUNTED_ROWS}
         )`,
        user,
        address,
        since,
      )
      .one().n;
    const ofAddress = this.#sql
      .exec<{ users: number; lastAt: number }>(
        `SELECT count(*) users, coalesce(max(last_at), 0) lastAt FROM (
           SELECT last_at FROM sign_in_failures WHERE address = ? AND last_at > ? ORDER BY last_at DESC
           LIMIT ${COUNTED_ROWS}
         )`,
        address,
        since,
      )
      .one();
    return { own: own ?? null, elsewhere, address: ofAddress, atHome: this.#isHome(user, address, now) };
  }

  /** The user failed to sign in from there. */
  failed({ user, address }: SignInPair, now: number): void {
    this.#sql.exec("DELETE FROM sign_in_failures WHERE last_at <= ?", now - FAILURES_KEPT_MS);
    this.#sql.exec(
      `INSERT INTO sign_in_failures (user, address, failures, last_at) VALUES (?, ?, 1, ?)
       ON CONFLICT (user, address) DO UPDATE SET failures = failures + 1, last_at = excluded.last_at`,
      user,
      address,
      now,
    );
    if (++this.#sinceTrim < FAILURES_A_TRIM) return;
    this.#sinceTrim = 0;
    this.#sql.exec(
      `DELETE FROM sign_in_failures
       WHERE last_at < (SELECT last_at FROM sign_in_failures ORDER BY last_at DESC LIMIT 1 OFFSET ${MAX_PAIRS})`,
    );
  }

  /** The user signed in from there: failures of the two are forgiven, and the address is known from now on. */
  succeeded({ user, address }: SignInPair, now: number): void {
    this.#sql.exec("DELETE FROM sign_in_failures WHERE user = ? AND address = ?", user, address);
    this.#sql.exec("DELETE FROM sign_in_homes WHERE seen_at <= ?", now - HOMES_KEPT_MS);
    this.#sql.exec(
      `INSERT INTO sign_in_homes (user, address, seen_at) VALUES (?, ?, ?)
       ON CONFLICT (user, address) DO UPDATE SET seen_at = excluded.seen_at`,
      user,
      address,
      now,
    );
  }

  #isHome(user: string, address: string, now: number): boolean {
    const found = this.#sql.exec(
      "SELECT 1 FROM sign_in_homes WHERE user = ? AND address = ? AND seen_at > ?",
      user,
      address,
      now - HOMES_KEPT_MS,
    );
    return found.toArray().length > 0;
  }
}
