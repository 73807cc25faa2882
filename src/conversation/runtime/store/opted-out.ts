import type { ConversationStore } from "./conversation-store.ts";

/** Checks whether the other side has opted out in this conversation. */
export function hasOptedOut({ events }: Pick<ConversationStore, "events">): boolean {
  return events.some(({ type }) => type === "opt_out");
}
