import { DAY_MS } from "../../kernel/time.ts";
import { type SignInHistory, STRANGERS_WINDOW_MS } from "./sign-in-delay.ts";

/**
 * A pair of a user and an address that attempt to sign in: the hash of the user name as typed, whether or not the user
 * exists, and the client's address.
 */
export interface SignInPair {
  user: string;
  address: string;
}

export const SIGN_INS = `
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
  -- Failures from addresses that the user has not signed in from; they share a limit.
  CREATE TABLE stranger_failures (user TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX stranger_failures_user ON stranger_failures (user, at);
  CREATE INDEX stranger_failures_at ON stranger_failures (at);
`;

/** How long a failure counts, ms. */
export const FAILURES_KEPT_MS = DAY_MS;
/** How long an address is remembered as familiar, ms. */
export const HOMES_KEPT_MS = 90 * DAY_MS;
/** The maximum number of familiar addresses of a user; the latest are kept. */
const MAX_HOMES = 50;
/** The maximum number of pairs with failures, because attackers can invent any number of names. */
const MAX_PAIRS = 50_000;
/** The number of failures after which the oldest pairs beyond the maximum are deleted. */
const FAILURES_A_TRIM = 1_000;
/** The maximum number of failures that are counted. More make no difference. */
const COUNTED_ROWS = 1_000;

/** Stores an account's failed sign-ins by user and address, and the addresses from which its users sign in. */
export class SignInLedger {
  readonly #sql: SqlStorage;
  #sinceTrim = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  history({ user, address }: SignInPair, now: number): SignInHistory {
    const since = now - FAILURES_KEPT_MS;
    const atHome = this.#isHome(user, address, now);
    const around = rangeOf(address);
    const [first, last] = atHome ? [address, address] : around;
    const own = this.#sql
      .exec<{ failures: number | null; lastAt: number }>(
        `SELECT sum(failures) failures, max(last_at) lastAt FROM (
           SELECT failures, last_at FROM sign_in_failures WHERE user = ? AND address BETWEEN ? AND ? AND last_at > ?
           LIMIT ${COUNTED_ROWS}
         )`,
        user,
        first,
        last,
        since,
      )
      .one();
    const strangers = this.#sql
      .exec<{ failures: number; lastAt: number }>(
        "SELECT count(*) failures, coalesce(max(at), 0) lastAt FROM stranger_failures WHERE user = ? AND at > ?",
        user,
        now - STRANGERS_WINDOW_MS,
      )
      .one();
    const ofNetwork = this.#sql
      .exec<{ users: number; lastAt: number }>(
        `SELECT count(DISTINCT user) users, coalesce(max(last_at), 0) lastAt FROM (
           SELECT user, last_at FROM sign_in_failures WHERE address BETWEEN ? AND ? AND last_at > ? LIMIT ${COUNTED_ROWS}
         )`,
        ...around,
        since,
      )
      .one();
    const failed = own.failures === null ? null : { failures: own.failures, lastAt: own.lastAt };
    return { own: failed, strangers, address: ofNetwork, atHome };
  }

  failed({ user, address }: SignInPair, now: number): void {
    this.#sql.exec("DELETE FROM sign_in_failures WHERE last_at <= ?", now - FAILURES_KEPT_MS);
    this.#sql.exec(
      `INSERT INTO sign_in_failures (user, address, failures, last_at) VALUES (?, ?, 1, ?)
       ON CONFLICT (user, address) DO UPDATE SET failures = failures + 1, last_at = excluded.last_at`,
      user,
      address,
      now,
    );
    this.#sql.exec("DELETE FROM stranger_failures WHERE at <= ?", now - STRANGERS_WINDOW_MS);
    if (!this.#isHome(user, address, now))
      this.#sql.exec("INSERT INTO stranger_failures (user, at) VALUES (?, ?)", user, now);
    if (++this.#sinceTrim < FAILURES_A_TRIM) return;
    this.#sinceTrim = 0;
    this.#sql.exec(
      `DELETE FROM sign_in_failures
       WHERE last_at < (SELECT last_at FROM sign_in_failures ORDER BY last_at DESC LIMIT 1 OFFSET ${MAX_PAIRS})`,
    );
  }

  /**
   * Records a successful sign-in: deletes the failures of the user from this address, and remembers the address as
   * familiar.
   */
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
    this.#sql.exec(
      `DELETE FROM sign_in_homes WHERE user = ?1 AND seen_at <
         (SELECT seen_at FROM sign_in_homes WHERE user = ?1 ORDER BY seen_at DESC LIMIT 1 OFFSET ${MAX_HOMES - 1})`,
      user,
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

/**
 * Returns the first and last address of the network around an address, in text order. For a /64 the network is the /48,
 * which is the size that a site receives; for any other address, it is the address itself.
 */
function rangeOf(address: string): [string, string] {
  const [, site] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(address) ?? [];
  // All hexadecimal digits sort before the letter g.
  return site === undefined ? [address, address] : [site, `${site}g`];
}
