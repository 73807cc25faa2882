import { knowledgeBase } from "../../kernel/durable/objects.ts";
import type { DocumentState } from "./object/document-store.ts";

/**
 * Returns the state of a document whose processing never began: its request was interrupted, or it was restored from a
 * backup.
 */
const interrupted = (id: string): DocumentState => ({
  id,
  status: "failed",
  reason: "interrupted",
  language: null,
  chunks: 0,
  chars: 0,
  refreshed_at: null,
});

/** Reads the states of documents in one hop; makes no request if there are no documents. */
export async function statesOf(
  env: Pick<Env, "KNOWLEDGE_BASE">,
  account: string,
  ids: readonly string[],
): Promise<(id: string) => DocumentState> {
  const states = ids.length === 0 ? [] : await knowledgeBase(env, account).states([...new Set(ids)]);
  const byId = new Map(states.map((state) => [state.id, state]));
  return (id) => byId.get(id) ?? interrupted(id);
}
