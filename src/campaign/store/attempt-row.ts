import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import type { MessageState, Outcome } from "../decide/state.ts";

/** One call to a contact. Times are ms. */
export type AttemptRow = {
  call_id: string;
  contact: number;
  number: number;
  state: "dialing" | "placed" | "ended";
  status: CallStatus;
  provider: string;
  provider_call_id: string | null;
  dialled_at: number;
  connected_at: number | null;
  ended_at: number | null;
  deadline: number | null;
  outcome: Outcome | null;
  reason: string | null;
  hangup: number;
  lease: "renew" | "free" | "refund" | null;
  /** 1 if the ledger doesn't have this revision. */
  unreported: number;
  /** Incremented by each change that the ledger receives. */
  revision: number;
  from_number: string;
  credentials_id: string | null;
  agent_id: string;
  /** The version to which its agent was pinned when it was placed; null if it follows the one in force. */
  pinned_version: number | null;
  /** The version that held its conversation. */
  agent_version: number | null;
  answered_by: "human" | "machine" | null;
  looked_at: number | null;
  hangup_at: number | null;
  conversation_id: string | null;
  disposition: string | null;
  /** The analysis of the conversation, as JSON of a HeldAnalysis; null if there is none. */
  analysis: string | null;
  /** 1 if the call was set to be recorded. */
  recorded: number;
  /** Its disclosure, as JSON of a Disclosure; null if there is none. */
  disclosure: string | null;
  message: MessageState | null;
  message_until: number | null;
  /** The number with which the call was placed, if the contact was corrected afterwards; otherwise null. */
  to_number: number | null;
  contact_variables: string | null;
};

export type HeldConversation = Pick<AttemptRow, "conversation_id" | "disposition" | "agent_version">;
export type AnalyzedConversation = HeldConversation & Pick<AttemptRow, "analysis">;

/** A call's number, credentials, agent and recording when it was placed. Later changes don't affect it. */
export type AttemptLine = Pick<
  AttemptRow,
  "provider" | "from_number" | "credentials_id" | "agent_id" | "pinned_version" | "recorded" | "disclosure"
>;
export const heldDisclosure = (disclosure: Disclosure | null): AttemptRow["disclosure"] =>
  disclosure && JSON.stringify(disclosure);
export const disclosureIn = (held: AttemptRow["disclosure"]): Disclosure | null =>
  held === null ? null : (JSON.parse(held) as Disclosure);

/** A call about to be placed. */
export type NewAttempt = Pick<AttemptRow, "call_id" | "contact" | "number" | "dialled_at" | "deadline"> & AttemptLine;

/**
 * An attempt with the number and variables with which it was placed. The variables are null if they exceed the
 * requested size.
 */
export type AttemptOfContact = AttemptRow & { phone: number; variables: string | null };

/**
 * Lease changes to report to the meter, by call: leases that have ended, leases that were not used, and leases of
 * running calls.
 */
export interface LeaseChanges {
  free: string[];
  refund: string[];
  renew: string[];
}
