import { jsonPieces } from "../db/json-pieces.ts";
import { type Admission, admitCalls, type Usage, utcDay } from "./call-caps.ts";
import type { CallCaps } from "./plans.ts";

const MINUTE = 60_000;

/**
 * The account's calls in progress as leases in the gate's own storage. A lease that is neither renewed nor freed runs
 * out, so a lost webhook never costs a slot for good. All methods are synchronous: nothing comes between the count
 * and the admission it allows.
 */
export class LeaseLedger {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS call_leases (
        call_id TEXT PRIMARY KEY, admitted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, look_at INTEGER
      );
      CREATE INDEX IF NOT EXISTS call_leases_expires ON call_leases (expires_at);
      CREATE INDEX IF NOT EXISTS call_leases_look ON call_leases (look_at) WHERE look_at IS NOT NULL;
      CREATE TABLE IF NOT EXISTS admissions (at INTEGER NOT NULL, calls INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS admissions_at ON admissions (at);
      CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, calls INTEGER NOT NULL);
    `);
  }

  usage(now: number): Usage {
    const leases = this.#sql
      .exec<{ n: number; next: number | null }>(
        "SELECT count(*) n, min(expires_at) next FROM call_leases WHERE expires_at > ?",
        now,
      )
      .one();
    const minute = this.#sql
      .exec<{ n: number | null; oldest: number | null }>(
        "SELECT sum(calls) n, min(at) oldest FROM admissions WHERE at > ?",
        now - MINUTE,
      )
      .one();
    const [day] = this.#sql.exec<{ calls: number }>("SELECT calls FROM days WHERE day = ?", utcDay(now)).toArray();
    return {
      concurrent: leases.n,
      nextLeaseExpiry: leases.next,
      lastMinute: minute.n ?? 0,
      oldestInMinute: minute.oldest,
      today: day?.calls ?? 0,
    };
  }

  /**
   * Takes leases for as many of the calls as the caps admit, first come first; each lasts `ttl` ms. Watched ones are
   * kept when they run out, as `overdue`, until they are freed; a campaign watches its calls itself.
   */
  take(callIds: string[], ttl: number, caps: CallCaps, now: number, watched = false): Admission {
    const admission = admitCalls(caps, this.usage(now), callIds.length, now);
    const admitted = callIds.slice(0, admission.granted);
    if (admitted.length === 0) return admission;
    for (const ids of jsonPieces(admitted)) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO call_leases SELECT value, ?, ?, ? FROM json_each(?)",
        now,
        now + ttl,
        watched ? now + ttl : null,
        ids,
      );
    }
    this.#sql.exec("INSERT INTO admissions VALUES (?, ?)", now, admitted.length);
    this.#sql.exec(
      "INSERT INTO days VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls",
      utcDay(now),
      admitted.length,
    );
    this.#forgetPast(now);
    return admission;
  }

  /** Prolongs leases that still run to `ttl` ms from now. */
  renew(callIds: string[], ttl: number, now: number): void {
    for (const ids of jsonPieces(callIds)) {
      this.#sql.exec(
        "UPDATE call_leases SET expires_at = ?1, look_at = iif(look_at IS NULL, NULL, ?1) WHERE expires_at > ?2 AND call_id IN (SELECT value FROM json_each(?3))",
        now + ttl,
        now,
        ids,
      );
    }
  }

  /** Calls whose watched lease has run out, longest first, with the time (ms) it did. */
  overdue(limit: number, now: number): { callId: string; since: number }[] {
    return this.#sql
      .exec<{ callId: string; since: number }>(
        "SELECT call_id callId, expires_at since FROM call_leases WHERE look_at <= ? ORDER BY look_at LIMIT ?",
        now,
        limit,
      )
      .toArray();
  }

  /** When (ms) the next watched lease is to be looked at, null when there is none. */
  nextLookAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(look_at) at FROM call_leases").one().at;
  }

  /** Puts off the next look at an overdue call; it goes on not counting. */
  lookAgain(callId: string, at: number): void {
    this.#sql.exec("UPDATE call_leases SET look_at = ? WHERE call_id = ? AND look_at IS NOT NULL", at, callId);
  }

  /** An overdue call was found to be running: it counts again, whatever the caps, for `ttl` ms. */
  revive(callId: string, ttl: number, now: number): void {
    this.#sql.exec("UPDATE call_leases SET expires_at = ?1, look_at = ?1 WHERE call_id = ?2", now + ttl, callId);
  }

  /** Frees leases; those already free are left alone. */
  free(callIds: string[]): void {
    for (const ids of jsonPieces(callIds))
      this.#sql.exec("DELETE FROM call_leases WHERE call_id IN (SELECT value FROM json_each(?))", ids);
  }

  /** How many calls the caps would admit right now. */
  room(caps: CallCaps, now: number): number {
    return admitCalls(caps, this.usage(now), Number.MAX_SAFE_INTEGER, now).granted;
  }

  /** When (ms) there can be room again by the passing of time alone, `now` + 1 at the earliest. */
  nextRoomAt(caps: CallCaps, now: number): number {
    const { granted, refusal } = admitCalls(caps, this.usage(now), Number.MAX_SAFE_INTEGER, now);
    return granted > 0 || !refusal ? now + 1_000 : refusal.retryAt;
  }

  #forgetPast(now: number): void {
    this.#sql.exec("DELETE FROM call_leases WHERE expires_at <= ? AND look_at IS NULL", now);
    this.#sql.exec("DELETE FROM admissions WHERE at <= ?", now - MINUTE);
    this.#sql.exec("DELETE FROM days WHERE day < ?", utcDay(now - 2 * 86_400_000));
  }
}
