import { eq } from "drizzle-orm";
import { modelKeys } from "../../../agent/models/model-keys.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { agents } from "../../../kernel/db/schema/index.ts";
import { conflict } from "../../../kernel/http/errors.ts";
import type { ConversationRow } from "../../../records/ledger/report.ts";
import { policyOf } from "../session/session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { recordOf } from "../streams/projection.ts";
import type { Analyses } from "./analyses.ts";
import type { JobRow } from "./job-rows.ts";

export type Wanted = Pick<JobRow, "conversation_id" | "run" | "job">;

/** Returns the analysis of an object's conversation by the settings it began with; null if none is wanted. */
export function ownAnalysis(store: ConversationStore, isOnRecord: () => boolean): Wanted | null {
  const { row } = store;
  if (row === null || row.ended_at === null || row.analyzed === 1 || row.archived === 0) return null;
  const { snapshot, analysis, installs, api_key_id } = store.session;
  if (!analysis.enabled || !isOnRecord()) return null;
  const { campaign_id, call_id, disposition, end_reason, started_at } = recordOf(store);
  const { identity } = store;
  const ofKey = identity.kind === "test" && "key_id" in identity.holder ? identity.holder.key_id : null;
  const job = {
    operation: null,
    settings: analysis,
    llm_model: snapshot.agent.llm_model,
    fallback_model: snapshot.agent.fallback_model,
    installs: Object.values(installs),
    redact: policyOf(snapshot).redact,
    agent_id: snapshot.agent.id,
    campaign_id,
    call_id,
    api_key_id: identity.kind === "call" ? api_key_id : ofKey,
    started_at,
    disposition,
    end_reason,
  };
  return { conversation_id: row.id, run: 1, job };
}

interface Context {
  store: ConversationStore;
  accountStore: AccountStore;
  analyses: Pick<Analyses, "underWay" | "begin">;
}

/**
 * Begins another analysis of a conversation that has ended, with its agent's current settings. Returns false if the
 * same request's earlier analysis has already ended. @throws ApiError 409 `conversation_live`, `analysis_pending`,
 * `agent_deleted`
 */
export async function beginAgain(
  { store, accountStore, analyses }: Context,
  row: ConversationRow,
  operation: string | null,
): Promise<boolean> {
  const held = store.row?.id === row.id ? store.row : null;
  if (held ? held.ended_at === null : row.status === "live")
    throw conflict("conversation_live", "the conversation is in progress: it can be analyzed once it has ended");
  if (operation !== null && row.analysis_brief?.operation === operation && analyses.underWay(row.id) === null)
    return row.analysis_status === "pending";
  const [agent, installs] = await accountStore.read(
    accountStore.first(agents, { where: eq(agents.id, row.agent_id) }),
    modelKeys(accountStore),
  );
  // Checked after the read, so that nothing happens between this check and the beginning.
  const before = analyses.underWay(row.id);
  if (before !== null && operation !== null && before.operation === operation) return true;
  if (before !== null) throw conflict("analysis_pending", "an analysis of the conversation is already in progress");
  if (!agent) throw conflict("agent_deleted", "the agent that held the conversation was deleted");
  const { campaign_id, call_id, api_key_id, disposition, end_reason, started_at, agent_id } = row;
  store.prepare();
  analyses.begin({
    conversation_id: row.id,
    run: (row.analysis_brief?.run ?? 0) + 1,
    job: {
      operation,
      settings: agent.analysis,
      llm_model: agent.llm_model,
      fallback_model: agent.fallback_model,
      installs,
      redact: agent.redact,
      agent_id,
      campaign_id,
      call_id,
      api_key_id,
      started_at,
      disposition,
      end_reason,
    },
  });
  return true;
}
