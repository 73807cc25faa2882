import type { Act } from "../../kernel/db/account-store.ts";
import type { DialRefusal } from "../../phone/calls/dial-refusal.ts";
import { type CallLimits, HANG_UP_LOST_MS, lookAtAfterRebuild, lookAtFirst } from "../../phone/calls/reconciliation.ts";
import type { CallEvent } from "../../phone/carriers/carrier.ts";
import { afterEvent, afterPlaced } from "../../records/ledger/call-state.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { ERASED_NUMBER } from "../contact-id.ts";
import { afterCarrierTrouble, type CarrierTrouble } from "../decide/breaker.ts";
import { afterEnd, afterMachine, type ContactChange, isOver, type Outcome, waitAfter } from "../decide/state.ts";
import type { AttemptLine, AttemptRow } from "./attempt-row.ts";
import type { CampaignStore, Write } from "./campaign-store.ts";
import { campaignEntry, contactEntry } from "./campaign-transitions.ts";
import { applyChange, applyEvent, callOf, openContact } from "./contact-changes.ts";
import type { ContactRow } from "./contacts.ts";

/** Stores a call before it is placed. From here on, it may exist at the carrier. */
export function beginCall(
  store: CampaignStore,
  contact: ContactRow,
  callId: string,
  line: AttemptLine,
  limits: CallLimits,
  now: number,
): void {
  const { attempts, contacts } = store;
  const number = contact.attempts + 1;
  const deadline = lookAtFirst({ placedAt: now, connectedAt: null, inDoubt: false }, limits, now);
  const { provider, from_number, credentials_id, agent_id, pinned_version, recorded, disclosure } = line;
  store.transaction(() => {
    attempts.begin({
      call_id: callId,
      contact: contact.id,
      number,
      dialled_at: now,
      deadline,
      provider,
      from_number,
      credentials_id,
      agent_id,
      pinned_version,
      recorded,
      disclosure,
    });
    contacts.update(contact.id, {
      attempts: number,
      last_attempt_at: now,
      next_attempt_at: null,
      call_id: callId,
      updated_at: now,
    });
  }, now);
}

/** Records that the carrier accepted the call. */
export function callPlaced(store: CampaignStore, callId: string, providerCallId: string | null, now: number): void {
  store.transaction((write) => {
    const attempt = store.attempts.get(callId);
    if (!attempt) return;
    carrierIsBack(store, write, now);
    const before = callOf(attempt, store.campaign.settings.voicemail);
    const call = afterPlaced(before, providerCallId);
    const { status, provider_call_id } = call;
    if (call !== before) store.attempts.update(callId, { provider_call_id, status });
    if (before.over) return;
    store.attempts.update(callId, { state: "placed" });
    applyEvent(store, attempt, { call, step: null }, null, write, now);
  }, now);
}

function carrierIsBack(store: CampaignStore, write: Write, now: number): void {
  const { status, status_reason, failures } = store.campaign.existing;
  if (failures === 0) return;
  store.campaign.update({ failures: 0, failed_at: null, not_before: null });
  if (status !== "running" || status_reason === null) return;
  store.campaign.update({ status_reason: null, updated_at: now });
  write(campaignEntry(store, null, null));
}

/** Records that the carrier may or may not have the call. It is reconciled until that is known. */
export function callInDoubt(store: CampaignStore, callId: string, limits: CallLimits, now: number): void {
  const attempt = store.attempts.get(callId);
  if (attempt?.state !== "dialing") return;
  const { dialled_at: placedAt, connected_at: connectedAt } = attempt;
  const deadline = lookAtFirst({ placedAt, connectedAt, inDoubt: true }, limits, now);
  store.transaction(() => store.attempts.update(callId, { deadline }), now);
}

/** Applies an event that the carrier returned when the call was reconciled. */
export function callSeen(
  store: CampaignStore,
  callId: string,
  event: CallEvent,
  limits: CallLimits,
  now: number,
): void {
  if (store.attempts.get(callId)?.state === "dialing") callPlaced(store, callId, event.provider_call_id, now);
  takeCallEvent(store, callId, event, limits, now);
}

