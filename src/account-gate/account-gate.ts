import { DurableObject } from "cloudflare:workers";
import { eq, isNull, sql } from "drizzle-orm";
import { callLimits } from "../calls/place-call.ts";
import { reconcileCalls } from "../calls/reconcile-calls.ts";
import {
  HANG_UP_AGAIN_MS,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../calls/reconciliation.ts";
import { AccountStore, type Author } from "../db/account-store.ts";
import { all } from "../db/conditions.ts";
import { LookUps } from "../db/look-ups.ts";
import { apiKeys } from "../db/schema/index.ts";
import { armNoLaterThan, nextAlarm } from "../durable/alarm.ts";
import { hasTable, migrate } from "../durable/migrate.ts";
import { accountOf, campaignObject } from "../durable/objects.ts";
import { logError } from "../log.ts";
import type { Admission, Usage } from "./call-caps.ts";
import { KeyCache, type KeyStanding } from "./key-cache.ts";
import { exchangeLeases, type LeaseExchange } from "./lease-exchange.ts";
import { LEASE_MIGRATIONS, LeaseLedger } from "./lease-ledger.ts";
import { type CallCaps, capsOf, type Plan } from "./plans.ts";
import { RequestRate } from "./request-rate.ts";
import { TurnQueue } from "./turn-queue.ts";

export type KeyAdmission =
  | { outcome: "ok"; keyId: string }
  | { outcome: "unknown" | "revoked" | "account_closed" }
  | { outcome: "rate_limited"; retryAfterMs: number };

/** How long the account's plan and caps are reused, ms; an operator's change forgets them at once. */
const PLAN_REUSE_MS = 30_000;
/** A closed account makes no calls. */
const NO_CALLS: CallCaps = { concurrent_calls: 0, calls_per_minute: 0, calls_per_day: 0 };
/** Calls without recent events that are reconciled in one alarm: a carrier that lists calls answers for all at once. */
const SILENT_AT_ONCE = 200;
/** After a failure of its own work (D1) the alarm comes again, ms. */
const TRY_AGAIN_MS = 2_000;

/**
 * One object per account, named by it: the one place that answers "is this key good now" and "may this call go now",
 * so that a revoked key fails on the very next request and caps are exact under any concurrency.
 */
export class AccountGate extends DurableObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #lookUps = new LookUps(this.env.DB);
  readonly #keys = new KeyCache();
  readonly #rate = new RequestRate(Number(this.env.KEY_RATE_LIMIT));
  /** Made at the first call: an object that is only asked about keys, perhaps of an invented account, stores nothing. */
  #calls: { leases: LeaseLedger; turns: TurnQueue } | null = null;
  #plan: { plan: Plan; caps: CallCaps; at: number } | null = null;
  /** Counts the operator's changes, so that a plan read before one is not kept after it. */
  #changes = 0;
  /** When (ms) the queue of campaigns is looked at again; at once after a restart. */
  #turnsAt = 0;
  /** After a failure the alarm waits until then, ms. */
  #notBefore = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (!this.#followsCalls()) return;
    const now = Date.now();
    this.#leases.lookAtAll((lookedAt) => lookAtAfterRebuild(lookedAt, now));
    // An alarm can be lost with its process: whoever is built with something to wait for arms it again.
    ctx.blockConcurrencyWhile(() => this.#arm());
  }

  #followsCalls(): boolean {
    return hasTable(this.ctx.storage, "call_leases");
  }

  get #leases(): LeaseLedger {
    return this.#opened().leases;
  }

  get #turns(): TurnQueue {
    return this.#opened().turns;
  }

  #opened() {
    if (this.#calls) return this.#calls;
    const { sql } = this.ctx.storage;
    migrate(this.ctx.storage, LEASE_MIGRATIONS, Date.now());
    this.#calls = { leases: new LeaseLedger(sql), turns: new TurnQueue(sql) };
    return this.#calls;
  }

  /** Whether the key with this SHA-256 may make one more request now. */
  async admit(hash: string): Promise<KeyAdmission> {
    const now = Date.now();
    const standing = await this.#keys.get(hash, now, () => this.#verify(hash, now));
    if (!standing || (standing.expiresAt !== null && standing.expiresAt <= now)) return { outcome: "unknown" };
    if (standing.revoked) return { outcome: "revoked" };
    if (standing.accountClosed) return { outcome: "account_closed" };
    const retryAfterMs = this.env.RATE_LIMITS === "off" ? 0 : this.#rate.count(standing.keyId, now);
    return retryAfterMs > 0 ? { outcome: "rate_limited", retryAfterMs } : { outcome: "ok", keyId: standing.keyId };
  }

  /** Renames, disables or enables a key; false when the account has no such key. Holds from the next request on. */
  async updateKey(
    id: string,
    change: { name?: string | undefined; disabled?: boolean | undefined },
    author: Author,
  ): Promise<boolean> {
    const disabledAt = change.disabled
      ? sql`coalesce(${apiKeys.disabled_at}, ${new Date().toISOString()})`
      : change.disabled === false
        ? null
        : undefined;
    const set = {
      ...(change.name !== undefined && { name: change.name }),
      ...(disabledAt !== undefined && { disabled_at: disabledAt }),
    };
    const store = this.#store(author);
    const isKey = eq(apiKeys.id, id);
    if (Object.keys(set).length === 0) {
      const [found] = await store.read(store.first(apiKeys, { where: isKey, columns: ["id"] }));
      return found !== undefined;
    }
    try {
      const [rows] = await store.write(
        { action: "update", resource: "api_key", resource_id: id },
        store.update(apiKeys, set, isKey),
      );
      return rows.length > 0;
    } finally {
      this.#keys.forget();
    }
  }

  /** Removes a key that was never used, disables one that was; false when there is none. */
  async deleteKey(id: string, author: Author): Promise<boolean> {
    const store = this.#store(author);
    const isKey = eq(apiKeys.id, id);
    try {
      const [rows] = await store.write(
        { action: "delete", resource: "api_key", resource_id: id },
        store.update(
          apiKeys,
          { disabled_at: sql`coalesce(${apiKeys.disabled_at}, ${new Date().toISOString()})` },
          isKey,
        ),
        store.delete(apiKeys, all(isKey, isNull(apiKeys.last_used_at))),
      );
      return rows.length > 0;
    } finally {
      this.#keys.forget();
    }
  }

  /** Drops what is remembered of the account, after its plan, caps or standing changed, and looks at the queue anew. */
  async forget(): Promise<void> {
    this.#keys.forget();
    this.#plan = null;
    this.#changes++;
    if (this.#followsCalls()) await this.ctx.storage.setAlarm(Date.now() + 1);
  }

  /** A lease for one call outside of campaigns: an outbound one rings first, an inbound one is answered at once. */
  async lease(callId: string, begins: "ringing" | "answered"): Promise<Admission> {
    const { caps } = await this.#currentPlan();
    const now = Date.now();
    const limits = callLimits(this.env);
    const call: OpenCall = { placedAt: now, connectedAt: begins === "answered" ? now : null, inDoubt: false };
    const ttl = (begins === "answered" ? limits.duration : limits.ring) + SETTLED_WITHIN_MS;
    const admission = this.#leases.take([callId], ttl, caps, now, { lookAt: lookAtFirst(call, limits, now) });
    await this.#arm();
    return admission;
  }

  /** Leases for a campaign, in turn with the account's other campaigns; for the rest it is woken. */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    const { caps } = await this.#currentPlan();
    const admission = exchangeLeases(this.#leases, this.#turns, caps, exchange, Date.now());
    await this.#callNext();
    return admission;
  }

  /** Somebody answered the call: its lease lasts as long as it may talk. */
  async answered(callId: string): Promise<void> {
    const now = Date.now();
    const limits = callLimits(this.env);
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    this.#leases.talks(callId, lookAtFirst(call, limits, now), limits.duration + SETTLED_WITHIN_MS);
    await this.#arm();
  }

  /** The carrier has not said whether it took the call, or what became of its hang-up: it is asked soon. */
  async askSoon(callId: string): Promise<void> {
    this.#leases.lookAt(callId, Date.now() + HANG_UP_AGAIN_MS, 0);
    await this.#arm();
  }

  /** The call is to end, and its carrier did not say that it has: the hang-up is tried again. */
  async hangUpAgain(callId: string): Promise<void> {
    this.#leases.hangUp(callId, Date.now() + HANG_UP_AGAIN_MS);
    await this.#arm();
  }

  /** A call has ended. */
  async release(callIds: string[]): Promise<void> {
    this.#leases.free(callIds);
    await this.#callNext();
  }

  /** A lease was taken for a call that was not made. */
  async refund(callIds: string[]): Promise<void> {
    this.#leases.refund(callIds);
    await this.#callNext();
  }

  /** The plan, its caps and what of them is used, for GET /call-limits. */
  async usage(): Promise<{ plan: Plan; caps: CallCaps; usage: Usage }> {
    const { plan, caps } = await this.#currentPlan();
    return { plan, caps, usage: this.#leases.usage(Date.now()) };
  }

  override async alarm(): Promise<void> {
    try {
      await Promise.all([this.#callNext(), this.#askAboutSilent()]);
      this.#notBefore = 0;
    } catch (error) {
      this.#notBefore = Date.now() + TRY_AGAIN_MS;
      logError("account gate", error);
    } finally {
      await this.#arm();
    }
  }

  /** Wakes the campaigns whose turn it is, as many as there are free slots, and arms the next look at the queue. */
  async #callNext(): Promise<void> {
    if (this.#turns.length === 0) return;
    const { caps } = await this.#currentPlan();
    const now = Date.now();
    const called = this.#turns.call(this.#leases.room(caps, now), now);
    this.#turnsAt = this.#leases.nextRoomAt(caps, now);
    await this.#arm();
    await Promise.allSettled(called.map((id) => campaignObject(this.env, this.#account, id).wake()));
  }

  /** Asks the carriers about the calls that no campaign watches and that fell silent. */
  async #askAboutSilent(): Promise<void> {
    const silent = this.#leases.silent(SILENT_AT_ONCE, Date.now());
    if (silent.length === 0) return;
    const store = this.#store({ actor: "system:reconciliation", request_id: "" });
    for (const { callId, lookAt } of await reconcileCalls(this.env, store, silent, Date.now)) {
      this.#leases.looked(callId, Date.now());
      if (lookAt === null) this.#leases.free([callId]);
      else this.#leases.lookAt(callId, lookAt, SETTLED_WITHIN_MS);
    }
    await this.#callNext();
  }

  /** Sets the alarm for whatever comes first: the turn of a campaign, or a call to ask about. */
  async #arm(): Promise<void> {
    const turnsAt = this.#turns.length > 0 ? this.#turnsAt : null;
    const next = nextAlarm([turnsAt, this.#leases.nextLookAt()], Math.max(this.#notBefore, Date.now() + 1));
    await armNoLaterThan(this.ctx.storage, next);
  }

  async #verify(hash: string, now: number): Promise<KeyStanding | null> {
    const { key, account } = await this.#lookUps.useKey(this.#account, hash, now);
    if (!key || !account) return null;
    return {
      keyId: key.id,
      revoked: key.disabled_at !== null,
      accountClosed: account.disabled_at !== null,
      expiresAt: key.expires_at === null ? null : Date.parse(key.expires_at),
    };
  }

  async #currentPlan(): Promise<{ plan: Plan; caps: CallCaps }> {
    const now = Date.now();
    if (this.#plan && now - this.#plan.at < PLAN_REUSE_MS) return this.#plan;
    const changes = this.#changes;
    const row = await this.#lookUps.account(this.#account);
    if (!row) throw new TypeError("the account is not known");
    const plan = { plan: row.plan, caps: row.disabled_at === null ? capsOf(row) : NO_CALLS, at: now };
    if (changes === this.#changes) this.#plan = plan;
    return plan;
  }

  #store(author: Author): AccountStore {
    return new AccountStore(this.env.DB, this.#account, author, true);
  }
}
