import { recordedEndReason } from "./end-reason.ts";
import type { CallRow, ConversationRow } from "./report.ts";

/** How it was said what an agent is, where that was required. */
export const DISCLOSED = ["spoken", "shown", "reported", "missing"] as const;
export type Disclosed = (typeof DISCLOSED)[number];
/** The same for records, with those where nothing had to be said. */
export const DISCLOSURES = [...DISCLOSED, "not_required"] as const;

/** What a record says of the disclosure; null while that is not decided. */
export interface DisclosedView {
  /** When it was said (ISO 8601, UTC); null if it was not. */
  at: string | null;
  /** What was said, or should have been; null if nothing had to be. */
  text: string | null;
  how: (typeof DISCLOSURES)[number];
}

/** What the record of a call or a conversation says of the disclosure; null while that is not decided. */
export function disclosedView({
  disclosure,
  disclosed,
  disclosed_at,
}: Pick<ConversationRow, "disclosure" | "disclosed" | "disclosed_at">): DisclosedView | null {
  if (disclosure === null) return { at: null, text: null, how: "not_required" };
  return disclosed && { at: disclosed_at, text: disclosure.text, how: disclosed };
}

/**
 * How a call was disclosed, by what is on record of it: as its conversation says; at the beginning of a message that was
 * left; not at all if it was answered and has ended without either. Null while that is open, and where no person
 * answered.
 */
export function disclosedOnCall(call: CallRow): Pick<CallRow, "disclosed" | "disclosed_at"> {
  const { connected_at, ended_at, metadata, disclosure, disclosed, disclosed_at } = call;
  if (disclosure === null || disclosed_at !== null) return { disclosed, disclosed_at };
  if (metadata.message_left === true) return { disclosed: "spoken", disclosed_at: connected_at ?? ended_at };
  const isMissing = connected_at !== null && ended_at !== null && recordedEndReason(call) !== "machine";
  return { disclosed: isMissing ? "missing" : null, disclosed_at: null };
}
