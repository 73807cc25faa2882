import { eq, inArray } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { type Cell, CSV_TYPE, csvStream, download, type ForReader, PAGE_ROWS } from "../../kernel/http/csv.ts";
import type { OfAgents } from "../../kernel/http/own-agents.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { whileAllowed } from "../../kernel/streams/while-allowed.ts";
import { VALUED_STATES } from "../analysis/analysis.ts";
import { stateIn, valuesIn } from "../analysis/brief.ts";
import { pageOfConversations } from "../ledger/conversation-lists.ts";
import type { ConversationCursor } from "../ledger/conversation-queries.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { ConversationRow } from "../ledger/report.ts";
import type { ConversationFilters } from "./contract.ts";
import { projectConversation } from "./projection.ts";

type Shown = ReturnType<typeof projectConversation<ConversationRow>>;

/** The columns of the file, in order. The contract's example lists the same columns. */
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
  agent_version: ({ agent_version }) => agent_version,
  campaign_id: ({ campaign_id }) => campaign_id,
  contact_id: ({ contact_id }) => contact_id,
  call_id: ({ call_id }) => call_id,
  disclosed: ({ disclosed }) => disclosed?.how,
  disclosed_at: ({ disclosed }) => disclosed?.at,
  disclosed_text: ({ disclosed }) => disclosed?.text,
  successful: ({ successful }) => successful,
  summary: ({ analysis_brief }) => analysis_brief?.summary,
};

/** The most analysis values that get columns. */
const MAX_VALUES = 200;

/** Returns two columns, value and state, for each value that the account's agents (or the requested agent) extract. */
async function valueColumns(store: AccountStore, { agent_id, agent_ids }: OfAgents): Promise<typeof COLUMNS> {
  const where = agent_id ? eq(agents.id, agent_id) : agent_ids ? inArray(agents.id, [...agent_ids]) : undefined;
  const [found] = await store.read(store.select(agents, { columns: ["analysis"], where: all(where) }));
  const names = [...new Set(found.flatMap(({ analysis }) => analysis.data.map(({ name }) => name)))].toSorted();
  return Object.fromEntries(
    names.slice(0, MAX_VALUES).flatMap((name): [string, (conversation: Shown) => Cell][] => [
      [`data.${name}`, ({ analysis_brief }) => analysis_brief && valuesIn(analysis_brief, VALUED_STATES)[name]],
      [`data.${name}.state`, ({ analysis_brief }) => analysis_brief && stateIn(analysis_brief, name)],
    ]),
  );
}

interface Context {
  env: Pick<Bindings, "ACCOUNT_LEDGER" | "ACCOUNT_GATE">;
  store: AccountStore;
  principal: Principal;
}

/** Streams the matching conversations as CSV, newest first. The export is audited before it begins. */
export async function exportConversations(
  { env, store, principal }: Context,
  { for: reader, ...filters }: ConversationFilters & OfAgents & ForReader,
): Promise<Response> {
  const ledger = new Ledger({ env, store });
  await ledger.note(store.act({ action: "export_conversations", resource: "account", resource_id: store.account }));
  let after: ConversationCursor | null = null;
  let isOver = false;
  const columns = Object.assign({}, COLUMNS, await valueColumns(store, filters));
  const stream = csvStream(columns, async () => {
    if (isOver) return null;
    const { rows, next } = await pageOfConversations(ledger, filters, after, PAGE_ROWS);
    after = next;
    isOver = next === null;
    return rows.map((row) => projectConversation(row));
  });
  return download(whileAllowed(stream, env, store.account, readerOf(principal)), CSV_TYPE, "conversations.csv", reader);
}
