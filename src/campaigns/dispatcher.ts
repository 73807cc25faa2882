import type { Admission } from "../accounts/call-caps.ts";
import { isTerminal } from "../calls/status.ts";
import { type CallEvent, type CallRef, type Carrier, CarrierRefusal } from "../carriers/carrier.ts";
import type { CampaignBook } from "./book.ts";
import type { CallLimits } from "./call-book.ts";
import { nextOpening } from "./calling-windows.ts";
import { BREAKER_LIMIT, backoff, type DispatchState, earliest, nextStep, WAVE } from "./dispatch.ts";
import type { AttemptRow } from "./storage/attempts.ts";
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

/** The most requests to a carrier at a time: workerd lets six connections wait for their answer. */
const AT_A_TIME = 6;
/** Cancellations written in one go after a stop. */
const CANCEL_PIECE = 2_000;
/** How long a carrier that cannot be reached is asked again about a call, beyond the call's own limit, ms. */
const LOOKUP_PATIENCE = 60_000;
const LOOKUP_AGAIN = 5_000;
/** Refusals that say nothing about the contact: the carrier, the credentials or the caller ID are the trouble. */
const CARRIER_TROUBLE = ["auth", "funds", "caller_id", "outage"];

/** Does what `nextStep` decides: takes leases, writes calls down, makes them, and sees to those that fell silent. */
export class Dispatcher {
  readonly #book: CampaignBook;
  readonly #ports: DispatchPorts;
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
  }

  /** One round of work. Gives whether it did something, and when (ms) to look again if it did not. */
  async round(): Promise<{ worked: boolean; wakeAt: number | null }> {
    const { attempts, campaign } = this.#book;
    const now = this.#ports.now();
    this.#throwFailure();
    const silent = [
      ...attempts.interrupted().filter((attempt) => !this.#dialing.has(attempt.call_id)),
      ...attempts.overdue(now, WAVE),
    ];
    await inParallel(silent.filter(distinct), (attempt) => this.#resolve(attempt));
    const hangups = attempts.toHangUp(WAVE);
    await inParallel(hangups, (attempt) => this.#hangUp(attempt));
    const cancelled = campaign.known.status === "stopped" ? this.#book.cancelSome(CANCEL_PIECE, this.#ports.now()) : 0;
    const { dialled, wakeAt } = await this.#dial();
    this.#book.completeIfDone(this.#ports.now());
    return {
      worked: dialled || cancelled > 0 || silent.length + hangups.length > 0,
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
    if (attempt) await this.#resolve(attempt);
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

  /** Asks the carrier about a call that fell silent. Where it cannot tell, the call is over and is not made again. */
  async #resolve(attempt: AttemptRow): Promise<void> {
    const { call_id } = attempt;
    let event: CallEvent | null;
    try {
      const { carrier } = await this.#ports.carrier();
      event = await carrier.lookup(this.#ref(attempt));
    } catch {
      const now = this.#ports.now();
      // The final event may have come while the carrier was being asked.
      if (this.#book.attempts.get(call_id)?.state === "ended") return;
      if (now < this.#limitOf(attempt) + LOOKUP_PATIENCE) {
        return this.#book.attempts.update(call_id, { state: "placed", deadline: now + LOOKUP_AGAIN });
      }
      // Nobody will ask again: if the call still runs, it must not outlive its slot.
      await this.#hangUp(attempt);
      event = null;
    }
    const now = this.#ports.now();
    if (event === null) return this.#book.calls.end(call_id, "unknown", "failed", "unknown", now);
    this.#book.calls.news(call_id, event, this.#ports.limits, now);
    const after = this.#book.attempts.get(call_id);
    if (!after || after.state === "ended") return;
    if (after.state === "dialing") this.#book.calls.placed(call_id, event.provider_call_id, now);
    if (after.deadline !== null && after.deadline <= now) await this.#endSilent(after, now);
  }

  /** The carrier says it still runs, past all limits: we end it. */
  async #endSilent(attempt: AttemptRow, now: number): Promise<void> {
    await this.#hangUp(attempt);
    const status = attempt.connected_at === null ? "no-answer" : "completed";
    const { provider_call_id } = attempt;
    this.#book.calls.news(
      attempt.call_id,
      { provider_call_id, status, answered_by: null, reason: "no_final_event", recording: null },
      this.#ports.limits,
      now,
    );
  }

  async #hangUp(attempt: AttemptRow): Promise<void> {
    try {
      const { carrier } = await this.#ports.carrier();
      await carrier.hangup(this.#ref(attempt));
    } catch {
      // The carrier ends the call at its own time limit; there is nothing more to be done from here.
    }
    const current = this.#book.attempts.get(attempt.call_id);
    if (current?.hangup === 1) {
      this.#book.attempts.update(attempt.call_id, {
        ...{ hangup: 0, lease: "free" },
        ...(isTerminal(current.status) ? {} : { status: "completed" }),
      });
    }
  }

  /** When the call should be over at the latest, ms. */
  #limitOf({ connected_at, dialled_at }: AttemptRow): number {
    const { ring, duration } = this.#ports.limits;
    return connected_at === null ? dialled_at + ring : connected_at + duration;
  }

  #ref(attempt: AttemptRow): CallRef {
    const { account } = this.#book.campaign.known;
    return {
      account,
      call_id: attempt.call_id,
      provider_call_id: attempt.provider_call_id,
      from_number: this.#book.campaign.settings.from_number ?? "",
      to_number: `+${this.#book.contacts.get(attempt.contact)?.phone ?? ""}`,
      placed_at: attempt.dialled_at,
    };
  }
}

function isDue(contact: ContactRow | undefined, now: number): boolean {
  return contact?.status === "pending" && contact.next_attempt_at !== null && contact.next_attempt_at <= now;
}

function distinct(attempt: AttemptRow, i: number, all: AttemptRow[]): boolean {
  return all.findIndex(({ call_id }) => call_id === attempt.call_id) === i;
}

/** Works through the items, a few at a time. */
async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, items.length) }, worker));
}
