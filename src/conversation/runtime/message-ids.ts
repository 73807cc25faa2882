import type { ConversationStore } from "./store/conversation-store.ts";

/**
 * How many of a page's last message ids are stored. A page resends the messages that were in flight when its socket
 * broke.
 */
const KEPT = 50;

/** Records that a message was received. Returns false if it was received before. */
export function noteMessage(store: Pick<ConversationStore, "existing" | "update">, id: string): boolean {
  const { message_ids } = store.existing;
  const known: string[] = message_ids === null ? [] : JSON.parse(message_ids);
  if (known.includes(id)) return false;
  store.update({ message_ids: JSON.stringify([...known, id].slice(-KEPT)) });
  return true;
}
