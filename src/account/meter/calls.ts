import { earliest } from "../../kernel/durable/alarm.ts";
import {
  type Admission,
  type CallerCap,
  type CallRefusal,
  type Cap,
  callerRefusal,
  type Usage,
} from "../../phone/call-limits/call-caps.ts";
import type { CallCaps, Plan } from "../../phone/call-limits/plans.ts";
import type { reconcileCalls } from "../../phone/calls/reconcile-calls.ts";
import {
  type CallLimits,
  HANG_UP_AGAIN_MS,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../../phone/calls/reconciliation.ts";
import type { PlanInForce } from "../plan/plan-in-force.ts";
import { InboundCalls } from "./inbound-calls.ts";
import { exchangeLeases, type LeaseExchange } from "./lease-exchange.ts";
import { LeaseLedger, transferredLeg } from "./lease-ledger.ts";
import type { MeterPart } from "./part.ts";
import { TurnQueue } from "./turn-queue.ts";

type Silent = Parameters<typeof reconcileCalls>[1];

/** A call that a carrier announces. */
export interface InboundLease {
  /** What the call is to be known by, if it is new. */
  callId: string;
  /** The carrier and its own id of the call. */
  announcedAs: string;
  /** Who calls, as the limits of callers tell them apart. */
  caller: string;
}

export type InboundAdmission =
  /** Under the id that its first announcement gave it. */
  | { outcome: "admitted"; callId: string }
  | { outcome: "refused"; refusal: CallRefusal<Cap | CallerCap>; toRecord: boolean };

interface Dependencies {
  sql: SqlStorage;
  /** What the account may have now. */
  plan: Pick<PlanInForce, "get">;
  /** Arms the meter's alarm anew. */
  arm(): Promise<void>;
  /** The longest that any call may ring and talk. */
  longestCall(): CallLimits;
  /** How long a call may last beside a message to a machine, ms. */
  voicemailTimeoutMs: number;
  /** Tells a campaign that it is its turn. */
  wakeCampaign(id: string): Promise<void>;
  /** Asks the carriers about calls and records their answers; says when each is to be looked at again. */
  reconcile(silent: Silent): ReturnType<typeof reconcileCalls>;
}

/** What of the account's caps is in force and in use, for GET /call-limits. */
export interface CallUsage {
  plan: Plan;
  caps: CallCaps;
  /** How many of the concurrent calls may be campaigns'. */
  campaign_slots: number;
  usage: Usage;
}

/** Calls without recent events that are reconciled in one alarm: a carrier that lists calls answers for all at once. */
const SILENT_AT_ONCE = 200;

/** The account's calls: whether one may go now, whose turn it is, and what became of those that nobody else follows. */
export class Calls implements MeterPart {
  readonly #deps: Dependencies;
  readonly #leases: LeaseLedger;
  readonly #inbound: InboundCalls;
  readonly #turns: TurnQueue;
  /** When (ms) the queue of campaigns is looked at again; at once after a restart. */
  #turnsAt = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#leases = new LeaseLedger(deps.sql);
    this.#inbound = new InboundCalls(deps.sql);
    this.#turns = new TurnQueue(deps.sql);
  }

  nextAt(): number | null {
    return earliest([this.#turns.length > 0 ? this.#turnsAt : null, this.#leases.nextLookAt()]);
  }

  /** Events that came while the object was away reached nobody. */
  resume(now: number): void {
    this.#leases.lookAtAll((lookedAt) => lookAtAfterRebuild(lookedAt, now));
  }

  async round(): Promise<void> {
    await Promise.all([this.#wakeNext(), this.#reconcileSilent()]);
  }

  /** After the account's plan, caps, standing or call settings changed: there may be room for campaigns that wait. */
  async planChanged(): Promise<void> {
    this.#turnsAt = 0;
    await this.#deps.arm();
  }

  /** A lease for one call outside of campaigns, which rings for `rings` ms at most. */
  async lease(callId: string, rings: number): Promise<Admission> {
    const { caps } = await this.#deps.plan.get();
    const now = Date.now();
    const call: OpenCall = { placedAt: now, connectedAt: null, inDoubt: false };
    const watch = { lookAt: lookAtFirst(call, { ring: rings, duration: this.#longest }, now) };
    const admission = this.#leases.take([callId], rings + SETTLED_WITHIN_MS, caps, now, watch);
    await this.#deps.arm();
    return admission;
  }

  /**
   * A lease for the leg to whom a call's caller is transferred: it is freed with the call, by whoever says that the call
   * has ended, and lasts as long as any call may where nobody does. Its carrier is asked about the call alone.
   */
  async leaseTransfer(callId: string): Promise<Admission> {
    const { caps } = await this.#deps.plan.get();
    const ttl = this.#deps.longestCall().duration + SETTLED_WITHIN_MS;
    return this.#leases.take([transferredLeg(callId)], ttl, caps, Date.now());
  }

  /** The carrier did not transfer the call. */
  async refundTransfer(callId: string): Promise<void> {
    await this.refund([transferredLeg(callId)]);
  }

  /** A lease for a call that comes in, and is answered at once; the same however often the call is announced. */
  async leaseInbound({ callId, announcedAs, caller }: InboundLease): Promise<InboundAdmission> {
    const { caps, caller_limits } = await this.#deps.plan.get();
    const now = Date.now();
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    const lookAt = lookAtFirst(call, { ring: 0, duration: this.#longest }, now);
    const known = this.#inbound.callOf(announcedAs);
    if (known !== null) {
      // Its record may only be written now.
      this.#leases.lookAt(known, lookAt, this.#longest + SETTLED_WITHIN_MS);
      return { outcome: "admitted", callId: known };
    }
    const own = callerRefusal(caller_limits, this.#inbound.usage(caller, now), now);
    if (own) return { outcome: "refused", refusal: own, toRecord: this.#inbound.refused(caller, now) };
    const ttl = this.#longest + SETTLED_WITHIN_MS;
    const { refusal } = this.#leases.take([callId], ttl, caps, now, { lookAt, caller });
    if (refusal) return { outcome: "refused", refusal, toRecord: false };
    this.#inbound.admitted(announcedAs, callId, caller, now);
    await this.#deps.arm();
    return { outcome: "admitted", callId };
  }

  /** Leases for a campaign, in turn with the account's other campaigns; for the rest it is woken. */
  async exchange(exchange: LeaseExchange): Promise<Admission> {
    const plan = await this.#deps.plan.get();
    const admission = exchangeLeases(this.#leases, this.#turns, plan, exchange, Date.now());
    await this.#wakeNext();
    return admission;
  }

  /** Somebody answered the call: its lease lasts as long as it may talk. */
  async answered(callId: string): Promise<void> {
    const now = Date.now();
    const limits = this.#deps.longestCall();
    const call: OpenCall = { placedAt: now, connectedAt: now, inDoubt: false };
    // One that a machine answered may have to be hung up by then.
    const lookAt = Math.min(lookAtFirst(call, limits, now), now + this.#deps.voicemailTimeoutMs);
    this.#leases.talks(callId, lookAt, limits.duration + SETTLED_WITHIN_MS);
    await this.#deps.arm();
  }

  /** The carrier has not said whether it took the call, or what became of its hang-up: it is asked soon. */
  async askSoon(callId: string): Promise<void> {
    this.#leases.lookAt(callId, Date.now() + HANG_UP_AGAIN_MS, 0);
    await this.#deps.arm();
  }

  /** The call is to end, and its carrier did not say that it has: the hang-up is tried again. */
  async hangUpAgain(callId: string): Promise<void> {
    this.#leases.hangUp(callId, Date.now() + HANG_UP_AGAIN_MS);
    await this.#deps.arm();
  }

  /** Calls have ended. */
  async release(callIds: string[]): Promise<void> {
    this.#leases.free(callIds);
    await this.#wakeNext();
  }

  /** Leases were taken for calls that were not placed. */
  async refund(callIds: string[]): Promise<void> {
    this.#refund(callIds);
    await this.#wakeNext();
  }

  #refund(callIds: string[]): void {
    this.#inbound.refund(callIds);
    this.#leases.refund(callIds);
  }

  /** The longest that any call may talk, ms. */
  get #longest(): number {
    return this.#deps.longestCall().duration;
  }

  async usage(): Promise<CallUsage> {
    const { plan, caps, campaign_slots } = await this.#deps.plan.get();
    return { plan, caps, campaign_slots, usage: this.#leases.usage(Date.now()) };
  }

  /** Wakes the campaigns whose turn it is, as many as there are free slots, and arms the next look at the queue. */
  async #wakeNext(): Promise<void> {
    if (this.#turns.length === 0) return;
    const plan = await this.#deps.plan.get();
    const now = Date.now();
    const next = this.#turns.call(this.#leases.room(plan, now), now);
    this.#turnsAt = this.#leases.nextRoomAt(plan, now);
    await this.#deps.arm();
    await Promise.allSettled(next.map((id) => this.#deps.wakeCampaign(id)));
  }

  /** Asks the carriers about the calls that no campaign watches and that fell silent. */
  async #reconcileSilent(): Promise<void> {
    const silent = this.#leases.silent(SILENT_AT_ONCE, Date.now());
    if (silent.length === 0) return;
    const told = new Map(silent.map((call) => [call.callId, call]));
    for (const { callId, lookAt, onRecord } of await this.#deps.reconcile(silent)) {
      const call = told.get(callId);
      // Whoever took the lease never came to place the call; announced again meanwhile, it may be on record now.
      if (!onRecord && call && this.#leases.isUnheard(call)) this.#refund([callId]);
      this.#leases.looked(callId, Date.now());
      if (!onRecord) continue;
      if (lookAt === null) this.#leases.free([callId]);
      else this.#leases.lookAt(callId, lookAt, SETTLED_WITHIN_MS);
    }
    await this.#wakeNext();
  }
}
