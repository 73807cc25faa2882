import type { CallRow } from "../../records/ledger/report.ts";
import type { CallRef } from "../carriers/carrier.ts";

/** A call on record as its carrier is asked about it. */
export function callRef(account: string, row: CallRow): CallRef {
  const { id: call_id, provider_call_id, from_number, to_number, created_at, connected_at } = row;
  const placed_at = Date.parse(created_at);
  return { account, call_id, provider_call_id, from_number, to_number, placed_at, connected: connected_at !== null };
}
