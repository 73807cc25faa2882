import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq } from "drizzle-orm";
import { subject } from "../db/account-store.ts";
import { agents as agentTable, campaigns, phoneNumbers } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { conflict, notFound } from "../http/errors.ts";
import { unpinWidgetKeys } from "../widget/routes.ts";
import * as contract from "./contract.ts";
import { createAgent } from "./create-agent.ts";
import { joinedAgent, joinedAgents } from "./joined.ts";
import { updateAgent } from "./update-agent.ts";

export const agents = new OpenAPIHono<AppEnv>();

serve(agents, contract.listAgents, ({ store }) =>
  joinedAgents(store, { orderBy: [desc(agentTable.created_at), desc(agentTable.id)] }),
);

serve(
  agents,
  contract.createAgent,
  ({ store, principal, body, now, newId }) => createAgent({ store, created_by: principal.subject, now, newId }, body),
  async ({ store }, id) => (await joinedAgents(store, { where: eq(agentTable.id, id) }))[0] ?? null,
);

serve(agents, contract.getAgent, ({ store, params }) => joinedAgent(store, params.id));

serve(agents, contract.updateAgent, ({ store, principal, params, body, now }) =>
  updateAgent({ store, created_by: principal.subject, now }, params.id, body),
);

serve(agents, contract.deleteAgent, async ({ store, params }) => {
  const [row, running] = await store.read(
    store.first(agentTable, { where: eq(agentTable.id, params.id), columns: ["id"] }),
    store.count(campaigns, and(eq(campaigns.agent_id, params.id), eq(campaigns.status, "running"))),
  );
  if (!row) throw notFound("agent");
  if (running > 0) throw conflict("agent_in_use", "a running campaign uses this agent; pause or stop it first");
  await store.write(
    { action: "delete", resource: "agent", resource_id: params.id },
    // Numbers must let go of it before it is gone.
    store.update(phoneNumbers, { agent_id: null }, eq(phoneNumbers.agent_id, params.id)),
    unpinWidgetKeys(store, params.id),
    subject(store.delete(agentTable, eq(agentTable.id, params.id))),
  );
});
