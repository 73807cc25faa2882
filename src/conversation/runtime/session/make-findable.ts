import { conversationObject } from "../../../kernel/durable/objects.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { Reports } from "../upkeep/reports.ts";

interface Context {
  env: Pick<Env, "CONVERSATION">;
  name: { account: string; id: string };
  store: ConversationStore;
  reports: Pick<Reports, "isListed">;
}

/** Makes the conversation reachable by its id before it is listed. */
export async function makeFindable({ env, name, store, reports }: Context): Promise<void> {
  const { id } = store.existing;
  if (id === name.id || reports.isListed) return;
  await conversationObject(env, name.account, id).heldUnder(name.id);
}
