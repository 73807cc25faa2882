import { and, eq, ne } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agentDocuments, agents, type DocumentMode, documents } from "../../kernel/db/schema/index.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { documentsSeenBy } from "../items.ts";
import { MAX_PROMPT_CHARS } from "./limits.ts";
import { statesOf } from "./states.ts";

interface Context {
  env: Pick<Env, "KNOWLEDGE_BASE">;
  store: AccountStore;
  caller: Pick<Authority, "agentIds">;
}

/** Refuses to attach documents that the caller cannot see or that do not fit a prompt. @throws ApiError 400, 404 */
export async function assertAttachable(
  { env, store, caller }: Context,
  { agent_id, document_id, mode }: { agent_id: string; document_id: string; mode: DocumentMode },
): Promise<void> {
  const isOther = and(
    eq(agentDocuments.agent_id, agent_id),
    eq(agentDocuments.mode, "prompt"),
    ne(agentDocuments.document_id, document_id),
  );
  const [agent, document, others] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: ["id"] }),
    store.first(documents, {
      where: all(eq(documents.id, document_id), documentsSeenBy(caller, store)),
      columns: ["id"],
    }),
    store.select(agentDocuments, { where: isOther, columns: ["document_id"] }),
  );
  if (!agent) throw notFound("agent");
  if (!document) throw notFound("document");
  if (mode !== "prompt") return;
  const ids = [document_id, ...others.map((other) => other.document_id)];
  const stateOf = await statesOf(env, store.account, ids);
  if (ids.reduce((sum, id) => sum + stateOf(id).chars, 0) <= MAX_PROMPT_CHARS) return;
  const message = `the agent's documents of mode prompt would exceed ${MAX_PROMPT_CHARS.toLocaleString("en-US")} characters together`;
  throw invalidField("mode", "too_large", message, message);
}
