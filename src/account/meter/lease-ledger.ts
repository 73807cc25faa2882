import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import {
  type Admission,
  admitCalls,
  admitCampaignCalls,
  type Usage,
  utcDay,
} from "../../phone/call-limits/call-caps.ts";
import type { CallCaps } from "../../phone/call-limits/plans.ts";
import type { AccountPlan } from "../plan/plan-in-force.ts";

/** A call that the meter itself watches and looks up at its carrier. */
export interface WatchedCall {
  callId: string;
  /** Whether a hang-up that was requested has not been carried out yet. */
  hangUp: boolean;
  /** When (ms) the look-up was due. */
  lookAt: number;
}

/** When (ms) the meter looks up a call that it watches, and the caller if the call is inbound. */
type Watch = { lookAt: number; caller?: string };
type Follower = Watch | { campaign: string };

const LEG = "/transfer";
/** Returns the id of the lease for a transfer's target leg, which is freed together with the call's own. */
export const transferredLeg = (callId: string) => `${callId}${LEG}`;
/** Returns the call to which a lease belongs, either directly or as its transferred leg. */
export const callOfLeg = (id: string): string => (id.endsWith(LEG) ? id.slice(0, -LEG.length) : id);

export type CampaignLimits = Pick<AccountPlan, "caps" | "campaign_slots">;

/**
 * Stores the account's calls in progress as leases. A lease that is neither renewed nor freed expires, so a lost
 * webhook never occupies a slot permanently. All methods are synchronous, so nothing happens between the count and the
 * admission that it allows.
 */
export class LeaseLedger {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  usage(now: number): Usage {
    const leases = this.#sql
      .exec<{ n: number; campaigns: number; next: number | null }>(
        "SELECT count(*) n, count(campaign) campaigns, min(expires_at) next FROM call_leases WHERE expires_at > ?",
        now,
      )
      .one();
    const minute = this.#sql
      .exec<{ n: number | null; oldest: number | null }>(
        "SELECT sum(calls) n, min(at) oldest FROM admissions WHERE at > ?",
        now - MINUTE_MS,
      )
      .one();
    const [day] = this.#sql.exec<{ calls: number }>("SELECT calls FROM days WHERE day = ?", utcDay(now)).toArray();
    return {
      concurrent: leases.n,
      ofCampaigns: leases.campaigns,
      nextLeaseExpiry: leases.next,
      lastMinute: minute.n ?? 0,
      oldestInMinute: minute.oldest,
      today: day?.calls ?? 0,
    };
  }

  /**
   * Takes leases of `ttl` ms for as many single or inbound calls as the caps admit, in order. A call that already has a
   * lease keeps it and is not counted again.
   */
  take(callIds: string[], ttl: number, caps: CallCaps, now: number, follower: Watch | null = null): Admission {
    const fresh = this.#withoutLease(callIds, now);
    const admission = admitCalls(caps, this.usage(now), fresh.length, now);
    this.#insert(fresh.slice(0, admission.granted), ttl, now, follower);
    return ofAll(callIds, fresh, admission);
  }

  takeForCampaign(callIds: string[], ttl: number, plan: CampaignLimits, now: number, campaign: string): Admission {
    const fresh = this.#withoutLease(callIds, now);
    const admission = this.admission(plan, fresh.length, now);
    this.#insert(fresh.slice(0, admission.granted), ttl, now, { campaign });
    return ofAll(callIds, fresh, admission);
  }

  /** Counts how many calls at the beginning of the list hold a lease. */
  heldInFront(callIds: string[], now: number): number {
    const [first] = this.#withoutLease(callIds, now);
    return first === undefined ? callIds.length : callIds.indexOf(first);
  }

