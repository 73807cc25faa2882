import type { AccountStore } from "../../kernel/db/account-store.ts";
import { listNumbers } from "../../phone/do-not-call/list-numbers.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import { hasOptedOut } from "./store/opted-out.ts";
import type { OptOutReport, Reports } from "./upkeep/reports.ts";

interface Context {
  store: ConversationStore;
  reports: Pick<Reports, "optOut">;
}

/** Puts the other side's number on the do-not-call list. Returns false if there is none. */
export function optOutNumber({ store, reports }: Context): boolean {
  const { phone_number } = store.session;
  if (phone_number === null) return false;
  reports.optOut(phone_number);
  return true;
}

/**
 * Records that the other side opts out, by their own words or through the agent. Idempotent. Returns false if there is
 * no number.
 */
export function optOut(context: Context, now: number): boolean {
  const { store } = context;
  if (store.row === null) return false;
  if (hasOptedOut(store)) return true;
  if (!optOutNumber(context)) return false;
  store.append({ type: "opt_out" }, now);
  store.append({ type: "disposition", value: "opted_out" }, now);
  return true;
}

/** Puts numbers on the do-not-call list. A number that is already listed stays unchanged. */
export async function listOptOuts(accountStore: AccountStore, optOuts: OptOutReport[]): Promise<void> {
  const listings = optOuts.flatMap(({ phone_number, conversation_id, agent_id = null, at }) =>
    listNumbers(accountStore, [phone_number], {
      reason: "opted out in a conversation",
      created_at: at,
      conversation_id,
      agent_id,
    }),
  );
  await accountStore.record(...listings);
}
