import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { agents } from "../../kernel/db/schema/index.ts";
import type { AppEnv, Principal } from "../../kernel/http/context.ts";
import { assertMayNameContent, assertMayNameNumbers } from "../../kernel/http/hidden-filters.ts";
import { type OfAgents, ownRow, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import { harmless, noted, serve } from "../../kernel/http/serve.ts";
import { listedAnalysis } from "./analysis-view.ts";
import { analyzeAgain } from "./analyze-again.ts";
import * as contract from "./contract.ts";
import { deleteConversation } from "./delete-conversation.ts";
import { exportConversations } from "./export-conversations.ts";
import { findConversation, findRow } from "./find-conversation.ts";
import { listConversations } from "./list-conversations.ts";
import { traceOf } from "./trace.ts";
import { transcriptOf } from "./transcript.ts";
import { undoOptOut } from "./undo-opt-out.ts";
import { view } from "./view.ts";
import { watchConversation } from "./watch-conversation.ts";

export const conversations = new OpenAPIHono<AppEnv>();

serve(conversations, contract.listConversations, async ({ env, store, principal, query }) => {
  const { rows, next } = await listConversations({ env, store }, own(principal, query));
  const conversations = rows.map((row) => Object.assign(view(row), { analysis: listedAnalysis(row) }));
  return { conversations, limit: query.limit, next };
});

// Before the path of one conversation, which would take the word for an id.
serve(conversations, contract.exportConversations, ({ env, store, principal, query }) =>
  exportConversations({ env, store, principal }, own(principal, query)),
);

/** A list's filters beside agents. */
type Filters = OfAgents & Pick<contract.ConversationFilters, "phone_number" | "disposition" | "successful" | "data">;

/** The filters that the caller may use: by numbers and content only with the scope to see them, and only own agents. */
function own<Q extends Filters>(principal: Principal, query: Q) {
  assertMayNameNumbers(principal, query.phone_number);
  assertMayNameContent(principal, query.disposition);
  assertMayNameContent(principal, query.successful);
  assertMayNameContent(principal, query.data);
  return withinOwnAgents(principal, query);
}

serve(conversations, contract.getConversation, async ({ env, store, principal, params }) =>
  view(ownRow(principal, await findConversation({ env, store }, params.id), "conversation")),
);

serve(conversations, contract.getTranscript, async ({ env, store, principal, params }) => {
  const detail = ownRow(principal, await findConversation({ env, store }, params.id), "conversation");
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, detail.agent_id), columns: ["name"] }));
  return new Response(transcriptOf(detail, agent?.name ?? detail.agent_id), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
});

serve(conversations, contract.getTrace, async ({ env, store, principal, params, now }) => {
  const detail = ownRow(principal, await findConversation({ env, store }, params.id), "conversation");
  return traceOf(detail, store.account, now);
});

serve(conversations, contract.streamConversation, ({ c, env, store, principal, params }) =>
  watchConversation({ env, store, principal }, params.id, c.req.header("last-event-id")),
);

serve(
  conversations,
  contract.analyzeConversation,
  async ({ env, store, principal, params, operation }) => {
    const row = ownRow(principal, await findRow({ env, store }, params.id), "conversation");
    return { conversation_id: row.id, analysis: await analyzeAgain({ env, store }, row, operation) };
  },
  noted("the conversation has by which request its analysis was asked for"),
);

serve(
  conversations,
  contract.undoOptOut,
  async ({ env, store, principal, params }) => {
    const row = ownRow(principal, await findRow({ env, store }, params.id), "conversation");
    return { on_list: await undoOptOut(store, row) };
  },
  harmless("an opt-out that was taken back is gone"),
);

serve(conversations, contract.deleteConversation, async ({ env, store, principal, params }) => {
  if (principal.agentIds !== null) ownRow(principal, await findRow({ env, store }, params.id), "conversation");
  return deleteConversation({ env, store }, params.id);
});
