import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { jsonObject, snakeName, timestamp, uuid } from "../http/fields.ts";
import { agent, toolReadiness } from "./contract.ts";

const slice = { access: "account", tag: "Agents" } as const;
const params = z.object({ id: uuid });
const unknown = { 404: "unknown agent" };
const reference = z.string().min(1).openapi({ description: "uuid or name" });

export const attachFaq = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/faqs",
  operationId: "attachAgentFaq",
  summary: "Attach an FAQ; attaching it again changes nothing",
  description: "Takes the FAQ's id or name, and gives the agent with all it has.",
  params,
  body: z.object({ faq_id: reference }),
  status: 200,
  response: agent,
  errors: { 404: "unknown agent or FAQ" },
});

export const detachFaq = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/faqs/{faqId}",
  operationId: "detachAgentFaq",
  summary: "Detach an FAQ",
  description: "The FAQ itself stays; the path takes its id or name.",
  params: params.extend({ faqId: z.string() }),
  status: 204,
  errors: { 404: "unknown agent, or the FAQ is not attached" },
});

export const attachPlaybook = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/playbooks",
  operationId: "attachAgentPlaybook",
  summary: "Attach a playbook; attaching it again changes nothing",
  description: "Takes the playbook's id or name, and gives the agent with all it has.",
  params,
  body: z.object({ playbook_id: reference }),
  status: 200,
  response: agent,
  errors: { 404: "unknown agent or playbook" },
});

export const detachPlaybook = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/playbooks/{playbookId}",
  operationId: "detachAgentPlaybook",
  summary: "Detach a playbook",
  description: "The playbook itself stays; the path takes its id or name.",
  params: params.extend({ playbookId: z.string() }),
  status: 204,
  errors: { 404: "unknown agent, or the playbook is not attached" },
});

const agentTool = z
  .object({
    agent_id: uuid,
    tool_name: z.string(),
    enabled: z.boolean(),
    config: z.record(z.string(), z.unknown()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .extend(toolReadiness.shape)
  .openapi("AgentTool");

const agentToolBody = z.object({
  tool_name: snakeName,
  enabled: z.boolean().default(true),
  config: jsonObject.default({}),
});

export const listAgentTools = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/tools",
  operationId: "listAgentTools",
  summary: "List an agent's tools",
  description:
    "Every tool of the agent with its configuration, enabled or not, and whether the account's integrations let it run.",
  params,
  kept: true,
  status: 200,
  response: z.object({ tools: z.array(agentTool) }),
  errors: unknown,
});

const putTool = (method: "post" | "put", operationId: string) =>
  endpoint({
    ...slice,
    method,
    path: "/api/v1/agents/{id}/tools",
    operationId,
    summary: "Give an agent a tool, or change how it has it",
    description:
      "One for each tool name: sending it again changes what was there. PUT and POST do the same. A tool whose integration " +
      "is not ready is taken, and says so.",
    params,
    body: agentToolBody,
    status: 200,
    response: agentTool,
    errors: { 404: "unknown agent or tool" },
  });
export const postAgentTool = putTool("post", "setAgentTool");
export const putAgentTool = putTool("put", "putAgentTool");

export const deleteAgentTool = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/tools/{toolName}",
  operationId: "deleteAgentTool",
  summary: "Take a tool from an agent",
  description: "The tool itself stays for other agents.",
  params: params.extend({ toolName: z.string() }),
  status: 204,
  errors: { 404: "unknown agent, or it does not have the tool" },
});

const prompt = z
  .object({
    id: uuid,
    agent_id: uuid,
    version: z.number().int(),
    system_prompt: z.string(),
    active: z.boolean(),
    created_by: z.string(),
    created_at: timestamp,
  })
  .openapi("AgentPrompt");

export const listPrompts = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/prompts",
  operationId: "listAgentPrompts",
  summary: "List the versions of an agent's system prompt, newest first",
  description: "Every text the system prompt has had, who wrote it, and which one is active.",
  params,
  kept: true,
  status: 200,
  response: z.object({ prompts: z.array(prompt), total: z.number().int() }),
  errors: unknown,
});

export const activatePrompt = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/prompts/{promptId}/activate",
  operationId: "activateAgentPrompt",
  summary: "Make an earlier version the agent's system prompt again",
  description: "Sets `system_prompt` and `active_prompt_id` of the agent. Nothing is lost: the other versions stay.",
  params: params.extend({ promptId: uuid }),
  status: 200,
  response: agent,
  errors: { 404: "unknown agent or prompt version" },
});
