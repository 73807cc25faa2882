import { exchangeLeases } from "../../../src/account/meter/lease-exchange.ts";
import { type CampaignLimits, LeaseLedger } from "../../../src/account/meter/lease-ledger.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { TurnQueue } from "../../../src/account/meter/turn-queue.ts";
import { nextStep } from "../../../src/campaign/decide/next-step.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import type { CallCaps } from "../../../src/phone/call-limits/plans.ts";

export interface Member {
  contacts: number;
  maxConcurrency: number | null;
  /** Lengths of its calls in turn, ms. */
  lasts: number[];
  /** The number of calls after which the campaign is deleted: its calls are released, and it ignores later wakes. */
  goneAfter: number | null;
}

const LEASE = 360_000;
/** How long a campaign takes to respond when it is woken, ms. */
const COMES_AFTER = 20;

/** What was observed of a campaign while it waited for a slot. */
interface Waits {
  /** How many slots others got while it waited, and for how long (ms) a slot has been free without a break. */
  passed: number;
  beside: number;
}

class Competitor {
  left: number;
  readonly open = new Map<string, number>();
  gone = false;
  /** When it checks again by itself, at the latest. */
  roundAt = 0;
  waits: Waits | null = null;
  most = { passed: 0, beside: 0 };
  readonly id: string;
  readonly member: Member;
  #calls = 0;

  constructor(id: string, member: Member) {
    this.id = id;
    this.member = member;
    this.left = member.contacts;
  }

  get over(): boolean {
    return this.gone || (this.left === 0 && this.open.size === 0);
  }

  /** Returns how many contacts it would dial now, by the dispatcher's own decision. */
  want(now: number): number {
    const queue = { zone: 0, opensAt: now, due: this.left, nextDueAt: null };
    const state = {
      status: "running" as const,
      scheduledAt: null,
      callsPerMinute: null,
      dialledAt: [],
      notBefore: null,
      trying: null,
    };
    return nextStep({ ...state, maxConcurrency: this.member.maxConcurrency, open: this.open.size, zones: [queue] }, now)
      .dial;
  }

  dial(callId: string, now: number): void {
    this.left--;
    this.open.set(callId, now + (this.member.lasts[this.#calls++ % this.member.lasts.length] ?? 1_000));
  }

  /** Ends the calls that are over and returns them. */
  endCalls(now: number): string[] {
    const ended = [...this.open].filter(([, endsAt]) => endsAt <= now).map(([id]) => id);
    for (const id of ended) this.open.delete(id);
    return ended;
  }

  get dialled(): number {
    return this.#calls;
  }
}

/** Several campaigns of one account and its meter (leases and queue) on a virtual clock. */
export class VirtualAccount {
  now = 1_800_000_000_000;
  readonly campaigns: Competitor[];
  readonly #leases: LeaseLedger;
  readonly #turns: TurnQueue;
  readonly #limits: CampaignLimits;
  #alarmAt = Number.POSITIVE_INFINITY;

  constructor(storage: DurableObjectStorage, caps: CallCaps, members: Member[]) {
    migrate(storage, METER_MIGRATIONS, this.now);
    this.#leases = new LeaseLedger(storage.sql);
    this.#turns = new TurnQueue(storage.sql);
    this.#limits = { caps, campaign_slots: caps.concurrent_calls };
    this.campaigns = members.map((member, i) => new Competitor(`campaign-${i}`, member));
  }

  /** Plays until every campaign is over, or until this time (ms). */
  play(limit: number): void {
    const until = this.now + limit;
    while (this.now < until && this.campaigns.some(({ over }) => !over)) {
      const roundsAt = this.campaigns.map(({ roundAt }) => roundAt);
      this.#advance(Math.min(...roundsAt, this.#alarmAt, until));
      const next = this.campaigns.find(({ roundAt }) => roundAt <= this.now);
      if (next) this.#round(next);
      else if (this.#alarmAt <= this.now) this.#callNext();
    }
  }

  /** Lets time pass and records campaigns that wait while a slot is free. */
  #advance(to: number): void {
    const room = this.#leases.room(this.#limits, this.now);
    for (const { waits, gone } of this.campaigns) {
      if (waits && !gone) waits.beside = room > 0 ? waits.beside + (to - this.now) : 0;
    }
    this.now = Math.max(this.now, to);
    for (const campaign of this.campaigns) note(campaign);
  }

  #round(campaign: Competitor): void {
    const ended = campaign.endCalls(this.now);
    const want = campaign.want(this.now);
    const take = Array.from({ length: want }, (_, i) => `${campaign.id}-${campaign.dialled + i}`);
    const renew = { calls: [], ttl: LEASE };
    const exchange = { campaign: campaign.id, free: ended, refund: [], renew, leased: null, take, ttl: LEASE };
    const nothing = { granted: 0, refusal: null };
    const { granted, refusal } =
      want + ended.length > 0 ? exchangeLeases(this.#leases, this.#turns, this.#limits, exchange, this.now) : nothing;
    for (const callId of take.slice(0, granted)) campaign.dial(callId, this.now);
    const again = granted > 0 ? this.now : (refusal?.retryAt ?? Number.POSITIVE_INFINITY);
    campaign.roundAt = Math.min(again, ...campaign.open.values());
    this.#served(campaign, granted, want);
    if (campaign.dialled >= (campaign.member.goneAfter ?? Number.POSITIVE_INFINITY)) this.#leave(campaign);
    this.#callNext();
  }

  #served(campaign: Competitor, granted: number, want: number): void {
    for (const other of this.campaigns) if (other !== campaign && other.waits) other.waits.passed += granted;
    for (const other of this.campaigns) note(other);
    if (granted > 0 || want === 0) campaign.waits = null;
    else campaign.waits ??= { passed: 0, beside: 0 };
  }

  #leave(campaign: Competitor): void {
    campaign.gone = true;
    campaign.waits = null;
    campaign.roundAt = Number.POSITIVE_INFINITY;
    this.#leases.free([...campaign.open.keys()]);
  }

  #callNext(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (this.#turns.length === 0) return;
    for (const id of this.#turns.call(this.#leases.room(this.#limits, this.now), this.now)) {
      const campaign = this.campaigns.find((one) => one.id === id);
      if (campaign && !campaign.gone) campaign.roundAt = Math.min(campaign.roundAt, this.now + COMES_AFTER);
    }
    this.#alarmAt = this.#leases.nextRoomAt(this.#limits, this.now);
  }
}

function note({ waits, most }: Competitor): void {
  if (!waits) return;
  most.passed = Math.max(most.passed, waits.passed);
  most.beside = Math.max(most.beside, waits.beside);
}
