import { earliest } from "../../kernel/durable/alarm.ts";
import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { DialRefusal } from "../../phone/calls/dial-refusal.ts";
import { CARRIER_CONCURRENCY } from "../../phone/calls/look-up-calls.ts";
import { CarrierRefusal } from "../../phone/carriers/carrier.ts";
import { nextOpening } from "../decide/calling-windows.ts";
import { type DispatchState, nextStep, WAVE } from "../decide/next-step.ts";
import { pinOf } from "../settings.ts";
import {
  beginCall,
  callInDoubt,
  callPlaced,
  carrierFailed,
  endCall,
  excludeContacts,
  pauseItself,
  postponeCall,
} from "../store/call-transitions.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { cancelSome, completeIfDone } from "../store/campaign-transitions.ts";
import type { ContactRow } from "../store/contacts.ts";
import { CallReconciliation } from "./call-reconciliation.ts";
import { type CallLine, type DispatchDependencies, LineUnavailable } from "./dispatch-dependencies.ts";

interface GrantedCall {
  contact: ContactRow;
  callId: string;
}

/** Carries out the decisions of `nextStep`: takes leases, stores calls and places them. */
export class Dispatcher {
  readonly #store: CampaignStore;
  readonly #deps: DispatchDependencies;
  readonly calls: CallReconciliation;
  /** Calls that this instance of the object is placing. */
  readonly #dialing = new Set<string>();
  /** Calls being placed in the background, and the error of one that failed. */
  readonly #placing = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;
  /** Leases of calls that weren't placed. */
  #unused: string[] = [];
  /**
   * Whether this instance has told the meter which calls it found. The meter then frees all other leases of earlier
   * instances.
   */
  #introduced = false;

  constructor(store: CampaignStore, deps: DispatchDependencies) {
    this.#store = store;
    this.#deps = deps;
    this.calls = new CallReconciliation(store, deps);
  }

