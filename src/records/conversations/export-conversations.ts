import type { AccountStore } from "../../kernel/db/account-store.ts";
import { type Cell, CSV_TYPE, csvStream, download, PAGE_ROWS } from "../../kernel/http/csv.ts";
import type { ConversationFilters } from "./contract.ts";
import type { ConversationRow } from "./find-conversation.ts";
import { conversationsAfter } from "./list-conversations.ts";
import { view } from "./view.ts";

type Shown = ReturnType<typeof view<ConversationRow>>;

/** The columns of the file, in order; the contract's example names them. */
const COLUMNS: Record<string, (conversation: Shown) => Cell> = {
  id: ({ id }) => id,
  started_at: ({ started_at }) => started_at,
  kind: ({ kind }) => kind,
  direction: ({ direction }) => direction,
  phone_number: ({ phone_number }) => phone_number,
  contact_name: ({ contact_name }) => contact_name,
  status: ({ status }) => status,
  disposition: ({ disposition }) => disposition,
  end_reason: ({ end_reason }) => end_reason,
  transferred_to: ({ transferred_to }) => transferred_to,
  ended_at: ({ ended_at }) => ended_at,
  duration_ms: ({ duration_ms }) => duration_ms,
  turn_count: ({ turn_count }) => turn_count,
  agent_id: ({ agent_id }) => agent_id,
  campaign_id: ({ campaign_id }) => campaign_id,
  contact_id: ({ contact_id }) => contact_id,
  call_id: ({ call_id }) => call_id,
};

/** Conversations that meet the filters as a CSV, newest first, once the audit log has it that they are handed out. */
export async function exportConversations(store: AccountStore, filters: ConversationFilters): Promise<Response> {
  await store.note({ action: "export_conversations", resource: "account", resource_id: store.account });
  let last: ConversationRow | undefined;
  let isOver = false;
  const stream = csvStream(COLUMNS, async () => {
    if (isOver) return null;
    const rows = await conversationsAfter(store, filters, last, PAGE_ROWS);
    last = rows.at(-1);
    isOver = rows.length < PAGE_ROWS;
    return rows.map((row) => view(row));
  });
  return download(stream, CSV_TYPE, "conversations.csv");
}
