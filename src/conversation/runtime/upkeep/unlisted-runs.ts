import { toolRunReport } from "../../../agent/tools/run/tool-runs.ts";
import type { LedgerReport } from "../../../records/ledger/report.ts";
import { redactRunError } from "../../../records/privacy/redaction/redact-record.ts";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { RunRow } from "../store/run-rows.ts";
import { isFinal } from "../tools/run-state.ts";

export function unlistedRuns({ runs }: Pick<ConversationStore, "runs">): RunRow[] {
  return runs.all.filter(({ state, listed }) => isFinal(state) && listed === 0);
}

export function runReport(
  conversation_id: string,
  { id, name, tool_call_id, state, requested_at, started_at, ended_at, status, error }: RunRow,
  policy: StoragePolicy,
): LedgerReport {
  const at = started_at ?? requested_at;
  return toolRunReport({
    id,
    tool_name: name,
    at: new Date(at).toISOString(),
    conversation_id,
    tool_call_id,
    ok: state === "ok",
    status,
    duration_ms: Math.max(0, (ended_at ?? at) - at),
    error: redactRunError(error, policy),
  });
}
