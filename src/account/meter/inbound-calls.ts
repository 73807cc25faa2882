import { DAY_MS } from "../../kernel/time.ts";
import { type CallerCap, type CallerUsage, type RefusalCause, utcDay } from "../../phone/call-limits/call-caps.ts";

export const INBOUND_CALLS = `
  CREATE TABLE caller_days (
    day TEXT NOT NULL, caller TEXT NOT NULL, calls INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, caller)
  ) WITHOUT ROWID;
  -- refused is the cap or limit that refused the call; null if it was admitted.
  CREATE TABLE inbound_calls (
    id TEXT PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, taken_at INTEGER NOT NULL, refused TEXT
  ) WITHOUT ROWID;
  CREATE INDEX inbound_calls_taken ON inbound_calls (taken_at);
`;

/** How long a repeated announcement by a carrier counts as the same call, ms. */
const ANNOUNCED_AGAIN_MS = 7 * DAY_MS;
/**
 * The maximum number of refused calls per caller and day that are recorded, so that a flood of them does not fill the
 * account's list.
 */
export const REFUSALS_ON_RECORD = 20;

/** Refusals that are recorded. */
type Refusing = RefusalCause | CallerCap;

/**
 * Stores the account's inbound calls by their carriers' ids, so that a call that is announced twice counts once, and
 * counts the calls of each caller. A caller's live calls are the leases with that caller.
 */
export class InboundCalls {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Returns the call that its carrier announced as `id`, and the cap that refused it; null if the announcement is new.
   */
  find(id: string): { callId: string; refusedBy: Refusing | null } | null {
    const [found] = this.#sql
      .exec<{ callId: string; refusedBy: Refusing | null }>(
        "SELECT call_id callId, refused refusedBy FROM inbound_calls WHERE id = ?",
        id,
      )
      .toArray();
    return found ?? null;
  }

  usage(caller: string, now: number): CallerUsage {
    return this.#sql
      .exec<{ concurrent: number; today: number }>(
        `SELECT (SELECT count(*) FROM call_leases WHERE caller = ?1 AND expires_at > ?2) concurrent,
           coalesce((SELECT calls FROM caller_days WHERE day = ?3 AND caller = ?1), 0) today`,
        caller,
        now,
        utcDay(now),
      )
      .one();
  }

  /** Records an admitted call, which has a lease of its own. */
  admitted(id: string, callId: string, caller: string, now: number): void {
    this.#prunePast(now);
    this.#sql.exec("INSERT INTO inbound_calls (id, call_id, taken_at) VALUES (?, ?, ?)", id, callId, now);
    this.#count("calls", caller, now);
  }

  /** Records a refused call; returns whether the call is recorded. */
  refused(id: string, callId: string, { caller, by }: { caller: string; by: Refusing }, now: number): boolean {
    this.#prunePast(now);
    if (this.#count("refused", caller, now) > REFUSALS_ON_RECORD) return false;
    this.#sql.exec(
      "INSERT INTO inbound_calls (id, call_id, taken_at, refused) VALUES (?, ?, ?, ?)",
      id,
      callId,
      now,
      by,
    );
    return true;
  }

  /** Refunds leases of calls that were not placed. Ignores those that are no longer held. */
  refund(callIds: string[]): void {
    const ids = JSON.stringify(callIds);
    const unused = this.#sql
      .exec<{ caller: string; admitted_at: number }>(
        `SELECT caller, admitted_at FROM call_leases
         WHERE caller IS NOT NULL AND call_id IN (SELECT value FROM json_each(?))`,
        ids,
      )
      .toArray();
    for (const { caller, admitted_at } of unused) {
      this.#sql.exec(
        "UPDATE caller_days SET calls = max(0, calls - 1) WHERE day = ? AND caller = ?",
        utcDay(admitted_at),
        caller,
      );
    }
    if (unused.length > 0)
      this.#sql.exec("DELETE FROM inbound_calls WHERE call_id IN (SELECT value FROM json_each(?))", ids);
  }

  #count(what: "calls" | "refused", caller: string, now: number): number {
    return this.#sql
      .exec<{ n: number }>(
        `INSERT INTO caller_days (day, caller, ${what}) VALUES (?, ?, 1)
         ON CONFLICT (day, caller) DO UPDATE SET ${what} = ${what} + 1 RETURNING ${what} n`,
        utcDay(now),
        caller,
      )
      .one().n;
  }

  #prunePast(now: number): void {
    this.#sql.exec("DELETE FROM caller_days WHERE day < ?", utcDay(now - DAY_MS));
    this.#sql.exec(
      "DELETE FROM inbound_calls WHERE taken_at <= ? AND call_id NOT IN (SELECT call_id FROM call_leases)",
      now - ANNOUNCED_AGAIN_MS,
    );
  }
}
