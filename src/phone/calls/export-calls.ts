import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { type Cell, CSV_TYPE, csvStream, download, type ForReader, PAGE_ROWS } from "../../kernel/http/csv.ts";
import type { OfAgents } from "../../kernel/http/own-agents.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { whileAllowed } from "../../kernel/streams/while-allowed.ts";
import { type CallCursor, pageOfCalls } from "../../records/ledger/call-lists.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { projectCall } from "./call-projection.ts";
import type { CallFilters } from "./filters.ts";

type Call = ReturnType<typeof projectCall>;

/** The columns of the file, in order. The docs and the contract name them. */
const CALL_COLUMNS: Record<string, (call: Call) => Cell> = {
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
  agent_version: ({ agent_version }) => agent_version,
  campaign_id: ({ campaign_id }) => campaign_id,
  conversation_id: ({ conversation_id }) => conversation_id,
  disclosed: ({ disclosed }) => disclosed?.how,
  disclosed_at: ({ disclosed }) => disclosed?.at,
  disclosed_text: ({ disclosed }) => disclosed?.text,
  recording_id: ({ recording_id }) => recording_id,
};

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
}

/** Returns the matching calls as CSV, newest first. The export is recorded in the audit log first. */
export async function exportCalls(
  { env, store, principal }: Context,
  { for: reader, ...filters }: CallFilters & OfAgents & ForReader,
): Promise<Response> {
  const ledger = new Ledger({ env, store });
  await ledger.note(store.act({ action: "export_calls", resource: "account", resource_id: store.account }));
  let cursor: CallCursor | null = { before: null, skip: 0 };
  const stream = csvStream(CALL_COLUMNS, async () => {
    if (cursor === null) return null;
    const { rows, next } = await pageOfCalls(ledger, filters, cursor, PAGE_ROWS);
    cursor = next;
    return rows.map(projectCall);
  });
  return download(whileAllowed(stream, env, store.account, readerOf(principal)), CSV_TYPE, "calls.csv", reader);
}
