import type { AccountStore } from "../../kernel/db/account-store.ts";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { FIRST_BRIEF } from "../analysis/brief.ts";
import type { ConversationRow } from "../ledger/report.ts";
import { analysisOf } from "./analysis-view.ts";
import { findConversation } from "./find-conversation.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
}

/**
 * Has a conversation analyzed again; gives the analysis as it is then. `operation` is the request's, null without a key.
 * @throws ApiError 404, 409
 */
export async function analyzeAgain(
  { env, store }: Context,
  row: ConversationRow,
  operation: string | null,
): Promise<Analysis | null> {
  const isPending = await conversationObject(env, store.account, row.session_key).analyze(row, operation);
  if (!isPending) return (await findConversation({ env, store }, row.id)).analysis ?? null;
  const { agent_version } = row;
  const pending = { agent_version, analysis_status: "pending", successful: null, analysis_brief: FIRST_BRIEF } as const;
  return analysisOf(pending, null);
}
