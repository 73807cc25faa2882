import type { Author } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import { ERASED_NUMBER } from "../contact-id.ts";
import { afterOperation, type ContactStatus, isOver, type Operation } from "../decide/state.ts";
import type { StoredSettings } from "../settings.ts";
import type { CampaignStore } from "./campaign-store.ts";
import type { ContactRow } from "./contacts.ts";
import type { NewEntry } from "./log.ts";

/**
 * Starts, pauses, resumes or stops the campaign. Returns false if the state doesn't allow it.
 * @param id the ID of the request, if it is fixed by an idempotency key
 */
export function operate(
  store: CampaignStore,
  operation: Operation,
  author: Author,
  now: number,
  id: string | null = null,
): boolean {
  if (store.operations.find(id)) return true;
  const { status, started_at, redial } = store.campaign.existing;
  const next = afterOperation(status, operation);
  // If the campaign ran during a redial, a contact that fails again would be redialed again and again.
  if (next === null || (next === "running" && redial !== null)) return false;
  store.transaction((write) => {
    if (status === "draft") store.contacts.indexStatuses();
    store.campaign.update({
      status: next,
      status_reason: null,
      failures: 0,
      failed_at: null,
      not_before: null,
      updated_at: now,
      ...(next === "running" && { started_at: started_at ?? now }),
      ...(next === "stopped" && { ended_at: now, redial: null }),
    });
    store.operations.note(id, 0, now);
    store.audits.add(operation, author, now, changedFields({ status }, { status: next }));
    write(campaignEntry(store, null, author.actor));
  }, now);
  return true;
}

/** Stores the changed settings. History and audit log name those that differ. */
export function changeSettings(store: CampaignStore, sent: Partial<StoredSettings>, author: Author, now: number): void {
  const before = store.campaign.settings;
  const changes = changedFields(before, sent);
  const after: StoredSettings = { ...before, ...sent };
  store.transaction((write) => {
    store.audits.add("update", author, now, changes);
    store.campaign.update({
      settings: JSON.stringify(after),
      settings_revision: store.campaign.existing.settings_revision + 1,
      settings_by: author.actor,
      settings_at: now,
      updated_at: now,
    });
    write({ ...campaignEntry(store, "settings_changed", author.actor), detail: Object.keys(changes).join(",") });
  }, now);
}

/**
 * The most contacts canceled in one transaction after a stop. Each costs a history entry with its hash, about 50 µs, and
 * other requests of the account wait until the transaction ends.
 */
const CANCELLED_AT_ONCE = 500;

/** Cancels up to `limit` waiting contacts after a stop and returns how many. */
export function cancelSome(store: CampaignStore, now: number, limit = CANCELLED_AT_ONCE): number {
  const waiting = store.contacts.waiting(limit);
  if (waiting.length === 0) return 0;
  store.transaction((write) => {
    store.contacts.cancel(
      waiting.map(({ id }) => id),
      now,
    );
    const { pending, cancelled } = store.campaign.existing;
    store.campaign.update({ pending: pending - waiting.length, cancelled: cancelled + waiting.length });
    write(...waiting.map((contact) => contactEntry(contact, "cancelled", null, null, "stopped")));
  }, now);
  return waiting.length;
}

/** Completes a campaign whose contacts all have a final status. */
export function completeIfDone(store: CampaignStore, now: number): void {
  const { status, importing, append_after, redial, pending, originated, connected } = store.campaign.existing;
  if (importing || append_after !== null || redial !== null || status === "draft" || isOver(status)) return;
  if (pending + originated + connected > 0) return;
  store.transaction((write) => {
    store.campaign.update({ status: "completed", status_reason: null, ended_at: now, updated_at: now });
    write(campaignEntry(store, null, null));
  }, now);
}

/** Returns the history entry of the campaign's status and counters. */
export function campaignEntry(store: CampaignStore, reason: string | null, actor: string | null): NewEntry {
  return {
    event: "campaign",
    status: store.campaign.existing.status,
    reason,
    actor,
    counts: JSON.stringify(store.campaign.counts),
  };
}

export function contactEntry(
  contact: Pick<ContactRow, "id" | "phone" | "status">,
  status: ContactStatus,
  attempt: number | null,
  callId: string | null,
  reason: string | null,
): NewEntry {
  return {
    event: status,
    status,
    previous_status: contact.status,
    contact: contact.id,
    phone: contact.phone === ERASED_NUMBER ? null : contact.phone,
    attempt,
    call_id: callId,
    reason,
  };
}
