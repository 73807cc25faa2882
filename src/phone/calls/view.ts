import type { calls } from "../../kernel/db/schema/index.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import { recordedEndReason } from "../../records/ledger/end-reason.ts";
import { shownMetadata, wasRecorded } from "./originate-call.ts";

/** A call as clients see it, with the conversation held on it. */
export function view({ id, ...row }: typeof calls.$inferSelect, conversation_id: string | null = null) {
  const { connected_at, ended_at } = row;
  const end_reason = recordedEndReason(row);
  const duration_ms = connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null;
  const metadata = shownMetadata(row);
  return {
    ...row,
    call_id: id,
    status: row.status as CallStatus,
    duration_ms,
    end_reason,
    recorded: wasRecorded(row),
    conversation_id,
    metadata,
  };
}
