import type { AccountStore } from "../../kernel/db/account-store.ts";
import { Maintenance } from "../../kernel/db/maintenance.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { Ledger } from "../ledger/ledger.ts";
import { forget } from "./forget.ts";

/** Conversations deleted at a time: R2 takes 1,000 in one call. */
const BATCH_ROWS = 500;

/**
 * Deletes conversations that are older than their account keeps them, as far as it gets until `deadline` (ms); live ones
 * are left. The accounts take turns, and one's failure does not stop the others.
 */
export async function deleteOldConversations(env: Env, now: number, deadline: number): Promise<void> {
  let remaining = await new Maintenance(env.DB).withConversationRetention();
  while (remaining.length > 0) {
    const more: typeof remaining = [];
    for (const account of remaining) {
      if (Date.now() >= deadline) return;
      const before = new Date(now - account.retention_days * DAY_MS).toISOString();
      const store = accountStore(env, account.name, { actor: "system:retention", request_id: "" });
      try {
        if (await deleteSome(env, store, before)) more.push(account);
      } catch (error) {
        logError("retention", error, { account: account.name });
      }
    }
    remaining = more;
  }
}

/** Deletes some of the oldest; gives whether there may be more. */
async function deleteSome(env: Env, store: AccountStore, before: string): Promise<boolean> {
  const old = await new Ledger({ env, store }).conversationsEndedBefore(before, BATCH_ROWS);
  const order = { rows: old, isHeld: ({ held }: { held: boolean }) => held, entry: null };
  const failures = await forget({ env, store }, order);
  // They wait for the next run.
  for (const { id, error } of failures) logError("retention", error, { account: store.account, conversation: id });
  return old.length === BATCH_ROWS && failures.length < old.length;
}
