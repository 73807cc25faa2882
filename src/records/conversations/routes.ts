import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { agents } from "../../kernel/db/schema/index.ts";
import type { AppEnv, Principal } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { assertMayNameContent, assertMayNameNumbers } from "../../kernel/http/hidden-filters.ts";
import { type OfAgents, ownRow, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import * as contract from "./contract.ts";
import { deleteConversation } from "./delete-conversation.ts";
import { exportConversations } from "./export-conversations.ts";
import { findConversation, findRow } from "./find-conversation.ts";
import { listConversations } from "./list-conversations.ts";
import { traceOf } from "./trace.ts";
import { transcriptOf } from "./transcript.ts";
import { view } from "./view.ts";
import { watchConversation } from "./watch-conversation.ts";

export const conversations = new OpenAPIHono<AppEnv>();

serve(conversations, contract.listConversations, async ({ env, store, principal, query }) => {
  const { rows, next } = await listConversations({ env, store }, own(principal, query));
  return { conversations: rows.map((row) => view(row)), limit: query.limit, next };
});

// Before the path of one conversation, which would take the word for an id.
serve(conversations, contract.exportConversations, ({ env, store, principal, query }) =>
  exportConversations({ env, store, principal }, own(principal, query)),
);

/** What a list may be asked for beside agents. */
type Filters = OfAgents & { phone_number?: string | undefined; disposition?: string | undefined };

/** The filters of a list as far as the caller may see: numbers and content only for whoever sees them, and only their agents. */
function own<Q extends Filters>(principal: Principal, query: Q) {
  assertMayNameNumbers(principal, query.phone_number);
  assertMayNameContent(principal, query.disposition);
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

serve(conversations, contract.deleteConversation, async ({ env, store, principal, params }) => {
  if (principal.agentIds !== null) ownRow(principal, await findRow({ env, store }, params.id), "conversation");
  return deleteConversation({ env, store }, params.id);
});
