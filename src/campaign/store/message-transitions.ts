import { messageUntil } from "../../phone/calls/voicemail.ts";
import { messageMoves } from "../../records/ledger/call-state.ts";
import { ERASED_NUMBER } from "../contact-id.ts";
import { afterMachine, isOver } from "../decide/state.ts";
import type { AttemptRow } from "./attempt-row.ts";
import type { CampaignStore, Write } from "./campaign-store.ts";
import { applyChange, openContact } from "./contact-changes.ts";

/**
 * Records that the carrier is about to be asked to speak a due message. From here on it may be spoken, and it lasts as
 * long as its text takes. Returns false if it isn't due.
 */
export function messageRequested(store: CampaignStore, callId: string, text: string, now: number): boolean {
  const attempt = store.attempts.get(callId);
  if (!attempt || !moves(attempt, "due")) return false;
  store.transaction(() => {
    store.attempts.update(callId, {
      message: "asked",
      message_until: messageUntil(text, store.voicemailTimeoutMs, now),
    });
  }, now);
  return true;
}

/**
 * Records that the carrier speaks the message. The carrier may report that after the call is over; the contact is then
 * known to have the message.
 */
export function messageLeft(store: CampaignStore, callId: string, now: number): boolean {
  const attempt = store.attempts.get(callId);
  if (!attempt || !moves(attempt, "asked")) return false;
  store.transaction(() => {
    store.attempts.update(callId, { message: "left" });
    if (attempt.state !== "ended") return;
    const contact = store.contacts.get(attempt.contact);
    const { reason } = machineEnd(store, { ...attempt, message: "left" }, now) ?? {};
    if (reason == null) return;
    store.attempts.update(callId, { reason });
    if (contact?.call_id === callId) store.contacts.update(contact.id, { failure_reason: reason, updated_at: now });
  }, now);
  return true;
}

/** Records that the message couldn't be left. The call is hung up like any call answered by a machine. */
export function messageNotLeft(store: CampaignStore, callId: string, from: "due" | "asked", now: number): boolean {
  const attempt = store.attempts.get(callId);
  if (!attempt || !moves(attempt, from)) return false;
  store.transaction((write) => {
    store.attempts.update(callId, { message: "failed" });
    endMachineCall(store, { ...attempt, message: "failed" }, write, now);
  }, now);
  return true;
}

/** Hangs up a call whose message, or whose machine's greeting, took too long. */
export function messageOverdue(store: CampaignStore, callId: string, now: number): void {
  const attempt = store.attempts.get(callId);
  if (!attempt || attempt.message_until === null || attempt.message_until > now) return;
  store.transaction((write) => endMachineCall(store, attempt, write, now), now);
}

/**
 * Ends a machine's call for its contact. For a call that is already over, only the contact's next step is decided
 * again, because the contact may still be retried.
 */
function endMachineCall(store: CampaignStore, attempt: AttemptRow, write: Write, now: number): void {
  const contact = store.contacts.get(attempt.contact);
  const change = machineEnd(store, attempt, now);
  if (!contact || !change || contact.phone === ERASED_NUMBER) return;
  const isOpen = attempt.state !== "ended";
  if (!isOpen && (contact.call_id !== attempt.call_id || isOver(store.campaign.existing.status))) return;
  const hangup = isOpen || attempt.hangup === 1;
  applyChange(store, attempt, contact, { ...change, hangup }, null, write, now);
}

const moves = ({ message, state }: AttemptRow, from: "due" | "asked") =>
  messageMoves({ message, over: state === "ended" }, from);

function machineEnd(store: CampaignStore, attempt: AttemptRow, now: number) {
  const contact = store.contacts.get(attempt.contact);
  const { settings, existing } = store.campaign;
  return contact && afterMachine(openContact(contact, attempt), settings, existing.status, now);
}
