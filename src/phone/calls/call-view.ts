import type { CallStatus } from "../../records/ledger/call-status.ts";
import { endReasonOnRecord } from "../../records/ledger/end-reason.ts";
import type { CallRow } from "../../records/ledger/report.ts";

/** A call of the ledger as clients see it. */
export function callView({ id, ...row }: CallRow) {
  const { connected_at, ended_at, hangup_requested, transferred_to, own_metadata } = row;
  const status = row.status as CallStatus;
  const by_machine = row.metadata.answered_by === "machine";
  const noted = Object.assign(
    {},
    row.metadata,
    hangup_requested ? { hangup_requested } : {},
    transferred_to === null ? {} : { transferred_to },
  );
  return Object.assign(row, {
    call_id: id,
    status,
    duration_ms: connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null,
    end_reason:
      ended_at === null
        ? null
        : endReasonOnRecord({ status, end_reason: row.end_reason, by_machine, hangup_requested }),
    recorded: row.recorded ?? row.recording_id !== null,
    // Their own, behind what is noted here by the same name.
    metadata: Object.assign({}, own_metadata, noted),
  });
}
