import type { CallState } from "../../records/ledger/call-state.ts";
import { type CallNews, type ContactChange, contactAfter, type OpenContact, type Voicemail } from "../decide/state.ts";
import type { AttemptRow } from "./attempt-row.ts";
import type { CampaignStore, Write } from "./campaign-store.ts";
import { contactEntry } from "./campaign-transitions.ts";
import type { ContactRow } from "./contacts.ts";

/** Returns the contact and its call as input of the state machine. */
export function openContact({ status, attempts }: ContactRow, { message }: AttemptRow): OpenContact {
  return { status, attempts, message };
}

export function callOf(attempt: AttemptRow, voicemail: Voicemail): CallState {
  const { status, provider_call_id, answered_by, dialled_at, connected_at, message, state } = attempt;
  return {
    status,
    provider_call_id,
    answered_by,
    placedAt: dialled_at,
    connectedAt: connected_at,
    voicemail,
    message,
    over: state === "ended",
  };
}

/** Applies the changes to a contact that follow from an event of its open call. Part of the caller's transaction. */
export function applyEvent(
  store: CampaignStore,
  attempt: AttemptRow,
  news: CallNews,
  reason: string | null,
  write: Write,
  now: number,
): void {
  const contact = store.contacts.get(attempt.contact);
  if (!contact) return;
  const { settings, existing } = store.campaign;
  const change = contactAfter(openContact(contact, attempt), news, settings, existing.status, now);
  if (change) applyChange(store, attempt, contact, change, change.ended ? reason : null, write, now);
}

/** Applies a change of a contact and its call. `detail` is the carrier's text. Part of the caller's transaction. */
export function applyChange(
  store: CampaignStore,
  attempt: AttemptRow,
  contact: ContactRow,
  change: ContactChange,
  detail: string | null,
  write: Write,
  now: number,
): void {
  const failed = change.ended && change.status !== "completed";
  const reason = failed ? change.reason || detail || change.outcome : null;
  store.contacts.update(contact.id, {
    status: change.status,
    next_attempt_at: change.nextAttemptAt,
    updated_at: now,
    ...(change.outcome !== null && { outcome: change.outcome }),
    ...(change.ended && { failure_reason: reason }),
  });
  if (change.message !== null) {
    const message_until = now + store.voicemailTimeoutMs;
    store.attempts.update(attempt.call_id, { message: change.message, message_until });
  }
  if (change.ended) {
    store.attempts.update(attempt.call_id, {
      state: "ended",
      ended_at: attempt.ended_at ?? now,
      outcome: change.outcome,
      reason: change.reason ?? detail,
      deadline: null,
      message_until: null,
    });
    // A call that must still be hung up keeps its slot until then.
    if (change.hangup) store.attempts.update(attempt.call_id, { hangup: 1, hangup_at: now });
    else store.attempts.update(attempt.call_id, { hangup: 0, hangup_at: null, lease: "free" });
  }
  store.campaign.move(contact.status, change.status);
  store.campaign.update({ updated_at: now });
  // An open call is recorded in the history only if its contact's status changes.
  if (!change.ended && change.status === contact.status) return;
  const shownReason = change.outcome === "answered" ? null : (change.reason ?? change.outcome ?? reason);
  write(contactEntry(contact, change.status, attempt.number, attempt.call_id, shownReason));
}
