import type { Admission } from "../accounts/call-caps.ts";
import { type Carrier, CarrierRefusal } from "../carriers/carrier.ts";
import type { CampaignBook } from "./book.ts";
import type { CallLimits } from "./call-book.ts";
import { AT_A_TIME, CallWatch } from "./call-watch.ts";
import { nextOpening } from "./calling-windows.ts";
import { BREAKER_LIMIT, backoff, type DispatchState, earliest, nextStep, WAVE } from "./dispatch.ts";
import type { ContactRow } from "./storage/contacts.ts";

/** What of the world a campaign needs to dial: everything that takes time or can fail. */
export interface DispatchPorts {
  now(): number;
  newCallId(now: number): string;
  /** Tells the account's gate what is free and asks it for more. */
  exchange(news: { free: string[]; renew: string[]; take: string[] }): Promise<Admission>;
  /** The carrier the campaign's number is with. @throws LineUnavailable */
  carrier(): Promise<{ provider: string; carrier: Carrier }>;
  place(callId: string, toNumber: string): Promise<{ provider_call_id: string }>;
  /** Which of the numbers are on the account's do-not-call list. */
  blocked(numbers: string[]): Promise<Set<string>>;
  /** Something came of a call that was being placed: another round is due. */
  changed(): void;
  limits: CallLimits;
}

/** The campaign's number or its credentials cannot be used any more; the message is the campaign's status reason. */
export class LineUnavailable extends Error {}

/** A contact whose turn it is, and the lease for its call. */
interface GrantedCall {
  contact: ContactRow;
  callId: string;
}

/** Cancellations written in one go after a stop. */
const CANCEL_PIECE = 2_000;
/** Refusals that say nothing about the contact: the carrier, the credentials or the caller ID are the trouble. */
const CARRIER_TROUBLE = ["auth", "funds", "caller_id", "outage"];

/** Does what `nextStep` decides: takes leases, writes calls down and makes them. */
export class Dispatcher {
  readonly #book: CampaignBook;
  readonly #ports: DispatchPorts;
  readonly #watch: CallWatch;
  /** Calls this life of the object is making right now. */
  readonly #dialing = new Set<string>();
  /** Calls for whose placing nobody waits, and what went wrong with one. */
  readonly #placing = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;
  /** Leases taken for calls that were not made after all. */
  #unused: string[] = [];

  constructor(book: CampaignBook, ports: DispatchPorts) {
    this.#book = book;
    this.#ports = ports;
    this.#watch = new CallWatch(book, ports);
  }

  /** One round of work. Gives whether it did something, and when (ms) to look again if it did not. */
  async round(): Promise<{ worked: boolean; wakeAt: number | null }> {
    const { attempts, campaign } = this.#book;
    this.#throwFailure();
    const seenTo = await this.#watch.round(this.#dialing);
    const cancelled = campaign.known.status === "stopped" ? this.#book.cancelSome(CANCEL_PIECE, this.#ports.now()) : 0;
    const { dialled, wakeAt } = await this.#dial();
    // Calls may have ended meanwhile; their slots go back before the campaign says that it is done.
    const { free, renew } = attempts.leaseNews();
    const told = free.length + renew.length === 0;
    if (told) this.#book.completeIfDone(this.#ports.now());
    return {
      worked: dialled || cancelled > 0 || seenTo > 0 || !told,
      wakeAt: earliest([wakeAt, attempts.nextDeadline()]),
    };
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  /** The state `nextStep` decides on. */
  state(now: number): DispatchState {
    const { campaign, attempts, contacts } = this.#book;
    const { status, not_before } = campaign.known;
    const { scheduled_at, schedule_config, timezone, max_concurrency, calls_per_minute } = campaign.settings;
    return {
      status,
      scheduledAt: scheduled_at === null ? null : Date.parse(scheduled_at),
      maxConcurrency: max_concurrency,
      callsPerMinute: calls_per_minute,
      // A call that is still to be hung up is over for its contact only.
      open: attempts.openCount() + attempts.toHangUp(WAVE).length,
      dialledAt: calls_per_minute === null ? [] : attempts.dialledInMinute(now, calls_per_minute),
      notBefore: not_before,
      zones:
        status === "running"
          ? contacts
              .queues(WAVE, now)
              .map((queue) => ({ ...queue, opensAt: nextOpening(schedule_config, queue.name ?? timezone, now) }))
          : [],
    };
  }

  async #dial(): Promise<{ dialled: boolean; wakeAt: number | null }> {
    const now = this.#ports.now();
    const step = nextStep(this.state(now), now);
    const chosen = step.dial > 0 ? await this.#callable(this.#book.contacts.due(step.zones, step.dial, now)) : [];
    if (chosen === null) return { dialled: true, wakeAt: null };
    const ids = chosen.map(() => this.#ports.newCallId(now));
    const admission = await this.#exchange(ids);
    const calls = this.#commit(chosen, ids.slice(0, admission.granted));
    if (calls.length > 0) await this.#placeAll(calls);
    return { dialled: calls.length > 0, wakeAt: earliest([step.wakeAt, admission.refusal?.retryAt ?? null]) };
  }

  /** Those who may be called, after the others were taken out; null when some were, so that others take their place. */
  async #callable(due: ContactRow[]): Promise<ContactRow[] | null> {
    const blocked = await this.#ports.blocked(due.map(({ phone }) => `+${phone}`));
    if (blocked.size === 0) return due;
    const now = this.#ports.now();
    // A stop may have cancelled some of them while the list was being read.
    const still = due.filter(({ id, phone }) => blocked.has(`+${phone}`) && isDue(this.#book.contacts.get(id), now));
    this.#book.calls.exclude(still, now);
    return null;
  }

  async #exchange(take: string[]): Promise<Admission> {
    const news = this.#book.attempts.leaseNews();
    const unused = this.#unused;
    const free = [...news.free, ...unused];
    if (take.length + free.length + news.renew.length === 0) return { granted: 0, refusal: null };
    let admission: Admission;
    try {
      admission = await this.#ports.exchange({ free, renew: news.renew, take });
    } catch (error) {
      // Granted or not: the answer is lost, so these leases go back.
      this.#unused.push(...take);
      throw error;
    }
    this.#book.attempts.leasesTold(news);
    this.#unused = this.#unused.filter((id) => !unused.includes(id));
    return admission;
  }

  /** Hands the leases to those who still are to be called; what was waited for meanwhile may have changed who that is. */
  #commit(chosen: ContactRow[], granted: string[]): GrantedCall[] {
    const now = this.#ports.now();
    const { campaign, contacts } = this.#book;
    const still = campaign.known.status === "running" ? chosen.filter(({ id }) => isDue(contacts.get(id), now)) : [];
    const calls = granted.flatMap((callId, i) => {
      const contact = still[i];
      return contact ? [{ contact, callId }] : [];
    });
    this.#unused.push(...granted.slice(calls.length));
    return calls;
  }

