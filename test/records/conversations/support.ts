import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { putArchive } from "../../../src/records/conversations/archive.ts";
import type { ConversationDetail, Turn } from "../../../src/records/conversations/record.ts";
import { archiveKey } from "../../../src/records/ledger/file-keys.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import type { ConversationRow } from "../../../src/records/ledger/report.ts";
import type { Cost } from "../../../src/records/prices/cost.ts";
import { BASE, type Client, type Tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";

type Owner = Pick<Tenant, "account">;
type Row = ConversationRow;

/** A conversation as the API shows it. */
export interface Conversation extends ConversationDetail {
  duration_ms: number | null;
  cost: Cost | null;
}
export interface Page {
  conversations: Conversation[];
  limit: number;
  next: string | null;
}

export const PATH = "/api/v1/conversations";
export const BEGAN = "2026-03-04T10:00:00.000Z";

/** Returns the time this many ms after the beginning. */
export const later = (ms: number) => new Date(Date.parse(BEGAN) + ms).toISOString();

export const USAGE = {
  input_tokens: 10,
  cached_tokens: 4,
  output_tokens: 20,
  audio_ms: 0,
  speech_chars: 34,
  carrier_s: 60,
  tool_runs: 0,
};

/** The empty fields of most turns. */
export const PLAIN = { interrupted: false, lang: null, finish: null, tool_call: null, sources: [] };

/** The contents of an archive besides the turns. */
export const ARCHIVED = {
  storage: "all" as const,
  opted_out: false,
  documents_late: false,
  timing: { answers: [], requests: [] },
  timezone: "UTC",
};

export const TURNS: Turn[] = [
  { seq: 1, at: later(3_000), role: "agent", text: "Hello, this is Ada.", ...PLAIN, interrupted: true },
  { seq: 2, at: later(5_400), role: "user", text: "Book me a table.", ...PLAIN },
  {
    seq: 4,
    at: later(7_000),
    role: "tool",
    text: "book_table",
    ...PLAIN,
    tool_call: {
      tool_call_id: "t1",
      run_id: null,
      name: "book_table",
      arguments: { seats: 2 },
      state: "ok",
      ok: true,
      result: { table: 7 },
      duration_ms: 120,
    },
  },
  { seq: 6, at: later(9_000), role: "agent", text: "Done.\nSee you!", ...PLAIN },
];

/** Returns the row of an ended call that lasted a minute. */
export function endedRow(set: Partial<Row> = {}): Row {
  const call_id = set.call_id === undefined ? newId() : set.call_id;
  const id = set.id ?? (call_id === null ? newId() : idBeside(call_id));
  return {
    id,
    revision: 1,
    session_key: call_id ?? crypto.randomUUID(),
    kind: "call",
    status: "ended",
    direction: "outbound",
    agent_id: "agent-1",
    agent_version: null,
    prompt_id: null,
    campaign_id: null,
    contact_id: null,
    api_key_id: null,
    visitor_id: null,
    visitor_type: null,
    phone_number: "+13035550110",
    variables: { name: "Ada" },
    started_at: BEGAN,
    ended_at: later(60_000),
    end_reason: "agent_hung_up",
    disclosure: null,
    disclosed: null,
    disclosed_at: null,
    transferred_to: null,
    disposition: "booked",
    turn_count: 3,
    tool_call_count: 1,
    usage: USAGE,
    rates: null,
    latency: { first_ms: 300, median_ms: 350, max_ms: 400 },
    complete: true,
    archived: true,
    analysis_status: null,
    successful: null,
    analysis_brief: null,
    ...set,
    call_id,
  };
}

/** The columns of a live conversation's row. */
export const LIVE: Partial<Row> = {
  status: "live",
  ended_at: null,
  end_reason: null,
  disposition: null,
  turn_count: 0,
  tool_call_count: 0,
  complete: false,
  archived: false,
};

/** Returns the account's ledger as the service reaches it. */
export function ledgerOf({ account }: Owner): Ledger {
  return new Ledger({ env, store: accountStore(env, account, { actor: "test", request_id: "" }) });
}

/** Stores rows as the conversations' objects do. Returns their ids. */
export async function putRows(owner: Owner, rows: Row[]): Promise<string[]> {
  await ledgerOf(owner).report(rows.map((row) => ({ part: "conversation", row })));
  return rows.map(({ id }) => id);
}

/** Stores an ended conversation with its turns. Returns its id. */
export async function held(owner: Owner, set: Partial<Row> = {}, turns: Turn[] | null = TURNS): Promise<string> {
  const row = endedRow(set);
  await putRows(owner, [row]);
  if (turns) await putArchive(env.CONVERSATIONS, owner.account, { ...row, ...ARCHIVED, turns });
  return row.id;
}

/** Returns whether R2 and the ledger still contain any of it. */
export async function leftOf(owner: Owner, id: string): Promise<{ file: boolean; row: boolean }> {
  const file = await env.CONVERSATIONS.head(archiveKey(owner.account, id));
  return { file: file !== null, row: (await ledgerOf(owner).conversation(id)) !== null };
}

/** Returns the response of the events endpoint, to the end of the stream. */
export async function events({ headers }: Client, id: string, lastEventId?: string) {
  const own = lastEventId === undefined ? headers : { ...headers, "last-event-id": lastEventId };
  const answer = await exports.default.fetch(new Request(`${BASE}${PATH}/${id}/events`, { headers: own }));
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

/** Replaces methods of the conversation's object. RPC finds only methods of a class, not functions in properties. */
export function objectDoes({ account }: Owner, session_key: string, methods: Methods): Promise<void> {
  return doing(env.CONVERSATION.getByName(`${account}/${session_key}`), methods);
}

/** Replaces methods of a campaign's object. */
export function campaignDoes({ account }: Owner, id: string, methods: Methods): Promise<void> {
  return doing(env.CAMPAIGN.getByName(`${account}/${id}`), methods);
}

/** Replaces methods of the newest volume of the account's ledger. */
export async function ledgerDoes(owner: Owner, methods: Methods): Promise<void> {
  const ledger = ledgerOf(owner);
  await doing(ledger.volume((await ledger.days()).at(-1) ?? ""), methods);
}

type Methods = Record<string, (...args: never[]) => unknown>;

async function doing<T extends Rpc.DurableObjectBranded>(object: DurableObjectStub<T>, methods: Methods) {
  await runInDurableObject(object as unknown as DurableObjectStub, (instance) => {
    Object.setPrototypeOf(instance, Object.assign(Object.create(Object.getPrototypeOf(instance)), methods));
  });
}
