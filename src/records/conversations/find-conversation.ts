import type { AccountStore } from "../../kernel/db/account-store.ts";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { getAnalysis } from "../analysis/archive.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { ConversationRow } from "../ledger/report.ts";
import { analysisOf } from "./analysis-projection.ts";
import { type Archived, getArchive } from "./archive.ts";
import type { ConversationDetail } from "./record.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
}

/**
 * Returns the row of a conversation, even if it has begun but was not yet reported to the ledger. @throws ApiError 404
 */
export async function findRow({ env, store }: Context, id: string): Promise<ConversationRow> {
  const row = (await new Ledger({ env, store }).conversation(id)) ?? (await unlistedRow(env, store.account, id));
  if (!row) throw notFound("conversation");
  return row;
}

/** Returns the row that the conversation's object will report. */
async function unlistedRow(env: Bindings, account: string, id: string): Promise<ConversationRow | null> {
  const session_key = await conversationObject(env, account, id).holder();
  const held = session_key === null ? null : await heldDetail(env, account, { id, session_key });
  if (session_key === null || held === null) return null;
  const {
    turns: _turns,
    storage: _storage,
    opted_out: _optedOut,
    documents_late: _documentsLate,
    rates: _rates,
    timing: _timing,
    analysis: _analysis,
    timezone: _timezone,
    ...record
  } = held;
  return Object.assign(record, {
    revision: 0,
    session_key,
    api_key_id: null,
    rates: null,
    archived: false,
    analysis_status: null,
    successful: null,
    analysis_brief: null,
  });
}

/** Returns the conversation from its object; null if the object is empty or holds a later one of the same visitor. */
export async function heldDetail(
  env: Pick<Env, "CONVERSATION">,
  account: string,
  { id, session_key }: Pick<ConversationRow, "id" | "session_key">,
): Promise<ConversationDetail | null> {
  // Tool results have the type `unknown`, which the RPC types turn into `never`.
  const detail = (await conversationObject(env, account, session_key).detail()) as ConversationDetail | null;
  return detail?.id === id ? detail : null;
}

/** Returns a conversation with its turns: from its object while it is live, otherwise from R2. @throws ApiError 404 */
export async function findConversation(context: Context, id: string): Promise<ConversationDetail> {
  return detailOf(context, await findRow(context, id));
}

/** Returns the turns of this row's conversation, from its object or from R2. @throws ApiError 404 */
export async function detailOf({ env, store }: Context, row: ConversationRow): Promise<ConversationDetail> {
  if (row.archived) return fromArchive(env, store.account, row);
  const held = await heldDetail(env, store.account, row);
  if (held) return withLedgers(held, row);
  // It may have been archived or deleted after the row was read.
  const now = await findRow({ env, store }, row.id);
  return now.archived ? fromArchive(env, store.account, now) : withTurns(store.account, now, null);
}

/**
 * Adds, to a conversation from its object, the fields that only the ledger stores: the carrier's seconds, prices and
 * analysis.
 */
function withLedgers(held: ConversationDetail, row: ConversationRow): ConversationDetail {
  const { status, rates, usage } = row;
  if (status === "live") return held;
  return Object.assign(held, {
    rates,
    usage: Object.assign({}, held.usage, { carrier_s: usage.carrier_s }),
    analysis: analysisOf(row, null),
  });
}

async function fromArchive(env: Bindings, account: string, row: ConversationRow): Promise<ConversationDetail> {
  const { id, analysis_status, analysis_brief: brief } = row;
  const [archived, findings] = await Promise.all([
    getArchive(env.CONVERSATIONS, account, id),
    analysis_status === "done" && brief ? getAnalysis(env.CONVERSATIONS, [account, id], brief.run) : null,
  ]);
  return Object.assign(withTurns(account, row, archived), { analysis: analysisOf(row, findings) });
}

/** Combines a row with its archive. A record whose file is missing is marked as incomplete. */
function withTurns(account: string, row: ConversationRow, archived: Archived | null): ConversationDetail {
  const analysis = analysisOf(row, null);
  if (archived) return Object.assign({}, row, archived, { analysis });
  logError("conversation", new Error("the transcript was lost"), { account, conversation: row.id });
  return Object.assign({}, row, { complete: false, storage: "all" as const, turns: [], analysis });
}
