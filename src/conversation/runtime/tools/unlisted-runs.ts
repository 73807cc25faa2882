import { toolRunReport } from "../../../agent/tools/run/tool-runs.ts";
import type { Ledger } from "../../../records/ledger/ledger.ts";
import { redactRunError } from "../../../records/privacy/redaction/redact-record.ts";
import { policyOf } from "../session/session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { RunRow } from "../store/run-rows.ts";
import { isFinal } from "./run-state.ts";

/** The runs that the list of their tools lacks: all that are over and were not brought there. */
export function unlistedRuns({ runs }: Pick<ConversationStore, "runs">): RunRow[] {
  return runs.all.filter(({ state, listed }) => isFinal(state) && listed === 0);
}

/** Brings those runs to the list; what ends meanwhile waits for the next time. */
export async function deliverRuns(store: ConversationStore, ledger: Ledger): Promise<void> {
  const { id: conversation_id } = store.existing;
  const policy = policyOf(store.session.snapshot);
  const runs = unlistedRuns(store);
  if (runs.length === 0) return;
  await ledger.report(
    runs.map(({ id, name, tool_call_id, state, asked_at, started_at, ended_at, status, error }) => {
      const at = started_at ?? asked_at;
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
    }),
  );
  if (store.row?.id !== conversation_id) return;
  for (const { id } of runs) store.runs.update(id, { listed: 1 });
}