/** Applies an event of a call from any source. A late or repeated one has no effect, unless it reports a machine. */
export function takeCallEvent(
  store: CampaignStore,
  callId: string,
  event: CallEvent,
  limits: CallLimits,
  now: number,
): void {
  const attempt = store.attempts.get(callId);
  if (!attempt) return;
  const before = callOf(attempt, store.campaign.settings.voicemail);
  const news = afterEvent(before, event, now);
  const { call, step } = news;
  if (before.over && attempt.hangup === 1 && isTerminal(event.status)) callHungUp(store, callId, now);
  if (call === before && step === null) return;
  store.transaction((write) => {
    const { status, provider_call_id, answered_by, placedAt, connectedAt } = call;
    const reported = { status, provider_call_id, answered_by, connected_at: connectedAt };
    if (before.over) {
      store.attempts.update(callId, reported);
      return correctAnswer(store, attempt, write, now);
    }
    const answered = event.status === "in-progress" && before.connectedAt === null;
    const deadline = lookAtFirst({ placedAt, connectedAt, inDoubt: false }, limits, now);
    store.attempts.update(callId, {
      ...reported,
      state: "placed",
      deadline: answered ? deadline : Math.max(deadline, attempt.deadline ?? 0),
      lease: answered ? "renew" : attempt.lease,
    });
    applyEvent(store, attempt, news, event.reason, write, now);
  }, now);
}

/** Corrects a call that counted as answered by a person but was answered by a machine. */
function correctAnswer(store: CampaignStore, attempt: AttemptRow, write: Write, now: number): void {
  const contact = store.contacts.get(attempt.contact);
  const { settings, existing } = store.campaign;
  if (attempt.outcome !== "answered" || isOver(existing.status)) return;
  if (contact?.call_id !== attempt.call_id || contact.phone === ERASED_NUMBER) return;
  const change = afterMachine(openContact(contact, attempt), settings, existing.status, now);
  applyChange(store, attempt, contact, change, null, write, now);
}

/**
 * Ends the call without an event of its carrier, because it was refused or its outcome is unknown. The contact isn't
 * dialed again. If the call may still be running, it is hung up at `hangUpAt`, ms.
 */
export function endCall(
  store: CampaignStore,
  callId: string,
  outcome: Outcome,
  status: CallStatus,
  reason: string,
  now: number,
  hangUpAt: number | null = null,
): void {
  const attempt = store.attempts.get(callId);
  if (!attempt || attempt.state === "ended") return;
  store.transaction((write) => {
    const contact = store.contacts.get(attempt.contact);
    if (!contact) return;
    store.attempts.update(callId, { status });
    const { settings, existing } = store.campaign;
    const change = afterEnd(contact, outcome, settings, existing.status, now);
    applyChange(store, attempt, contact, { ...change, hangup: hangUpAt !== null }, reason, write, now);
    if (hangUpAt !== null) store.attempts.update(callId, { hangup_at: hangUpAt });
  }, now);
}

/**
 * Records the request to hang up a call, with its audit entry. If the process dies before the carrier is asked, the
 * hang-up is due after `HANG_UP_LOST_MS`.
 */
export function hangUpRequested(store: CampaignStore, { call_id, state }: AttemptRow, act: Act, now: number): void {
  store.transaction(() => {
    store.audits.addHangUp(call_id, act);
    if (state !== "ended") store.attempts.update(call_id, { hangup: 1, hangup_at: now + HANG_UP_LOST_MS });
  }, now);
}

/** Records that the hang-up succeeded, which frees the call's slot. */
export function callHungUp(store: CampaignStore, callId: string, now: number): void {
  const attempt = store.attempts.get(callId);
  if (attempt?.hangup !== 1) return;
  store.transaction(() => {
    const over = attempt.state === "ended";
    store.attempts.update(callId, {
      hangup: 0,
      hangup_at: null,
      lease: over ? "free" : attempt.lease,
      status: over && !isTerminal(attempt.status) ? "completed" : attempt.status,
    });
    if (over) waitAgain(store, attempt, now, now);
  }, now);
}

/** Records when (ms) to retry a hang-up that failed. */
export function hangUpFailed(store: CampaignStore, callId: string, again: number, now: number): void {
  const attempt = store.attempts.get(callId);
  if (!attempt || (attempt.state === "ended" && attempt.hangup !== 1)) return;
  store.transaction(() => {
    store.attempts.update(callId, { hangup: 1, hangup_at: again });
    if (attempt.state === "ended") waitAgain(store, attempt, again, now);
  }, now);
}