  /** Does one round of work. Returns whether it did anything, and when (ms) to check again if not. */
  async round(): Promise<{ worked: boolean; wakeAt: number | null }> {
    const { attempts, campaign } = this.#store;
    this.#throwFailure();
    const handled = await this.calls.round(this.#dialing);
    const cancelled = campaign.existing.status === "stopped" ? cancelSome(this.#store, this.#deps.now()) : 0;
    const { dialled, wakeAt } = await this.#dial();
    // Calls may have ended in the meantime. Their slots are freed before the campaign completes.
    const { free, refund, renew } = attempts.leaseChanges();
    const allReported = free.length + refund.length + renew.length === 0;
    if (allReported) completeIfDone(this.#store, this.#deps.now());
    return {
      worked: dialled || cancelled > 0 || handled > 0 || !allReported,
      wakeAt: earliest([wakeAt, attempts.nextLookAt()]),
    };
  }

  /** Gives all leases back, because the campaign is being deleted and its calls are over. */
  async giveBack(): Promise<void> {
    const changes = this.#store.attempts.leaseChanges();
    await this.#deps.exchange({ ...changes, held: [], take: [] });
    this.#store.attempts.leaseChangesReported(changes);
  }

  /** Waits until the carrier has responded for every call being placed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#placing);
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  /** Returns the state on which `nextStep` decides. */
  state(now: number): DispatchState {
    const { campaign, attempts, contacts } = this.#store;
    const { status, not_before, failures } = campaign.existing;
    const { scheduled_at, schedule_config, timezone, max_concurrency, calls_per_minute } = campaign.settings;
    return {
      status,
      scheduledAt: scheduled_at === null ? null : Date.parse(scheduled_at),
      maxConcurrency: max_concurrency,
      callsPerMinute: calls_per_minute,
      // Calls that must still be hung up count as open, although they have ended for their contacts.
      open: attempts.openCount() + attempts.leftTalking(),
      dialledAt: calls_per_minute === null ? [] : attempts.dialledInMinute(now, calls_per_minute),
      notBefore: not_before,
      trying: failures === 0 ? null : this.#dialing.size,
      zones:
        status === "running"
          ? contacts
              .queues(WAVE, now)
              .map((queue) => ({ ...queue, opensAt: nextOpening(schedule_config, queue.name ?? timezone, now) }))
          : [],
    };
  }

  async #dial(): Promise<{ dialled: boolean; wakeAt: number | null }> {
    const now = this.#deps.now();
    if (this.#store.isFullForCalls) pauseItself(this.#store, "storage_full", now);
    const step = nextStep(this.state(now), now);
    const due = step.dial > 0 ? this.#store.contacts.due(step.zones, step.dial, now) : [];
    const chosen = await this.#callable(due.filter((contact) => isStillDue(this.#store, contact, now)));
    if (chosen === null) return { dialled: true, wakeAt: null };
    const ids = chosen.map(() => this.#deps.newCallId(now));
    const admission = await this.#exchange(ids);
    const calls = this.#commit(chosen, ids.slice(0, admission.granted));
    if (calls.length > 0) await this.#placeAll(calls);
    // Set only if no lease was granted, because granted leases are used first.
    if (admission.granted === 0 && admission.refusal?.cap === "budget_reached")
      pauseItself(this.#store, "budget", this.#deps.now());
    return { dialled: calls.length > 0, wakeAt: earliest([step.wakeAt, admission.refusal?.retryAt ?? null]) };
  }

  /** Returns the contacts that may be called; null if some were excluded, so that others take their place. */
  async #callable(due: ContactRow[]): Promise<ContactRow[] | null> {
    const refused = await this.#deps.refused(due.map(({ phone }) => `+${phone}`));
    if (refused.size === 0) return due;
    const now = this.#deps.now();
    // A stop may have canceled some of them while the do-not-call list was being read.
    const still = due.filter((contact) => isStillDue(this.#store, contact, now));
    const refusalOf = ({ phone }: ContactRow) => refused.get(`+${phone}`) ?? null;
    excludeContacts(this.#store, still, refusalOf, now);
    return null;
  }

  async #exchange(take: string[]): Promise<Admission> {
    const changes = this.#store.attempts.leaseChanges();
    const unused = this.#unused;
    const { free, renew } = changes;
    const refund = [...changes.refund, ...unused];
    const held = this.#introduced ? null : this.#store.attempts.mayHoldLease();
    if (!held && take.length + free.length + refund.length + renew.length === 0) return { granted: 0, refusal: null };
    let admission: Admission;
    try {
      admission = await this.#deps.exchange({ free, refund, renew, held, take });
    } catch (error) {
      // The meter's response was lost, so these leases are returned, whether or not they were granted.
      this.#unused.push(...take);
      throw error;
    }
    this.#introduced = true;
    this.#store.attempts.leaseChangesReported(changes);
    this.#unused = this.#unused.filter((id) => !unused.includes(id));
    return admission;
  }

  /** Assigns leases to the contacts that are still due, because contacts may have changed while the meter responded. */
  #commit(chosen: ContactRow[], granted: string[]): GrantedCall[] {
    const now = this.#deps.now();
    const { status } = this.#store.campaign.existing;
    const still = status === "running" ? chosen.filter((contact) => isStillDue(this.#store, contact, now)) : [];
    const calls = granted.flatMap((callId, i) => {
      const contact = still[i];
      return contact ? [{ contact, callId }] : [];
    });
    this.#unused.push(...granted.slice(calls.length));
    return calls;
  }

  async #placeAll(calls: GrantedCall[]): Promise<void> {
    let line: CallLine;
    try {
      line = await this.#deps.line();
    } catch (error) {
      this.#unused.push(...calls.map(({ callId }) => callId));
      return this.#lineFailed(error);
    }
    for (const call of calls) {
      while (this.#placing.size >= CARRIER_CONCURRENCY) await Promise.race(this.#placing);
      this.#startPlacing(call, line);
    }
  }

  /** Pauses the campaign if its line can't place calls. @throws any other error */
  #lineFailed(error: unknown): void {
    if (!(error instanceof LineUnavailable)) throw error;
    pauseItself(this.#store, error.message, this.#deps.now());
  }

  /** Begins to place a call without waiting for the carrier's response, so that a freed slot is used at once. */
  #startPlacing(call: GrantedCall, line: CallLine): void {
    const placing = this.#place(call, line)
      .catch((error: unknown) => {
        this.#failure = { error };
        this.#deps.changed();
      })
      .finally(() => this.#placing.delete(placing));
    this.#placing.add(placing);
  }

  /** Checks whether the contact may still be called with this line, because much can change while a wave waits. */
  #mayBegin(contact: ContactRow, line: CallLine): boolean {
    const now = this.#deps.now();
    const { settings } = this.#store.campaign;
    const { from_number, agent_id, record } = settings;
    return (
      line.from_number === from_number &&
      line.agent_id === agent_id &&
      line.pinned_version === pinOf(settings) &&
      line.record === record &&
      isStillDue(this.#store, contact, now) &&
      nextStep(this.state(now), now).zones.includes(contact.zone)
    );
  }

  async #place({ contact, callId }: GrantedCall, line: CallLine): Promise<void> {
    let refusal: DialRefusal | null = null;
    try {
      if (this.#mayBegin(contact, line)) refusal = await this.#deps.lastLook(line, `+${contact.phone}`);
    } catch (error) {
      this.#notUsed(callId);
      return this.#lineFailed(error);
    }
    if (!this.#mayBegin(contact, line)) return this.#notUsed(callId);
    if (refusal) {
      excludeContacts(this.#store, [contact], () => refusal, this.#deps.now());
      return this.#notUsed(callId);
    }
    const begunAt = this.#deps.now();
    beginCall(this.#store, contact, callId, line, this.#deps.limits, begunAt);
    this.#dialing.add(callId);
    try {
      const { provider_call_id } = await this.#deps.place(line, callId, contact);
      callPlaced(this.#store, callId, provider_call_id, this.#deps.now());
    } catch (error) {
      await this.#notPlaced(callId, error, begunAt, this.#deps.now());
    } finally {
      this.#dialing.delete(callId);
      // The ledger may have the call although the carrier never received the order.
      this.#deps.changed();
    }
  }

  /** Gives the lease back as unused. */
  #notUsed(callId: string): void {
    this.#unused.push(callId);
    this.#deps.changed();
  }

  async #notPlaced(callId: string, error: unknown, begunAt: number, now: number): Promise<void> {
    if (error instanceof CarrierRefusal) return this.#refused(callId, error, begunAt, now);
    carrierFailed(this.#store, "uncertain", begunAt, now);
    callInDoubt(this.#store, callId, this.#deps.limits, now);
    const attempt = this.#store.attempts.get(callId);
    if (attempt?.state === "dialing") await this.calls.ask([attempt]);
  }

  #refused(callId: string, { reason }: CarrierRefusal, begunAt: number, now: number): void {
    if (reason === "bad_number" || reason === "rejected") {
      endCall(this.#store, callId, reason === "rejected" ? "rejected" : "failed", "failed", reason, now);
      return;
    }
    carrierFailed(this.#store, reason, begunAt, now);
    postponeCall(this.#store, callId, `carrier_${reason}`, this.#store.campaign.existing.not_before ?? now, now);
  }
}

/**
 * Checks whether the contact is still due, its last call was hung up, and it wasn't corrected since its wave was chosen.
 */
function isStillDue({ contacts, attempts }: CampaignStore, { id, phone, variables }: ContactRow, now: number): boolean {
  const current = contacts.get(id);
  if (current?.status !== "pending" || current.phone !== phone || current.variables !== variables) return false;
  if (current.call_id !== null && attempts.get(current.call_id)?.hangup === 1) return false;
  return current.next_attempt_at !== null && current.next_attempt_at <= now;
}
