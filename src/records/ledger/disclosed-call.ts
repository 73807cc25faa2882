import { type EndReason, recordedEndReason } from "./end-reason.ts";
import type { CallRow } from "./report.ts";

/** Why an answered call may end without a person on it: a machine was hung up on, or the caller was never connected. */
const NOT_ANSWERED: (EndReason | null)[] = ["machine", "failed"];

/**
 * Returns how a call was disclosed: as its conversation reports; at the beginning of a message that was left; or not at
 * all, if it was answered and ended without either. Null while that is open, and if no person answered.
 */
export function disclosedOnCall(call: CallRow): Pick<CallRow, "disclosed" | "disclosed_at"> {
  const { connected_at, ended_at, metadata, disclosure, disclosed, disclosed_at } = call;
  if (disclosure === null || disclosed_at !== null) return { disclosed, disclosed_at };
  if (metadata.message_left === true) return { disclosed: "spoken", disclosed_at: connected_at ?? ended_at };
  const isMissing = connected_at !== null && ended_at !== null && !NOT_ANSWERED.includes(recordedEndReason(call));
  return { disclosed: isMissing ? "missing" : null, disclosed_at: null };
}
