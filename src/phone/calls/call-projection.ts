import type { CallStatus } from "../../records/ledger/call-status.ts";
import { projectDisclosure } from "../../records/ledger/disclosed.ts";
import { recordedEndReason } from "../../records/ledger/end-reason.ts";
import type { CallRow } from "../../records/ledger/report.ts";

/** Returns a call of the ledger as clients see it. */
export function projectCall({ id, ...row }: CallRow) {
  const { connected_at, ended_at } = row;
  return Object.assign(row, {
    call_id: id,
    status: row.status as CallStatus,
    duration_ms: connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null,
    end_reason: recordedEndReason(row),
    disclosed: projectDisclosure(row),
    recorded: row.recorded,
    metadata: shownMetadata(row),
  });
}

/** Returns a call's metadata as clients see it. The service's own notes replace client fields with the same name. */
export function shownMetadata(
  row: Pick<CallRow, "own_metadata" | "metadata" | "hangup_requested" | "transferred_to">,
): Record<string, unknown> {
  // Spread instead of assigned, because a client's field may have any name, even `__proto__`.
  const shown: Record<string, unknown> = { ...row.own_metadata, ...row.metadata };
  if (row.hangup_requested) shown.hangup_requested = true;
  if (row.transferred_to !== null) shown.transferred_to = row.transferred_to;
  return shown;
}
