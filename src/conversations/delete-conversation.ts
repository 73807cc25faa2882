import { eq } from "drizzle-orm";
import type { AccountStore } from "../db/account-store.ts";
import { conversations } from "../db/schema/index.ts";
import { campaignObject, conversationObject } from "../durable/objects.ts";
import type { Bindings } from "../http/context.ts";
import { archiveKey } from "./archive.ts";
import { type ConversationRow, findRow } from "./find-conversation.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
}

/** Deletes a conversation wherever it is. The row goes last: where the rest fails, it is still there to be tried again. */
export async function deleteConversation({ env, store }: Context, id: string): Promise<void> {
  const row = await findRow(store, id);
  await eraseHeld(env, row);
  await env.CONVERSATIONS.delete(archiveKey(store.account, id));
  const { campaign_id, call_id } = row;
  if (campaign_id !== null && call_id !== null) {
    const forgotten = { conversation_id: null, disposition: null };
    await campaignObject(env, store.account, campaign_id).conversation(call_id, forgotten);
  }
  await store.write(
    { action: "delete", resource: "conversation", resource_id: id },
    store.delete(conversations, eq(conversations.id, id)),
  );
}

/**
 * Has the conversation's object forget it, and take in nothing more of it. A visitor's object may hold a later
 * conversation by now: that one is left alone.
 */
export async function eraseHeld(
  env: Pick<Env, "CONVERSATION">,
  row: Pick<ConversationRow, "account" | "id" | "session_key">,
): Promise<void> {
  await conversationObject(env, row.account, row.session_key).erase(row.id);
}
