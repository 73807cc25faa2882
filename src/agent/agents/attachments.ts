import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns, changedFields } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import {
  agentDocuments,
  agentPrompts,
  agents as agentTable,
  agentTools,
  tools,
  versionBodies,
} from "../../kernel/db/schema/index.ts";
import { eachShown, rowsOf, selectIfSmall } from "../../kernel/db/wide-rows.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { assertAttachable } from "../knowledge/attach.ts";
import { readinessOfTool } from "../tools/readiness.ts";
import { asHeld, bodiesAt, byHash, heldHashes } from "../versions/held-bodies.ts";
import { attachItem, detachItem, FAQ, PLAYBOOK } from "./attach-item.ts";
import { attachTool } from "./attach-tool.ts";
import { assertAttached, attachedReads, inOrder, orderWrites } from "./attachment-order.ts";
import * as contract from "./attachments-contract.ts";
import { agentRow, changeAgent, installReads } from "./joined.ts";

/** The routes of an agent's attachments: FAQs, playbooks, tools and prompt versions. */
export const attachments = new OpenAPIHono<AppEnv>();

const isAgent = (id: string) => eq(agentTable.id, id);

serve(
  attachments,
  contract.attachFaq,
  ({ env, store, inService, principal: caller, params: { id }, body, now }) =>
    attachItem({ env, store, inService, caller, now }, FAQ, id, body.faq_id),
  idempotent("attaching an attached item changes nothing"),
);

serve(attachments, contract.detachFaq, ({ store, params: { id, faqId } }) => detachItem(store, FAQ, id, faqId));

serve(
  attachments,
  contract.attachPlaybook,
  ({ env, store, inService, principal: caller, params: { id }, body, now }) =>
    attachItem({ env, store, inService, caller, now }, PLAYBOOK, id, body.playbook_id),
  idempotent("attaching an attached item changes nothing"),
);

serve(attachments, contract.detachPlaybook, ({ store, params: { id, playbookId } }) =>
  detachItem(store, PLAYBOOK, id, playbookId),
);

/** The columns that determine whether a tool is ready. */
const TOOL_COLUMNS: ("name" | "implementation_type" | "implementation_config")[] = [
  "name",
  "implementation_type",
  "implementation_config",
];

serve(
  attachments,
  contract.attachDocument,
  async ({ env, store, inService, principal, params: { id }, body: { document_id, mode }, now }) => {
    await assertAttachable({ env, store, caller: principal }, { agent_id: id, document_id, mode });
    const link = { agent_id: id, document_id, mode, created_at: new Date(now).toISOString() };
    const target = [agentDocuments.account, agentDocuments.agent_id, agentDocuments.document_id];
    const setWhere = sql`${agentDocuments.mode} <> ${mode}`;
    const entry = { action: "attach_document", resource: "agent", resource_id: id } as const;
    const change = store.upsert(agentDocuments, link, { target, set: { mode }, setWhere });
    return changeAgent({ env, store, inService }, entry, change);
  },
  idempotent("attaching an attached item changes nothing"),
);

serve(attachments, contract.detachDocument, async ({ store, params: { id, documentId } }) => {
  await agentRow(store, id);
  const [gone] = await store.write(
    { action: "detach_document", resource: "agent", resource_id: id },
    store.delete(agentDocuments, all(eq(agentDocuments.agent_id, id), eq(agentDocuments.document_id, documentId))),
  );
  if (gone.length === 0) throw notFound("agent document");
});

serve(attachments, contract.listAgentTools, async ({ env, store, params: { id } }) => {
  const own = sql`(SELECT tool_name FROM agent_tools WHERE account = ${store.account} AND agent_id = ${id})`;
  const [agent, rows, toolRows, bodyRows, installs] = await store.read(
    store.first(agentTable, { where: isAgent(id), columns: ["id"] }),
    store.select(agentTools, { where: eq(agentTools.agent_id, id), orderBy: inOrder.tools }),
    store.select(tools, { where: inArray(tools.name, own), columns: TOOL_COLUMNS }),
    store.select(versionBodies, { where: bodiesAt(heldHashes(store.account, sql`agent_id = ${id}`)) }),
    installReads(store),
  );
  if (!agent) throw notFound("agent");
  const [byName, bodies] = [new Map(toolRows.map((tool) => [tool.name, tool])), byHash(bodyRows)];
  return {
    tools: rows.flatMap((row) => {
      const tool = byName.get(row.tool_name);
      return tool ? [{ ...row, ...readinessOfTool(asHeld(tool, row.body_hash, bodies), installs, env) }] : [];
    }),
  };
});

