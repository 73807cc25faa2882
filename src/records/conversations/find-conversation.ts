import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { conversations } from "../../kernel/db/schema/index.ts";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { type Archived, getArchive } from "./archive.ts";
import type { ConversationDetail } from "./record.ts";

/** A conversation as D1 has it. */
export type ConversationRow = typeof conversations.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
}

/** The row of a conversation, also of one that has begun and is not listed yet. @throws ApiError 404 */
export async function findRow({ env, store }: Context, id: string): Promise<ConversationRow> {
  const row = (await listedRow(store, id)) ?? (await unlistedRow(env, store.account, id));
  if (!row) throw notFound("conversation");
  return row;
}

async function listedRow(store: AccountStore, id: string): Promise<ConversationRow | undefined> {
  const [row] = await store.read(store.first(conversations, { where: eq(conversations.id, id) }));
  return row;
}

/** A row as the conversation's object will write it. */
async function unlistedRow(env: Bindings, account: string, id: string): Promise<ConversationRow | null> {
  const session_key = await conversationObject(env, account, id).holder();
  const held = session_key === null ? null : await heldDetail(env, { account, id, session_key });
  if (session_key === null || held === null) return null;
  const { turns: _turns, storage: _storage, ...record } = held;
  return { ...record, account, session_key, archived: false };
}

/** The conversation as its object has it; null where that is empty, or holds a later one of the same visitor. */
export async function heldDetail(
  env: Pick<Env, "CONVERSATION">,
  { account, id, session_key }: Pick<ConversationRow, "account" | "id" | "session_key">,
): Promise<ConversationDetail | null> {
  // What tools gave is `unknown`, of which the types of RPC make `never`.
  const detail = (await conversationObject(env, account, session_key).detail()) as ConversationDetail | null;
  return detail?.id === id ? detail : null;
}

/** A conversation with all that was said, from wherever it is now. @throws ApiError 404 */
export async function findConversation(context: Context, id: string): Promise<ConversationDetail> {
  return detailOf(context, await findRow(context, id));
}

/** What was said in the conversation of this row, from wherever it is now. @throws ApiError 404 */
export async function detailOf({ env, store }: Context, row: ConversationRow): Promise<ConversationDetail> {
  if (row.archived) return fromArchive(env, row);
  const held = await heldDetail(env, row);
  if (held) return held;
  // It may have been archived, or deleted, since the row was read.
  const now = await findRow({ env, store }, row.id);
  return now.archived ? fromArchive(env, now) : withTurns(now, null);
}

async function fromArchive(env: Bindings, row: ConversationRow): Promise<ConversationDetail> {
  return withTurns(row, await getArchive(env.CONVERSATIONS, row.account, row.id));
}

/** Where the turns are lost the record says so: it is not complete, whatever it was before. */
function withTurns(row: ConversationRow, archived: Archived | null): ConversationDetail {
  if (archived) return { ...row, ...archived };
  logError("conversation", new Error("what was said is lost"), { account: row.account, conversation: row.id });
  return { ...row, complete: false, storage: "all", turns: [] };
}
