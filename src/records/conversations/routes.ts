import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { agents } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import * as contract from "./contract.ts";
import { deleteConversation } from "./delete-conversation.ts";
import { exportConversations } from "./export-conversations.ts";
import { findConversation } from "./find-conversation.ts";
import { listConversations } from "./list-conversations.ts";
import { transcriptOf } from "./transcript.ts";
import { view } from "./view.ts";
import { watchConversation } from "./watch-conversation.ts";

export const conversations = new OpenAPIHono<AppEnv>();

serve(conversations, contract.listConversations, async ({ env, store, query }) => {
  const { rows, next } = await listConversations({ env, store }, query);
  return { conversations: rows.map((row) => view(row)), limit: query.limit, next };
});

// Before the path of one conversation, which would take the word for an id.
serve(conversations, contract.exportConversations, ({ env, store, query }) =>
  exportConversations({ env, store }, query),
);

serve(conversations, contract.getConversation, async ({ env, store, params }) =>
  view(await findConversation({ env, store }, params.id)),
);

serve(conversations, contract.getTranscript, async ({ env, store, params }) => {
  const detail = await findConversation({ env, store }, params.id);
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, detail.agent_id), columns: ["name"] }));
  return new Response(transcriptOf(detail, agent?.name ?? detail.agent_id), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
});

serve(conversations, contract.streamConversation, ({ c, env, store, principal, params }) =>
  watchConversation({ env, store, principal }, params.id, c.req.header("last-event-id")),
);

serve(conversations, contract.deleteConversation, ({ env, store, params }) =>
  deleteConversation({ env, store }, params.id),
);