for (const endpoint of [contract.postAgentTool, contract.putAgentTool]) {
  serve(
    attachments,
    endpoint,
    ({ env, store, principal, params: { id }, body, now }) =>
      attachTool({ env, store, caller: principal, now }, Object.assign({ agent_id: id }, body)),
    idempotent("the same settings are set again"),
  );
}

serve(attachments, contract.deleteAgentTool, async ({ store, params: { id, toolName } }) => {
  await agentRow(store, id);
  const [gone] = await store.write(
    { action: "remove_tool", resource: "agent", resource_id: id },
    store.delete(agentTools, all(eq(agentTools.agent_id, id), eq(agentTools.tool_name, toolName))),
  );
  if (gone.length === 0) throw notFound("agent tool");
});

serve(
  attachments,
  contract.orderAttachments,
  async ({ env, store, inService, params: { id }, body, now }) => {
    const [agent, toolLinks, playbookLinks, faqLinks] = await store.read(
      store.first(agentTable, { where: isAgent(id), columns: ["id"] }),
      ...attachedReads(store, id),
    );
    if (!agent) throw notFound("agent");
    assertAttached(body, {
      tools: toolLinks.map(({ tool_name }) => tool_name),
      playbooks: playbookLinks.map(({ playbook_id }) => playbook_id),
      faqs: faqLinks.map(({ faq_id }) => faq_id),
    });
    const entry = {
      action: "order_attachments",
      resource: "agent",
      resource_id: id,
      changes: changedFields({}, body),
    } as const;
    const change = store.update(agentTable, { updated_at: new Date(now).toISOString() }, isAgent(id));
    return changeAgent({ env, store, inService }, entry, change, orderWrites(store, id, body));
  },
  idempotent("the same order is set again"),
);

serve(attachments, contract.listPrompts, async ({ store, params: { id } }) => {
  const where = eq(agentPrompts.agent_id, id);
  const texts = [agentPrompts.system_prompt];
  const page = { table: agentPrompts, where, orderBy: [desc(agentPrompts.version)], texts };
  const [agent, rows, total] = await store.read(
    store.first(agentTable, { where: isAgent(id), columns: ["id", "active_prompt_id"] }),
    selectIfSmall(store, page),
    store.count(agentPrompts, where),
  );
  if (!agent) throw notFound("agent");
  const found = await rowsOf(store, page, { rows, total });
  return { prompts: eachShown(found, (row) => ({ ...row, active: row.id === agent.active_prompt_id })), total };
});

serve(
  attachments,
  contract.activatePrompt,
  async ({ env, store, inService, params: { id, promptId }, now }) => {
    const { system_prompt } = await promptOf(store, id, promptId);
    const chosen = { active_prompt_id: promptId.toLowerCase(), system_prompt };
    const changes = changedColumns(agentTable, chosen);
    const entry = { action: "activate_prompt", resource: "agent", resource_id: id, changes } as const;
    const set = { ...chosen, updated_at: new Date(now).toISOString() };
    return changeAgent({ env, store, inService }, entry, store.revise(agentTable, set, isAgent(id), null));
  },
  idempotent("the same version is set again"),
);

/** Returns a prompt version. Prompt versions never change. @throws ApiError 404 */
async function promptOf(store: AccountStore, agentId: string, id: string) {
  const [agent, prompt] = await store.read(
    store.first(agentTable, { where: isAgent(agentId), columns: ["id"] }),
    store.first(agentPrompts, { where: all(eq(agentPrompts.agent_id, agentId), eq(agentPrompts.id, id)) }),
  );
  if (!agent) throw notFound("agent");
  if (!prompt) throw notFound("prompt version");
  return prompt;
}
