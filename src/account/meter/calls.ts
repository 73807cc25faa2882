import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import {
  type Admission,
  type CallerCap,
  type CallRefusal,
  callerRefusal,
  type RefusalCause,
  type Usage,
} from "../../phone/call-limits/call-caps.ts";
import type { CallCaps, Plan } from "../../phone/call-limits/plans.ts";
import type { Settled } from "../../phone/calls/live/ledger-lines.ts";
import type { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import {
  type CallLimits,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../../phone/calls/reconciliation.ts";
import type { PlanInForce } from "../plan/plan-in-force.ts";
import type { CallBudgets, CallConsumer } from "./call-budgets.ts";
import { InboundCalls } from "./inbound-calls.ts";
import { exchangeLeases, type LeaseExchange } from "./lease-exchange.ts";
import { LeaseLedger, transferredLeg } from "./lease-ledger.ts";
import { TurnQueue } from "./turn-queue.ts";

type Silent = Parameters<typeof reconcileCalls>[1];

/** A call that a carrier announces. */
export interface InboundLease {
  /** The id that the call gets if it is new. */
  callId: string;
  /** The carrier, and its own id of the call. */
  announcedAs: string;
  /** The caller, in the form in which limits count callers. */
  caller: string;
  agent_id: string | null;
}

export type InboundAdmission =
  /** The call has the id from its first announcement. */
  | { outcome: "admitted"; callId: string }
  /**
   * `callId` is the id under which the refused call is recorded; null if it is not recorded. `again` is set if it was
   * announced before.
   */
  | { outcome: "refused"; refusal: CallRefusal<RefusalCause | CallerCap>; callId: string | null; again: boolean };

interface Dependencies {
  sql: SqlStorage;
  budgets: CallBudgets;
  /** The account's current limits. */
  plan: Pick<PlanInForce, "get">;
  /** Sets the meter's alarm for the next work. */
  arm(): Promise<void>;
  longestCall: CallLimits;
  /** How long a call may last in addition to its message to an answering machine, ms. */
  voicemailTimeoutMs: number;
  /** Tells a campaign that its turn has come. */
  wakeCampaign(id: string): Promise<void>;
  /** Looks up calls at their carriers and records the answers. Returns when to look up each of them again. */
  reconcile(silent: Silent): ReturnType<typeof reconcileCalls>;
}

/** The account's caps and their use, for GET /call-limits. */
export interface CallUsage {
  plan: Plan;
  caps: CallCaps;
  /** The number of concurrent calls that campaigns may use. */
  campaign_slots: number;
  usage: Usage;
}

/** The consumer of a call to which only the account's own budgets apply. */
const NO_CONSUMER: CallConsumer = { agent_id: null, campaign_id: null, api_key_id: null };
/** The answer for a call that already holds a lease and needs no other. */
const HELD: Admission = { granted: 1, refusal: null };
/** How long a campaign waits for its own live calls, which have reserved the rest of its budgets, ms. */
const BUDGET_RETRY_MS = 5_000;

/**
 * The number of calls without recent events that one alarm reconciles. A carrier that lists calls answers for all of
 * them at once.
 */
const SILENT_AT_ONCE = 200;

/**
 * The account's calls: their caps, the turns of campaigns, and the reconciliation of calls that no campaign watches.
 */
export class Calls implements ObjectPart {
  readonly retry = PROMPT_RETRY;
  readonly #deps: Dependencies;
  readonly #leases: LeaseLedger;
  readonly #inbound: InboundCalls;
  readonly #turns: TurnQueue;
  /** When (ms) the queue of campaigns is checked again. After a restart it is checked at once. */
  #turnsAt = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#leases = new LeaseLedger(deps.sql);
    this.#inbound = new InboundCalls(deps.sql);
    this.#turns = new TurnQueue(deps.sql);
  }

  dueAt(): number | null {
    return earliest([this.#turns.length > 0 ? this.#turnsAt : null, this.#leases.nextLookAt()]);
  }

  /** Events that arrived while the object was down are lost. */
  resume(now: number): void {
    this.#leases.lookAtAll((lookedAt) => lookAtAfterRebuild(lookedAt, now));
  }

  async run(): Promise<void> {
    await Promise.all([this.#wakeNext(), this.#reconcileSilent()]);
  }

  /**
   * Called after the account's plan, caps, status or call settings changed. There may now be room for waiting
   * campaigns.
   */
  async planChanged(): Promise<void> {
    this.#turnsAt = 0;
    await this.#deps.arm();
  }

  /** Takes a lease for a call outside campaigns, which may ring for at most `rings` ms. */
  async lease(callId: string, rings: number, consumer: CallConsumer = NO_CONSUMER): Promise<Admission> {
    const { caps } = await this.#ready();
    const { budgets } = this.#deps;
    const now = Date.now();
    if (this.#leases.heldInFront([callId], now) === 1) return HELD;
    const room = budgets.admits(consumer, 1, this.#longest, now);
    if (room.granted === 0) return room;
    const call: OpenCall = { placedAt: now, connectedAt: null, inDoubt: false };
    const watch = { lookAt: lookAtFirst(call, { ring: rings, duration: this.#longest }, now) };
    const ttl = rings + SETTLED_WITHIN_MS;
    const admission = this.#leases.take([callId], ttl, caps, now, watch);
    if (admission.granted === 1) budgets.open([callId], consumer, this.#longest, now + ttl, now);
    await this.#deps.arm();
    return admission;
  }

  /**
   * Takes a lease for the target leg of a transfer. It is freed together with the call. If the call's end is never
   * reported, the lease lasts as long as any call may. Only the call itself is reconciled with the carrier.
   */
  async leaseTransfer(callId: string): Promise<Admission> {
    const { caps } = await this.#ready();
    const { budgets } = this.#deps;
    const now = Date.now();
    const leg = transferredLeg(callId);
    if (this.#leases.heldInFront([leg], now) === 1) return HELD;
    const consumer = budgets.consumerOf(callId) ?? NO_CONSUMER;
    const room = budgets.admitsMinutes(consumer, 1, this.#longest, now);
    if (room.granted === 0) return room;
    const ttl = this.#longest + SETTLED_WITHIN_MS;
    const admission = this.#leases.take([leg], ttl, caps, now);
    if (admission.granted === 1) {
      budgets.open([leg], consumer, this.#longest, now + ttl, now);
      budgets.answered([leg], this.#longest, now + ttl, now);
    }
    await this.#deps.arm();
    return admission;
  }

  /** Refunds the lease of a transfer that the carrier did not carry out. */
  async refundTransfer(callId: string): Promise<void> {
    await this.refund([transferredLeg(callId)]);
  }

  /** Takes a lease for an inbound call, which is answered at once. Repeated announcements get the same lease. */
  async leaseInbound({ callId, announcedAs, caller, agent_id }: InboundLease): Promise<InboundAdmission> {
    const { caps, caller_limits } = await this.#ready();
    const { budgets } = this.#deps;
    const now = Date.now();
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    const lookAt = lookAtFirst(call, { ring: 0, duration: this.#longest }, now);
    const existing = this.#inbound.find(announcedAs);
    const ttl = this.#longest + SETTLED_WITHIN_MS;
    if (existing?.refusedBy) {
      const refusal = { cap: existing.refusedBy, retryAt: now };
      return { outcome: "refused", refusal, callId: existing.callId, again: true };
    }
    if (existing !== null) {
      // The call may only now be recorded, so its look-up is scheduled again.
      this.#leases.lookAt(existing.callId, lookAt, ttl);
      return { outcome: "admitted", callId: existing.callId };
    }
    const consumer: CallConsumer = { agent_id, campaign_id: null, api_key_id: null };
    const reached =
      callerRefusal(caller_limits, this.#inbound.usage(caller, now), now) ??
      budgets.admits(consumer, 1, this.#longest, now).refusal;
    if (reached) {
      const toRecord = this.#inbound.refused(announcedAs, callId, { caller, by: reached.cap }, now);
      return { outcome: "refused", refusal: reached, callId: toRecord ? callId : null, again: false };
    }
    const { refusal } = this.#leases.take([callId], ttl, caps, now, { lookAt, caller });
    if (refusal) return { outcome: "refused", refusal, callId: null, again: false };
    this.#inbound.admitted(announcedAs, callId, caller, now);
    budgets.open([callId], consumer, this.#longest, now + ttl, now);
    budgets.answered([callId], this.#longest, now + ttl, now);
    await this.#deps.arm();
    return { outcome: "admitted", callId };
  }

  /**
   * Takes leases for a campaign, in turn with the account's other campaigns. A campaign that gets fewer than it wants
   * is woken later for the rest.
   */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    const plan = await this.#ready();
    const now = Date.now();
    const { campaign, agent_id, leased, take } = exchange;
    this.#charge(exchange, now);
    const consumer: CallConsumer = { agent_id, campaign_id: campaign, api_key_id: null };
    // A repeated exchange finds the leases of the first one, unless the campaign has reported since then that it does
    // not have them.
    const held = leased ? 0 : this.#leases.heldInFront(take, now);
    const wanted = take.slice(held);
    const room = this.#deps.budgets.admits(consumer, wanted.length, this.#longest, now);
    const covered = Object.assign({}, exchange, { take: wanted.slice(0, room.granted) });
    const { granted: taken, refusal } = exchangeLeases(this.#leases, this.#turns, plan, covered, now);
    const granted = held + taken;
    this.#deps.budgets.open(wanted.slice(0, taken), consumer, this.#longest, now + exchange.ttl, now);
    if (leased || exchange.free.length + exchange.refund.length + take.length > 0) await this.#deps.arm();
    await this.#wakeNext();
    if (refusal || !room.refusal) return { granted, refusal };
    // The campaign's own calls may leave room when they settle, so it retries soon.
    return {
      granted,
      refusal: room.isUsedUp ? room.refusal : { cap: "concurrent_calls_cap", retryAt: now + BUDGET_RETRY_MS },
    };
  }

  /** Passes the outcomes of a campaign's calls to the budgets. */
  #charge({ campaign, free, took_ms, refund, renew, leased }: LeaseExchange, now: number): void {
    const { budgets } = this.#deps;
    budgets.settle(withLegs(free), took_ms, now);
    budgets.refund([...refund, ...(leased ? this.#leases.lost(campaign, leased) : [])], now);
    budgets.answered(renew.calls, this.#longest, now + renew.ttl, now);
  }

  /** Records that the call was answered. Its lease lasts until the maximum duration of a call. */
  async answered(callId: string): Promise<void> {
    const now = Date.now();
    const limits = this.#deps.longestCall;
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    // If a machine answered, the call may have to be hung up by this time.
    const lookAt = Math.min(lookAtFirst(call, limits, now), now + this.#deps.voicemailTimeoutMs);
    this.#leases.talks(callId, lookAt, limits.duration + SETTLED_WITHIN_MS);
    this.#deps.budgets.answered([callId], limits.duration, now + limits.duration + SETTLED_WITHIN_MS, now);
    await this.#deps.arm();
  }

  /** Applies the states of calls: frees those that are over, and schedules when to look up or hang up the others. */
  async settled(calls: Settled[]): Promise<void> {
    for (const { callId, lookAt, hangUp } of calls) {
      if (lookAt === null) this.#free([callId]);
      else {
        this.#leases.lookAt(callId, lookAt, SETTLED_WITHIN_MS);
        if (hangUp !== undefined) this.#leases.owesHangUp(callId, hangUp);
        this.#deps.budgets.keep([callId], this.#longest, lookAt + SETTLED_WITHIN_MS, Date.now());
      }
    }
    await this.#deps.arm();
    await this.#wakeNext();
  }

  /** Frees the leases of calls that have ended. */
  async release(callIds: string[]): Promise<void> {
    this.#free(callIds);
    await this.#deps.arm();
    await this.#wakeNext();
  }

  /** Refunds leases of calls that were not placed. */
  async refund(callIds: string[]): Promise<void> {
    this.#refund(callIds);
    await this.#wakeNext();
  }

  #free(callIds: string[]): void {
    this.#deps.budgets.settle(withLegs(callIds), {}, Date.now());
    this.#leases.free(callIds);
  }

  #refund(callIds: string[]): void {
    this.#deps.budgets.refund(callIds, Date.now());
    this.#inbound.refund(callIds);
    this.#leases.refund(callIds);
  }

  /** Returns the account's current limits, after its budgets are loaded as well. */
  async #ready(): ReturnType<PlanInForce["get"]> {
    const [plan] = await Promise.all([this.#deps.plan.get(), this.#deps.budgets.ready(Date.now())]);
    return plan;
  }

  /** The longest time that any call may last after it is answered, ms. */
  get #longest(): number {
    return this.#deps.longestCall.duration;
  }

  /** Returns the campaign of a call that holds a lease; null for any other call. */
  campaignOf(callId: string): string | null {
    return this.#leases.campaignOf(callId);
  }

  async usage(): Promise<CallUsage> {
    const { plan, caps, campaign_slots } = await this.#deps.plan.get();
    return { plan, caps, campaign_slots, usage: this.#leases.usage(Date.now()) };
  }

  /** Wakes as many campaigns as there are free slots, in turn, and sets when the queue is checked again. */
  async #wakeNext(): Promise<void> {
    if (this.#turns.length === 0) return;
    const plan = await this.#deps.plan.get();
    const now = Date.now();
    const next = this.#turns.call(this.#leases.room(plan, now), now);
    this.#turnsAt = this.#leases.nextRoomAt(plan, now);
    await this.#deps.arm();
    await Promise.allSettled(next.map((id) => this.#deps.wakeCampaign(id)));
  }

  /** Asks the carriers about calls without recent events that no campaign watches. */
  async #reconcileSilent(): Promise<void> {
    const silent = this.#leases.silent(SILENT_AT_ONCE, Date.now());
    if (silent.length === 0) return;
    const byId = new Map(silent.map((call) => [call.callId, call]));
    const reconciled = await this.#deps.reconcile(silent);
    for (const { callId, onRecord, uncounted } of reconciled) {
      const call = byId.get(callId);
      // The holder of the lease died before it recorded the call. If the call has been announced again since, it may be
      // recorded now.
      const isLost = !onRecord && call !== undefined && this.#leases.isStillDue(call);
      if (isLost || uncounted) this.#refund([callId]);
      this.#leases.looked(callId, Date.now());
    }
    await this.settled(reconciled.filter(({ onRecord, uncounted }) => onRecord && !uncounted));
  }
}

const withLegs = (callIds: string[]) => callIds.flatMap((id) => [id, transferredLeg(id)]);
