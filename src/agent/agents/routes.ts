import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, sql } from "drizzle-orm";
import { subject } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents as agentTable, phoneNumbers, widgetKeys } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { assertMayDisclose } from "../disclosure/fields.ts";
import { refuseUnavailable } from "../models/refuse-unavailable.ts";
import { assertMayChange } from "../versions/may-change.ts";
import * as contract from "./contract.ts";
import { createAgent } from "./create-agent.ts";
import { agentRow, joinedAgent, joinedAgents, listedAgents } from "./joined.ts";
import { updateAgent } from "./update-agent.ts";

export const agents = new OpenAPIHono<AppEnv>();

serve(agents, contract.listAgents, ({ env, store, inService, principal: { agentIds } }) => {
  const orderBy = [desc(agentTable.created_at), desc(agentTable.id)];
  if (agentIds === null) return listedAgents({ env, store, inService }, { orderBy });
  const where = sql`${agentTable.id} IN (SELECT value FROM json_each(${JSON.stringify(agentIds)}))`;
  return listedAgents({ env, store, inService }, { where, orderBy });
});

serve(
  agents,
  contract.createAgent,
  async ({ env, store, inService, principal, body, now, newId }) => {
    assertMayChange(principal, null, { fields: body, tools: [] });
    assertMayDisclose(principal, "account", body.disclosure);
    await refuseUnavailable({ env, store, now }, body);
    return createAgent({ env, store, inService, created_by: principal.subject, now, newId }, body);
  },
  async ({ env, store, inService }, id) =>
    (await joinedAgents({ env, store, inService }, { where: eq(agentTable.id, id) }))[0] ?? null,
);

serve(agents, contract.getAgent, ({ env, store, inService, params }) =>
  joinedAgent({ env, store, inService }, params.id),
);

serve(agents, contract.updateAgent, async ({ env, store, inService, principal, params, body, now, ifMatch }) => {
  await refuseUnavailable({ env, store, now }, body, params.id);
  return updateAgent(
    { env, store, inService, caller: principal, created_by: principal.subject, now },
    { id: params.id, changes: body, ifMatch },
  );
});

serve(agents, contract.deleteAgent, async ({ store, params }) => {
  // Checked in each statement. A campaign that starts at the same time either refers to the agent first, or finds it
  // deleted.
  const isFree = sql`NOT EXISTS (SELECT 1 FROM campaigns WHERE account = ${store.account} AND agent_id = ${params.id} AND status = 'running')`;
  const [, , gone] = await store.write(
    { action: "delete", resource: "agent", resource_id: params.id },
    // Numbers and widget keys refer to the agent, so they must be detached before it is deleted.
    store.revise(phoneNumbers, { agent_id: null }, all(eq(phoneNumbers.agent_id, params.id), isFree), null),
    store.update(widgetKeys, { agent_id: null }, all(eq(widgetKeys.agent_id, params.id), isFree)),
    subject(store.delete(agentTable, all(eq(agentTable.id, params.id), isFree))),
  );
  if (gone.length > 0) return;
  await agentRow(store, params.id);
  throw conflict("agent_in_use", "a running campaign uses this agent; pause or stop it first");
});
