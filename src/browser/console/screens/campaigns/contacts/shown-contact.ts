import type { Body } from "../../../api/client.ts";
import { board as t } from "../../../texts/index.ts";
import { namesOf } from "../../../ui/names-of.ts";
import type { Tone } from "../../../ui/tone.ts";
import type { ContactChange, ContactStatus } from "../live/campaign-events.ts";

type Contact = Body<"Contact">;

export interface ShownContact {
  id: string;
  phone_number: string;
  status: ContactStatus;
  /** The outcome of its latest call; null if no call has ended. */
  outcome: string | null;
  /** The carrier's or the service's reason. */
  reason: string | null;
  tries: number;
  at: string;
  /** When the next attempt is due. */
  again: string | null;
  /** Whether its latest conversation met its agent's goals; null if unknown. */
  successful: Contact["successful"];
  /** Its other columns; undefined until that part of the list is loaded. */
  variables: Contact["variables"] | undefined;
}

/** Reasons that are shown for a call answered by a machine. */
const OF_MACHINES = new Set(["message_left", "message_in_doubt"]);

/** Returns a contact of the list with its later changes from the stream; undefined until it is loaded. */
export function shownContact(contact?: Contact, change?: ContactChange): ShownContact | undefined {
  if (change && (!contact || change.at >= contact.updated_at)) return changed(change, contact);
  if (!contact) return undefined;
  return {
    id: contact.id,
    phone_number: contact.phone_number,
    status: contact.status,
    outcome: contact.outcome,
    reason: contact.failure_reason,
    tries: contact.attempt_count,
    at: contact.updated_at,
    again: contact.status === "pending" ? contact.next_attempt_at : null,
    successful: contact.successful,
    variables: contact.variables,
  };
}

function changed(change: ContactChange, contact: Contact | undefined): ShownContact {
  const { contact_id: id, phone_number, status, reason, at } = change;
  // The event contains everything except the time of the next attempt.
  const isSame = contact?.status === status && contact.updated_at === at;
  return {
    id,
    phone_number: contact?.phone_number ?? phone_number,
    status,
    outcome: outcomeOf(change) ?? contact?.outcome ?? null,
    reason: isSame ? contact.failure_reason : reason,
    tries: change.attempt ?? contact?.attempt_count ?? 0,
    at,
    again: isSame && status === "pending" ? contact.next_attempt_at : null,
    successful: contact?.successful ?? null,
    variables: contact?.variables,
  };
}

function outcomeOf({ status, reason }: ContactChange): string | null {
  if (status === "completed") return "answered";
  if (status !== "failed" && status !== "pending") return null;
  return reason !== null && OF_MACHINES.has(reason) ? "machine" : reason;
}

export const TONES: Record<ContactStatus, Tone> = {
  pending: "idle",
  originated: "info",
  connected: "info",
  completed: "ok",
  failed: "bad",
  cancelled: "idle",
};

/** Returns a contact's state in a word: the outcome of its call once it has ended. */
export function stateOf({ status, outcome }: Pick<ShownContact, "status" | "outcome">): string {
  if (status === "failed") return t.outcomeOf(outcome) ?? t.contacts.status.failed;
  return t.contacts.status[status];
}

/** Checks whether a row would look the same. */
export function isSame(a: ShownContact | undefined, b: ShownContact | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && namesOf(a).every((name) => a[name] === b[name]));
}
