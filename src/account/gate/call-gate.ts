import { DurableObject } from "cloudflare:workers";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { armNoLaterThan, nextAlarm } from "../../kernel/durable/alarm.ts";
import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import { accountOf, campaignObject } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import type { Admission, Usage } from "../../phone/call-limits/call-caps.ts";
import type { CallCaps, Plan } from "../../phone/call-limits/plans.ts";
import { longestCall } from "../../phone/calls/place-call.ts";
import { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import {
  HANG_UP_AGAIN_MS,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../../phone/calls/reconciliation.ts";
import { AccountQuotas } from "./account-quotas.ts";
import { exchangeLeases, type LeaseExchange } from "./lease-exchange.ts";
import { LeaseLedger } from "./lease-ledger.ts";
import { readListing } from "./listing.ts";
import { GATE_MIGRATIONS } from "./migrations.ts";
import { PlanInForce } from "./plan-in-force.ts";
import { SessionLedger } from "./session-ledger.ts";
import { SignInLedger } from "./sign-in-ledger.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Calls without recent events that are reconciled in one alarm: a carrier that lists calls answers for all at once. */
const SILENT_AT_ONCE = 200;
/** After a failure of its own work (D1) the alarm comes again, ms. */
const TRY_AGAIN_MS = 2_000;

/** What the gate holds in its own storage. */
interface Ledgers {
  leases: LeaseLedger;
  turns: TurnQueue;
  sessions: SessionLedger;
  quotas: AccountQuotas;
  signIns: SignInLedger;
}

/** The gate's half for calls: whether one may go now, whose turn it is, and what became of those nobody else follows. */
export abstract class CallGate extends DurableObject<Env> {
  protected readonly account = accountOf(this.ctx);
  protected readonly lookUps = new LookUps(this.env.DB);
  protected readonly plan = new PlanInForce(this.account, this.lookUps);
  /** Made at the first call, stream, upload, sign-in or sign-out: who is only asked who may come in stores nothing. */
  protected ledgers: Ledgers | null = null;
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
    return this.opened().leases;
  }

  get #turns(): TurnQueue {
    return this.opened().turns;
  }

  protected opened(): Ledgers {
    if (this.ledgers) return this.ledgers;
    const { sql } = this.ctx.storage;
    migrate(this.ctx.storage, GATE_MIGRATIONS, Date.now());
    this.ledgers = {
      leases: new LeaseLedger(sql),
      turns: new TurnQueue(sql),
      sessions: new SessionLedger(sql),
      quotas: new AccountQuotas(
        sql,
        async () => (await this.plan.get()).quotas,
        () => readListing(this.ownStore("system:quotas")),
      ),
      signIns: new SignInLedger(sql),
    };
    return this.ledgers;
  }

  /** After the account's plan, caps, standing or call settings changed; the queue is looked at anew. */
  protected async forgetPlan(): Promise<void> {
    this.plan.forget();
    if (this.#followsCalls()) await this.ctx.storage.setAlarm(Date.now() + 1);
  }

  /**
   * A lease for one call outside of campaigns: an outbound one rings first, for `rings` ms at most; an inbound one, for
   * which that is null, is answered at once.
   */
  async lease(callId: string, rings: number | null): Promise<Admission> {
    const { caps } = await this.plan.get();
    const now = Date.now();
    const { duration } = longestCall(this.env);
    const limits = { ring: rings ?? 0, duration };
    const call: OpenCall = { placedAt: now, connectedAt: rings === null ? now : null, inDoubt: false };
    const ttl = (rings ?? duration) + SETTLED_WITHIN_MS;
    const admission = this.#leases.take([callId], ttl, caps, now, { lookAt: lookAtFirst(call, limits, now) });
    await this.#arm();
    return admission;
  }

  /** Leases for a campaign, in turn with the account's other campaigns; for the rest it is woken. */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    const plan = await this.plan.get();
    const admission = exchangeLeases(this.#leases, this.#turns, plan, exchange, Date.now());
    await this.#callNext();
    return admission;
  }

  /** Somebody answered the call: its lease lasts as long as it may talk. */
  async answered(callId: string): Promise<void> {
    const now = Date.now();
    const limits = longestCall(this.env);
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

  /** The plan, its caps, what of them campaigns may use, and what is used, for GET /call-limits. */
  async usage(): Promise<{ plan: Plan; caps: CallCaps; campaign_slots: number; usage: Usage }> {
    const { plan, caps, campaign_slots } = await this.plan.get();
    return { plan, caps, campaign_slots, usage: this.#leases.usage(Date.now()) };
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
    const plan = await this.plan.get();
    const now = Date.now();
    const called = this.#turns.call(this.#leases.room(plan, now), now);
    this.#turnsAt = this.#leases.nextRoomAt(plan, now);
    await this.#arm();
    await Promise.allSettled(called.map((id) => campaignObject(this.env, this.account, id).wake()));
  }

  /** Asks the carriers about the calls that no campaign watches and that fell silent. */
  async #askAboutSilent(): Promise<void> {
    const silent = this.#leases.silent(SILENT_AT_ONCE, Date.now());
    if (silent.length === 0) return;
    const store = this.ownStore("system:reconciliation");
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

  protected ownStore(actor: string): AccountStore {
    return accountStore(this.env, this.account, { actor, request_id: "" });
  }
}
