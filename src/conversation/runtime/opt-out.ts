import type { ConversationStore } from "./store/conversation-store.ts";

/** Notes that the other side's number goes on the do-not-call list; false where there is none. */
export function optOutNumber(store: ConversationStore): boolean {
  const { phone_number } = store.session;
  if (phone_number === null) return false;
  store.update({ opt_out: phone_number });
  return true;
}

/** Opts the other side out at the agent's request, on record; false where there is no number. */
export function optOut(store: ConversationStore, now: number): boolean {
  if (!optOutNumber(store)) return false;
  store.append({ type: "opt_out" }, now);
  store.append({ type: "disposition", value: "opted_out" }, now);
  return true;
}
