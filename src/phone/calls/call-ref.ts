import type { CallRow } from "../../records/ledger/report.ts";
import type { CallRef } from "../carriers/carrier.ts";

export function ownNumber({ direction, from_number, to_number }: Parties): string {
  return direction === "inbound" ? to_number : from_number;
}

type Parties = Pick<CallRow, "direction" | "from_number" | "to_number">;

/** Returns the reference of a recorded call at its carrier. */
export function callRef(account: string, row: CallRow): CallRef {
  const { id: call_id, provider_call_id, from_number, to_number, created_at, connected_at } = row;
  const placed_at = Date.parse(created_at);
  return { account, call_id, provider_call_id, from_number, to_number, placed_at, connected: connected_at !== null };
}
