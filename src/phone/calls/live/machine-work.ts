import { type CallStatus, isTerminal } from "../../../records/ledger/call-status.ts";
import type { CallRow } from "../../../records/ledger/report.ts";
import type { Carrier } from "../../carriers/carrier.ts";
import { hangUp } from "./hang-up.ts";
import type { LedgerLines } from "./ledger-lines.ts";
import { leaveMessage } from "./voicemail.ts";

/** The pending action for a machine on a running call. */
type MachineWork = "hang_up" | "leave_message";

/** Returns the pending action for a machine on a call that is still running; null for none. */
export function machineWork(row: CallRow, now: number): MachineWork | null {
  if (row.voicemail === null || isTerminal(row.status as CallStatus) || row.metadata.answered_by !== "machine")
    return null;
  if (row.message === "failed") return "hang_up";
  // The call has no message to leave, so that it is hung up even if one should be left.
  if (row.message === null) return row.voicemail === "hang_up" || row.voicemail === "leave_message" ? "hang_up" : null;
  if (row.message_until !== null && row.message_until <= now) return "hang_up";
  return row.message === "due" ? "leave_message" : null;
}

/**
 * Carries out the pending action for the machine on a single call. A failed hang-up is retried until the call's limit.
 */
export async function doMachineWork(
  { clock }: { clock: () => number },
  lines: LedgerLines,
  callId: string,
  work: MachineWork,
  carrier: Carrier,
): Promise<void> {
  const carrierOf = async () => carrier;
  if (work === "leave_message" && !(await leaveMessage(lines, carrierOf, lines.live(callId)))) return;
  // The store has recorded the retry.
  await hangUp({ store: lines, clock }, carrierOf, lines.live(callId)).catch(() => {});
}