  async #placeAll(calls: GrantedCall[]): Promise<void> {
    let provider: string;
    try {
      ({ provider } = await this.#ports.carrier());
    } catch (error) {
      this.#unused.push(...calls.map(({ callId }) => callId));
      if (!(error instanceof LineUnavailable)) throw error;
      this.#book.calls.carrierFailed(error.message, backoff, 1, this.#ports.now());
      return;
    }
    for (const call of calls) {
      while (this.#placing.size >= AT_A_TIME) await Promise.race(this.#placing);
      this.#startPlacing(call, provider);
    }
  }

  /** Nobody waits for the carrier's answer: a slot that comes free meanwhile is used at once. */
  #startPlacing(call: GrantedCall, provider: string): void {
    const placing = this.#place(call, provider)
      .catch((error: unknown) => {
        this.#failure = { error };
        this.#ports.changed();
      })
      .finally(() => this.#placing.delete(placing));
    this.#placing.add(placing);
  }

  /** Whether the contact may still be called: much can happen while a wave waits for the gate and the carrier. */
  #mayBegin({ id, zone }: ContactRow): boolean {
    const now = this.#ports.now();
    return isDue(this.#book.contacts.get(id), now) && nextStep(this.state(now), now).zones.includes(zone);
  }

  async #place({ contact, callId }: GrantedCall, provider: string): Promise<void> {
    if (!this.#mayBegin(contact)) {
      this.#unused.push(callId);
      return this.#ports.changed();
    }
    this.#book.calls.begin(contact, callId, provider, this.#ports.limits, this.#ports.now());
    this.#dialing.add(callId);
    try {
      const { provider_call_id } = await this.#ports.place(callId, `+${contact.phone}`);
      this.#book.calls.placed(callId, provider_call_id, this.#ports.now());
    } catch (error) {
      await this.#notPlaced(callId, error, this.#ports.now());
      this.#ports.changed();
    } finally {
      this.#dialing.delete(callId);
    }
  }

  async #notPlaced(callId: string, error: unknown, now: number): Promise<void> {
    if (error instanceof CarrierRefusal) return this.#refused(callId, error, now);
    if (error instanceof LineUnavailable) {
      this.#book.calls.postpone(callId, error.message, backoff(1), now);
      return this.#book.calls.carrierFailed(error.message, backoff, 1, now);
    }
    this.#book.calls.carrierFailed("carrier_uncertain", backoff, BREAKER_LIMIT, now);
    const attempt = this.#book.attempts.get(callId);
    if (attempt) await this.#watch.resolve(attempt);
  }

  #refused(callId: string, { reason }: CarrierRefusal, now: number): void {
    if (reason === "rate") {
      this.#book.calls.postpone(callId, "carrier_rate", backoff(1), now);
      this.#book.calls.carrierFailed("carrier_rate", backoff, Number.POSITIVE_INFINITY, now);
    } else if (CARRIER_TROUBLE.includes(reason)) {
      this.#book.calls.postpone(callId, `carrier_${reason}`, backoff(this.#book.campaign.known.failures + 1), now);
      this.#book.calls.carrierFailed(`carrier_${reason}`, backoff, BREAKER_LIMIT, now);
    } else {
      this.#book.calls.end(callId, reason === "rejected" ? "rejected" : "failed", "failed", reason, now);
    }
  }
}

function isDue(contact: ContactRow | undefined, now: number): boolean {
  return contact?.status === "pending" && contact.next_attempt_at !== null && contact.next_attempt_at <= now;
}
