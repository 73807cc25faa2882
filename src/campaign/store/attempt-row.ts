import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import type { MessageState, Outcome } from "../decide/state.ts";

/** One call to one contact. Times are ms. */
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
  /** 1 where the ledger does not have this revision. */
  unreported: number;
  /** Incremented by each change of what the ledger has of it. */
  revision: number;
  from_number: string | null;
  credentials_id: string | null;
  agent_id: string | null;
  /** The version that its agent was pinned to when it was placed; null if it follows the one in force. */
  pinned_version: number | null;
  /** The version that its conversation was held with. */
  agent_version: number | null;
  answered_by: "human" | "machine" | null;
  looked_at: number | null;
  hangup_at: number | null;
  conversation_id: string | null;
  disposition: string | null;
  /** What the analysis found in the conversation, as JSON of a HeldAnalysis; null for nothing. */
  analysis: string | null;
  /** 1 where the call was set to be recorded. */
  recorded: number;
  /** What is said on it before the first word: JSON of a Disclosure, null for nothing. */
  disclosure: string | null;
  message: MessageState | null;
  message_until: number | null;
  /** Null unless the contact was corrected since: then what the call was made with. */
  to_number: number | null;
  contact_variables: string | null;
};

/** The conversation that was held on a call, and what its agent made of it. */
export type HeldConversation = Pick<AttemptRow, "conversation_id" | "disposition" | "agent_version">;
/** The same with what was read out of it. */
export type AnalyzedConversation = HeldConversation & Pick<AttemptRow, "analysis">;

/** A call's number, credentials, agent and recording as when it was placed; later changes do not affect it. */
export type AttemptLine = Pick<
  AttemptRow,
  "provider" | "from_number" | "credentials_id" | "agent_id" | "pinned_version" | "recorded" | "disclosure"
>;
/** A disclosure as an attempt holds it. */
export const heldDisclosure = (disclosure: Disclosure | null): AttemptRow["disclosure"] =>
  disclosure && JSON.stringify(disclosure);
export const disclosureIn = (held: AttemptRow["disclosure"]): Disclosure | null =>
  held === null ? null : (JSON.parse(held) as Disclosure);

/** A call about to be placed. */
export type NewAttempt = Pick<AttemptRow, "call_id" | "contact" | "number" | "dialled_at" | "deadline"> & AttemptLine;

/** An attempt with the number and the variables that it was placed with; null if those are longer than requested. */
export type AttemptOfContact = AttemptRow & { phone: number; variables: string | null };

/** Changes to report to the gate, by call: leases that ended, that were unused, and that are still running. */
export interface LeaseChanges {
  free: string[];
  refund: string[];
  renew: string[];
}
