import { recordRuns, type ToolRunRow } from "../../../agent/tools/run/tool-runs.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import type { ConversationRow } from "../store/conversation-row.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

type PendingRun = Omit<ToolRunRow, "conversation_id">;

/** The runs of tools that the list of them does not have yet. */
export function pendingRuns({ runs }: Pick<ConversationRow, "runs">): PendingRun[] {
  return runs === null ? [] : (JSON.parse(runs) as PendingRun[]);
}

/** Brings those runs to the list; what comes meanwhile stays for the next time. */
export async function deliverRuns(store: ConversationStore, accountStore: AccountStore): Promise<void> {
  const { existing } = store;
  const runs = pendingRuns(existing);
  if (runs.length === 0) return;
  await recordRuns(
    accountStore,
    runs.map((run) => ({ ...run, conversation_id: existing.id })),
  );
  if (store.row?.id !== existing.id) return;
  const left = pendingRuns(store.row).slice(runs.length);
  store.update({ runs: left.length === 0 ? null : JSON.stringify(left) });
}