/**
 * Makes a contact that will be dialed again wait from `since`, ms: until then, its last call may still have been
 * running, although it was over for the contact.
 */
function waitAgain(store: CampaignStore, { call_id, contact }: AttemptRow, since: number, now: number): void {
  const waiting = store.contacts.get(contact);
  if (waiting?.call_id !== call_id || waiting.status !== "pending" || waiting.next_attempt_at === null) return;
  const dueAt = since + waitAfter(waiting.attempts, store.campaign.settings.retry_config);
  if (dueAt > waiting.next_attempt_at) store.contacts.update(contact, { next_attempt_at: dueAt, updated_at: now });
}

/** Schedules all open calls for reconciliation after a restart, because events that arrived meanwhile were lost. */
export function lookAtAllCalls(store: CampaignStore, now: number): void {
  const { attempts } = store;
  for (const { call_id, looked_at } of attempts.open())
    attempts.update(call_id, { deadline: lookAtAfterRebuild(looked_at, now) });
}

/**
 * Takes back a call that the carrier refused for a reason unrelated to the contact: the call doesn't count, and the
 * contact is dialed again at `at`, ms.
 */
export function postponeCall(store: CampaignStore, callId: string, reason: string, at: number, now: number): void {
  const attempt = store.attempts.get(callId);
  if (!attempt || attempt.state === "ended") return;
  store.transaction((write) => {
    const contact = store.contacts.get(attempt.contact);
    if (!contact) return;
    const over = isOver(store.campaign.existing.status);
    store.attempts.update(callId, { status: "failed" });
    store.contacts.update(contact.id, { attempts: contact.attempts - 1 });
    const change: ContactChange = {
      status: over ? "cancelled" : "pending",
      outcome: null,
      reason: null,
      nextAttemptAt: over ? null : at,
      ended: true,
      hangup: false,
      message: null,
    };
    applyChange(store, attempt, contact, change, reason, write, now);
    // No call was placed, so it doesn't count toward the account's caps either.
    store.attempts.update(callId, { lease: "refund" });
  }, now);
}

/**
 * Handles a call that the carrier didn't place for a reason unrelated to the contact: the campaign waits and retries,
 * or pauses.
 */
export function carrierFailed(store: CampaignStore, trouble: CarrierTrouble, begunAt: number, now: number): void {
  const { failures, failed_at: failedAt, status, status_reason } = store.campaign.existing;
  const verdict = afterCarrierTrouble(trouble, { failures, failedAt }, begunAt, now);
  if (verdict === null) return;
  const reason = `carrier_${trouble}`;
  store.transaction((write) => {
    store.campaign.update({ failures: verdict.failures, failed_at: now, not_before: verdict.notBefore });
    if (status !== "running") return;
    if (verdict.state === "pauses") pause(store, reason, write, now);
    else if (verdict.state === "away" && status_reason !== reason) {
      store.campaign.update({ status_reason: reason, updated_at: now });
      write(campaignEntry(store, reason, null));
    }
  }, now);
}

export function pauseItself(store: CampaignStore, reason: string, now: number): void {
  if (store.campaign.existing.status !== "running") return;
  store.transaction((write) => pause(store, reason, write, now), now);
}

function pause(store: CampaignStore, reason: string, write: Write, now: number): void {
  store.campaign.update({ status: "paused", status_reason: reason, updated_at: now });
  write(campaignEntry(store, reason, null));
}

/** Finishes contacts whose number must not be dialed, without a call. */
export function excludeContacts(
  store: CampaignStore,
  contacts: ContactRow[],
  refusalOf: (contact: ContactRow) => DialRefusal | null,
  now: number,
): void {
  store.transaction((write) => {
    for (const contact of contacts) {
      const refusal = refusalOf(contact);
      if (refusal === null) continue;
      store.contacts.update(contact.id, {
        status: "failed",
        outcome: refusal === "do_not_call" ? refusal : "rejected",
        failure_reason: refusal,
        next_attempt_at: null,
        updated_at: now,
      });
      store.campaign.move(contact.status, "failed");
      write(contactEntry(contact, "failed", null, null, refusal));
    }
  }, now);
}
