import { conversationObject } from "../../../kernel/durable/objects.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

interface Context {
  env: Pick<Env, "CONVERSATION">;
  name: { account: string; id: string };
  store: ConversationStore;
}

/** Makes the conversation reachable by its id before it is listed. */
export async function makeFindable({ env, name, store }: Context): Promise<void> {
  const { id, listed } = store.existing;
  if (listed !== null || id === name.id) return;
  await conversationObject(env, name.account, id).heldUnder(name.id);
}
