import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { eraseConversations } from "./erase.ts";
import { findRow } from "./find-conversation.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
}

/** Deletes a conversation from every store. @throws ApiError 404, or the error that prevented the erasure */
export async function deleteConversation(context: Context, id: string): Promise<void> {
  const row = await findRow(context, id);
  const entry = { action: "delete", resource: "conversation", resource_id: id } as const;
  // The conversation's object still holds it for a while after archiving.
  const [failure] = await eraseConversations(context, { rows: [row], isHeld: () => true, entry });
  if (failure) throw failure.error;
}
