import { knowledgeBase } from "../../kernel/durable/objects.ts";
import type { DocumentState } from "./object/document-store.ts";

/** A document whose processing was never begun, because the request that created it was cut off or it was restored since. */
const interrupted = (id: string): DocumentState => ({
  id,
  status: "failed",
  reason: "interrupted",
  language: null,
  chunks: 0,
  chars: 0,
  refreshed_at: null,
});

/** Reads how documents stand, in one hop, and none without any. */
export async function statesOf(
  env: Pick<Env, "KNOWLEDGE_BASE">,
  account: string,
  ids: readonly string[],
): Promise<(id: string) => DocumentState> {
  const states = ids.length === 0 ? [] : await knowledgeBase(env, account).states([...new Set(ids)]);
  const byId = new Map(states.map((state) => [state.id, state]));
  return (id) => byId.get(id) ?? interrupted(id);
}
