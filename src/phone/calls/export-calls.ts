import type { AccountStore } from "../../kernel/db/account-store.ts";
import { type Cell, CSV_TYPE, csvStream, download, PAGE_ROWS } from "../../kernel/http/csv.ts";
import type { CallFilters } from "./filters.ts";
import { callsAfter } from "./list-calls.ts";
import { view } from "./view.ts";

type Call = ReturnType<typeof view>;

/** The columns of the file, in order; docs and the contract name them. */
export const CALL_COLUMNS: Record<string, (call: Call) => Cell> = {
  call_id: ({ call_id }) => call_id,
  created_at: ({ created_at }) => created_at,
  direction: ({ direction }) => direction,
  from_number: ({ from_number }) => from_number,
  to_number: ({ to_number }) => to_number,
  status: ({ status }) => status,
  end_reason: ({ end_reason }) => end_reason,
  connected_at: ({ connected_at }) => connected_at,
  ended_at: ({ ended_at }) => ended_at,
  duration_ms: ({ duration_ms }) => duration_ms,
  agent_id: ({ agent_id }) => agent_id,
  campaign_id: ({ campaign_id }) => campaign_id,
  conversation_id: ({ conversation_id }) => conversation_id,
  recording_id: ({ recording_id }) => recording_id,
};

/** The calls that meet the filters as a CSV, newest first, once the audit log has it that they are handed out. */
export async function exportCalls(store: AccountStore, filters: CallFilters): Promise<Response> {
  await store.note({ action: "export_calls", resource: "account", resource_id: store.account });
  let last: Parameters<typeof callsAfter>[2];
  let isOver = false;
  const stream = csvStream(CALL_COLUMNS, async () => {
    if (isOver) return null;
    const { rows, held } = await callsAfter(store, filters, last, PAGE_ROWS);
    last = rows.at(-1);
    isOver = rows.length < PAGE_ROWS;
    const conversations = new Map(held.map(({ id, call_id }) => [call_id, id]));
    return rows.map((row) => view(row, conversations.get(row.id)));
  });
  return download(stream, CSV_TYPE, "calls.csv");
}
