import type { ConversationStore } from "./store/conversation-store.ts";

/** How many of a page's last messages are known: it sends again those that were on their way when its socket broke. */
const KEPT = 50;

/** Notes that the message of this id is taken; returns false if it was taken before. */
export function noteMessage(store: Pick<ConversationStore, "existing" | "update">, id: string): boolean {
  const { message_ids } = store.existing;
  const known: string[] = message_ids === null ? [] : JSON.parse(message_ids);
  if (known.includes(id)) return false;
  store.update({ message_ids: JSON.stringify([...known, id].slice(-KEPT)) });
  return true;
}
