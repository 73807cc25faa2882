import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { agentPrompts, agents as agentTable, campaigns, phoneNumbers } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { conflict, notFound } from "../http/errors.ts";
import { unpinWidgetKeys } from "../widget/routes.ts";
import * as contract from "./contract.ts";
import { agentRow, changeAgent, joinedAgent, joinedAgents } from "./joined.ts";

export const agents = new OpenAPIHono<AppEnv>();

serve(agents, contract.listAgents, ({ store }) =>
  joinedAgents(store, { orderBy: [desc(agentTable.created_at), desc(agentTable.id)] }),
);

serve(agents, contract.createAgent, async ({ store, principal, body, now }) => {
  const id = uuidv7({ msecs: now });
  const promptId = uuidv7({ msecs: now });
  const at = new Date(now).toISOString();
  const author = { created_by: principal.subject, created_at: at };
  const [[row]] = await store.write(
    { action: "create", resource: "agent", resource_id: id },
    store.insert(agentTable, { ...body, id, active_prompt_id: promptId, ...author, updated_at: at }),
    store.insert(agentPrompts, {
      id: promptId,
      agent_id: id,
      version: 1,
      system_prompt: body.system_prompt,
      ...author,
    }),
  );
  return { ...(row as typeof agentTable.$inferSelect), faqs: [], playbooks: [] };
});

serve(agents, contract.getAgent, ({ store, params }) => joinedAgent(store, params.id));

serve(agents, contract.updateAgent, async ({ store, principal, params: { id }, body, now }) => {
  const before = await agentRow(store, id);
  const entry = { action: "update", resource: "agent", resource_id: id };
  const at = new Date(now).toISOString();
  const { system_prompt } = body;
  if (system_prompt === undefined || system_prompt === before.system_prompt) {
    return changeAgent(store, entry, store.update(agentTable, { ...body, updated_at: at }, eq(agentTable.id, id)));
  }
  const promptId = uuidv7({ msecs: now });
  const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM agent_prompts WHERE account = ${store.account} AND agent_id = ${id})`;
  const prompt = store.insert(agentPrompts, {
    id: promptId,
    agent_id: id,
    version,
    system_prompt,
    created_by: principal.subject,
    created_at: at,
  });
  const set = { ...body, active_prompt_id: promptId, updated_at: at };
  return changeAgent(store, entry, store.update(agentTable, set, eq(agentTable.id, id)), [prompt]);
});

serve(agents, contract.deleteAgent, async ({ store, params, now }) => {
  const [[row], [running]] = await store.read(
    store.select(agentTable, { where: eq(agentTable.id, params.id), columns: ["id"] }),
    store.count(campaigns, and(eq(campaigns.agent_id, params.id), eq(campaigns.status, "running"))),
  );
  if (!row) throw notFound("agent");
  if (running && running.n > 0)
    throw conflict("agent_in_use", "a running campaign uses this agent; pause or stop it first");
  await store.write(
    { action: "delete", resource: "agent", resource_id: params.id },
    // The audit entry goes with the first statement, so that one is about the agent; numbers must let go of it before it is gone.
    store.update(agentTable, { updated_at: new Date(now).toISOString() }, eq(agentTable.id, params.id)),
    store.update(phoneNumbers, { agent_id: null }, eq(phoneNumbers.agent_id, params.id)),
    unpinWidgetKeys(store, params.id),
    store.delete(agentTable, eq(agentTable.id, params.id)),
  );
});