  /** Returns which of these calls hold no lease. */
  #withoutLease(callIds: string[], now: number): string[] {
    return jsonPieces([...new Set(callIds)]).flatMap((ids) =>
      this.#sql
        .exec<{ id: string }>(
          `SELECT value id FROM json_each(?1)
           WHERE NOT EXISTS (SELECT 1 FROM call_leases WHERE call_id = value AND expires_at > ?2) ORDER BY key`,
          ids,
          now,
        )
        .toArray()
        .map(({ id }) => id),
    );
  }

  #insert(admitted: string[], ttl: number, now: number, follower: Follower | null): void {
    if (admitted.length === 0) return;
    for (const ids of jsonPieces(admitted)) {
      this.#sql.exec(
        `INSERT OR REPLACE INTO call_leases (call_id, admitted_at, expires_at, look_at, caller, campaign)
         SELECT value, ?, ?, ?, ?, ? FROM json_each(?)`,
        now,
        now + ttl,
        follower && "lookAt" in follower ? follower.lookAt : null,
        follower && "lookAt" in follower ? (follower.caller ?? null) : null,
        follower && "campaign" in follower ? follower.campaign : null,
        ids,
      );
    }
    this.#sql.exec("INSERT INTO admissions (at, calls) VALUES (?, ?)", now, admitted.length);
    this.#sql.exec(
      "INSERT INTO days (day, calls) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls",
      utcDay(now),
      admitted.length,
    );
    this.#prunePast(now);
  }

  /** Extends unexpired leases to `ttl` ms from now. */
  renew(callIds: string[], ttl: number, now: number): void {
    for (const ids of jsonPieces(callIds)) {
      this.#sql.exec(
        "UPDATE call_leases SET expires_at = ?1 WHERE expires_at > ?2 AND call_id IN (SELECT value FROM json_each(?3))",
        now + ttl,
        now,
        ids,
      );
    }
  }

  /** Returns the watched calls whose look-up is due. Those without news for longest come first. */
  silent(limit: number, now: number): WatchedCall[] {
    return this.#sql
      .exec<{ callId: string; hangUp: number; lookAt: number }>(
        "SELECT call_id callId, hang_up hangUp, look_at lookAt FROM call_leases WHERE look_at <= ? ORDER BY look_at LIMIT ?",
        now,
        limit,
      )
      .toArray()
      .map(({ callId, hangUp, lookAt }) => ({ callId, hangUp: hangUp === 1, lookAt }));
  }

  /** Checks whether the call's look-up is still due at the same time, which means that nothing was reported since. */
  isStillDue({ callId, lookAt }: WatchedCall): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM call_leases WHERE call_id = ? AND look_at = ?", callId, lookAt).toArray().length > 0
    );
  }

  nextLookAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(look_at) at FROM call_leases").one().at;
  }

  /** Schedules the look-up of a watched call at `at` (ms). Its lease lasts at least `ttl` ms longer. */
  lookAt(callId: string, at: number, ttl: number): void {
    this.#sql.exec(
      "UPDATE call_leases SET look_at = ?1, expires_at = max(expires_at, ?1 + ?2) WHERE call_id = ?3 AND look_at IS NOT NULL",
      at,
      ttl,
      callId,
    );
  }

  /** Schedules the look-up of an answered call at `at` (ms), unless it must be hung up earlier. */
  talks(callId: string, at: number, ttl: number): void {
    this.#sql.exec(
      `UPDATE call_leases SET look_at = iif(hang_up = 1, look_at, ?1), expires_at = max(expires_at, ?1 + ?2)
       WHERE call_id = ?3 AND look_at IS NOT NULL`,
      at,
      ttl,
      callId,
    );
  }

  /** Records that the call was just looked up at its carrier. */
  looked(callId: string, now: number): void {
    this.#sql.exec("UPDATE call_leases SET looked_at = ? WHERE call_id = ?", now, callId);
  }

  /** Sets whether the next look-up hangs the call up. */
  owesHangUp(callId: string, owes: boolean): void {
    this.#sql.exec("UPDATE call_leases SET hang_up = ? WHERE call_id = ?", Number(owes), callId);
  }

  /**
   * Schedules a look-up of every watched call after a restart, because events that arrived in the meantime were lost.
   */
  lookAtAll(at: (lookedAt: number | null) => number): void {
    const watched = this.#sql
      .exec<{ call_id: string; looked_at: number | null; look_at: number }>(
        "SELECT call_id, looked_at, look_at FROM call_leases WHERE look_at IS NOT NULL",
      )
      .toArray();
    for (const { call_id, looked_at, look_at } of watched) {
      const sooner = Math.min(look_at, at(looked_at));
      this.#sql.exec("UPDATE call_leases SET look_at = ? WHERE call_id = ?", sooner, call_id);
    }
  }

  /** Refunds unused leases. No call was placed, so no cap counts them. */
  refund(callIds: string[]): void {
    if (callIds.length === 0) return;
    const unused = this.#sql
      .exec<{ admitted_at: number }>(
        "SELECT admitted_at FROM call_leases WHERE call_id IN (SELECT value FROM json_each(?))",
        JSON.stringify(callIds),
      )
      .toArray();
    for (const { admitted_at } of unused) {
      this.#sql.exec(
        "UPDATE admissions SET calls = calls - 1 WHERE rowid = (SELECT rowid FROM admissions WHERE at = ? AND calls > 0 LIMIT 1)",
        admitted_at,
      );
      this.#sql.exec("UPDATE days SET calls = max(0, calls - 1) WHERE day = ?", utcDay(admitted_at));
    }
    this.#sql.exec("DELETE FROM admissions WHERE calls = 0");
    this.free(callIds);
  }

  /** Frees the leases of calls that the campaign does not know, because its object died before it stored them. */
  refundLost(campaign: string, leased: string[]): void {
    this.refund(this.lost(campaign, leased));
  }

  /** Returns the calls with leases that the campaign does not know. */
  lost(campaign: string, leased: string[]): string[] {
    return this.#sql
      .exec<{ call_id: string }>(
        "SELECT call_id FROM call_leases WHERE campaign = ? AND call_id NOT IN (SELECT value FROM json_each(?))",
        campaign,
        JSON.stringify(leased),
      )
      .toArray()
      .map(({ call_id }) => call_id);
  }

  /** Frees leases, and those of transferred legs together with their calls'. Ignores those that are already free. */
  free(callIds: string[]): void {
    for (const ids of jsonPieces(callIds))
      this.#sql.exec(
        `DELETE FROM call_leases WHERE call_id IN (
           SELECT value FROM json_each(?1) UNION ALL SELECT value || '${LEG}' FROM json_each(?1))`,
        ids,
      );
  }

  /** Returns the campaign that placed the call; null if the call holds no lease of a campaign. */
  campaignOf(callId: string): string | null {
    const [lease] = this.#sql
      .exec<{ campaign: string | null }>("SELECT campaign FROM call_leases WHERE call_id = ?", callId)
      .toArray();
    return lease?.campaign ?? null;
  }

  /** Returns how many of `want` campaign calls would be admitted now. */
  admission({ caps, campaign_slots }: CampaignLimits, want: number, now: number): Admission {
    return admitCampaignCalls(caps, campaign_slots, this.usage(now), want, now);
  }

  /** Returns how many campaign calls would be admitted now. */
  room(limits: CampaignLimits, now: number): number {
    return this.admission(limits, Number.MAX_SAFE_INTEGER, now).granted;
  }

  /**
   * Returns the earliest time (ms) at which campaigns may have room again without any other event; at least `now` + 1.
   */
  nextRoomAt(limits: CampaignLimits, now: number): number {
    const { granted, refusal } = this.admission(limits, Number.MAX_SAFE_INTEGER, now);
    return granted > 0 || !refusal ? now + 1_000 : refusal.retryAt;
  }

  #prunePast(now: number): void {
    this.#sql.exec("DELETE FROM call_leases WHERE expires_at <= ? AND look_at IS NULL", now);
    this.#sql.exec("DELETE FROM admissions WHERE at <= ?", now - MINUTE_MS);
    this.#sql.exec("DELETE FROM days WHERE day < ?", utcDay(now - 2 * DAY_MS));
  }
}

/** Counts how many calls at the beginning of the list have a lease after `granted` of the fresh ones got one. */
function ofAll(callIds: string[], fresh: string[], { granted, refusal }: Admission): Admission {
  const refused = fresh[granted];
  return { granted: refused === undefined ? callIds.length : callIds.indexOf(refused), refusal };
}
