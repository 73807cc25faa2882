import type { AccountStore } from "../../kernel/db/account-store.ts";
import { campaignObject, conversationObject } from "../../kernel/durable/objects.ts";
import { analysisKey } from "../analysis/archive.ts";
import { eraseTests } from "./erase-tests.ts";
import { archiveKey } from "./file-keys.ts";
import type { Notice } from "./notices.ts";

interface Context {
  env: Pick<Env, "CONVERSATION" | "CAMPAIGN" | "CONVERSATIONS" | "TEST_RUN">;
  store: AccountStore;
}

/** Carries out a notice about conversations that the ledger has deleted. Idempotent. */
export async function tellDeleted({ env, store }: Context, notice: Notice): Promise<void> {
  const { account } = store;
  if (notice.to === "campaign")
    return campaignObject(env, account, notice.campaign_id).unlinkConversations(notice.call_ids);
  if (notice.to === "tests") return eraseTests({ env, store }, notice.conversation_ids);
  const { id, session_key } = notice;
  // A visitor's object may already hold a later conversation, which must not be erased.
  await conversationObject(env, account, session_key).erase(id);
  // The object may have archived it after its row was deleted.
  await env.CONVERSATIONS.delete([archiveKey(account, id), analysisKey(account, id)]);
}
