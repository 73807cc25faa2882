import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, jsonObject, updatedAt } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { snakeName } from "../item-fields.ts";
import { documentMode } from "../knowledge/states-contract.ts";
import { agent, agentId, author, toolEnabled, toolName, toolReadiness } from "./contract.ts";

const slice = { access: "account", tag: "Agents" } as const;
const params = z.object({ id: agentId });
const unknown = { 404: "unknown agent" };
const TOO_LARGE = "`too_large`: the agent's FAQs, playbooks and tools would exceed 4 MB together";
/** An FAQ or playbook, by its id or its name. */
const faqReference = z.string().min(1).openapi({
  description: "The FAQ's id, or its name.",
  example: "insurance_plans",
});
const playbookReference = z.string().min(1).openapi({
  description: "The playbook's id, or its name.",
  example: "new_patient",
});

export const attachFaq = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/faqs",
  scope: ["build"],
  ofAgents: "path",
  operationId: "attachAgentFaq",
  summary: "Attach an FAQ; attaching it again changes nothing",
  description: "Takes the FAQ's id or name, and returns the agent with everything attached to it.",
  params,
  body: z.object({ faq_id: faqReference }),
  status: 200,
  response: agent,
  errors: { 400: TOO_LARGE, 404: "unknown agent or FAQ" },
});

export const detachFaq = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/faqs/{faqId}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "detachAgentFaq",
  summary: "Detach an FAQ",
  description: "Detaches the FAQ without deleting it. The path accepts its id or name.",
  params: params.extend({ faqId: faqReference }),
  status: 204,
  errors: { 404: "unknown agent, or the FAQ is not attached" },
});

export const attachPlaybook = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/playbooks",
  scope: ["build"],
  ofAgents: "path",
  operationId: "attachAgentPlaybook",
  summary: "Attach a playbook; attaching it again changes nothing",
  description: "Takes the playbook's id or name, and returns the agent with everything attached to it.",
  params,
  body: z.object({ playbook_id: playbookReference }),
  status: 200,
  response: agent,
  errors: { 400: TOO_LARGE, 404: "unknown agent or playbook" },
});

export const detachPlaybook = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/playbooks/{playbookId}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "detachAgentPlaybook",
  summary: "Detach a playbook",
  description: "Detaches the playbook without deleting it. The path accepts its id or name.",
  params: params.extend({ playbookId: playbookReference }),
  status: 204,
  errors: { 404: "unknown agent, or the playbook is not attached" },
});

export const attachDocument = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/knowledge",
  scope: ["build"],
  ofAgents: "path",
  operationId: "attachAgentDocument",
  summary: "Attach a document, or change how the agent uses it",
  description:
    "Returns the agent with everything attached to it. A document that is still being read can be attached. An API key that " +
    "is limited to agents can attach only documents that one of them has.",
  params,
  body: z.object({
    document_id: idOf("document", "The document to attach."),
    mode: documentMode.default("auto"),
  }),
  status: 200,
  response: agent,
  errors: {
    400: "`too_large`: the agent's documents of mode `prompt` would exceed 8,000 characters together",
    404: "unknown agent or document",
  },
});

export const detachDocument = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/knowledge/{documentId}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "detachAgentDocument",
  summary: "Detach a document",
  description: "Detaches the document without deleting it.",
  params: params.extend({ documentId: idOf("document", "The document to detach.") }),
  status: 204,
  errors: { 404: "unknown agent, or the document is not attached" },
});

const toolConfig = {
  description:
    "Settings of the tool for this agent only, up to 64 KB of JSON; stored and passed to runtimes unchanged.",
  example: { calendar: "front-desk" },
};

const agentTool = z
  .object({
    agent_id: agentId,
    tool_name: toolName,
    enabled: toolEnabled,
    config: z.record(z.string(), z.unknown()).openapi(toolConfig),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .extend(toolReadiness.shape)
  .openapi("AgentTool");

const agentToolBody = z
  .object({
    tool_name: snakeName.openapi({ description: "The name of a tool of the account." }),
    enabled: toolEnabled.default(true),
    config: jsonObject.openapi(toolConfig).default({}),
  })
  .openapi("AgentToolRequest");

export const listAgentTools = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/tools",
  scope: ["read"],
  ofAgents: "path",
  operationId: "listAgentTools",
  summary: "List an agent's tools",
  description:
    "Returns every tool of the agent, enabled or not, with its configuration and whether the account's " +
    "integrations allow it to run.",
  params,
  kept: true,
  status: 200,
  response: z.object({
    tools: z.array(agentTool).openapi({ description: "All tools of the agent, in its order." }),
  }),
  errors: unknown,
});

const putTool = (method: "post" | "put", operationId: string) =>
  endpoint({
    ...slice,
    method,
    path: "/api/v1/agents/{id}/tools",
    scope: ["build"],
    ofAgents: "path",
    operationId,
    summary: "Attach a tool to an agent, or change its settings",
    description:
      "Each tool can be attached once; sending it again changes its settings. PUT and POST do the same. You can " +
      "attach a tool whose integration is not ready; its `reason` says so. To attach or enable an http tool with " +
      "an address, you also need `listen`; for one that names an integration, `connect` and `listen`.",
    params,
    itemOf: "tool_name",
    body: agentToolBody,
    status: 200,
    response: agentTool,
    errors: { 400: `invalid fields, or ${TOO_LARGE}`, 404: "unknown agent or tool" },
  });
export const postAgentTool = putTool("post", "setAgentTool");
export const putAgentTool = putTool("put", "putAgentTool");

export const deleteAgentTool = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/tools/{toolName}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "deleteAgentTool",
  summary: "Detach a tool from an agent",
  description: "Detaches the tool without deleting it. Other agents keep it.",
  params: params.extend({ toolName }),
  status: 204,
  errors: { 404: "unknown agent, or it does not have the tool" },
});

/** The maximum number of names in an order: the largest quota of tools, playbooks and FAQs. */
const MOST_ORDERED = 5_000;

const firstOnes = (name: z.ZodString | z.ZodUUID, description: string) =>
  z
    .array(name)
    .max(MOST_ORDERED)
    .refine((names) => new Set(names).size === names.length, "must not contain a value twice")
    .openapi({ description: `${description}. If left out, their order stays the same.`, uniqueItems: true });

export const orderAttachments = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/order",
  scope: ["build"],
  ofAgents: "path",
  operationId: "orderAgentAttachments",
  summary: "Set the order of an agent's tools, playbooks and FAQs",
  description:
    "Sets the order in which the agent lists its items and conversations receive them. The named items come " +
    "first, in the given order; the others follow in the default order: tools by name, playbooks and FAQs as " +
    "they were attached. Items that you attach later come after the named ones. An empty list resets the order.",
  params,
  body: z
    .object({
      tools: firstOnes(toolName, "The names of the tools that come first"),
      playbooks: firstOnes(
        idOf("playbook", "The id of a playbook that the agent has."),
        "The ids of the playbooks that come first",
      ),
      faqs: firstOnes(idOf("faq", "The id of an FAQ that the agent has."), "The ids of the FAQs that come first"),
    })
    .partial()
    .openapi("AgentOrder"),
  status: 200,
  response: agent,
  errors: { 400: "an item is named twice, or the agent does not have it", ...unknown },
});

const promptId = idOf("prompt", "The id of this version of the prompt.");
export const prompt = z
  .object({
    id: promptId,
    agent_id: agentId,
    version: z.number().int().openapi({ description: "The number of this version, from 1.", example: 2 }),
    system_prompt: z.string().openapi({
      description: "The text of this version. It never changes: changing the prompt creates another version.",
      example: "You answer the phone at Acme Dental. Be brief.",
    }),
    active: z.boolean().openapi({
      description: "Whether this version is in use. Exactly one of an agent's versions is.",
      example: true,
    }),
    created_by: author,
    created_at: createdAt,
  })
  .openapi("AgentPrompt");

export const listPrompts = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/prompts",
  scope: ["read"],
  ofAgents: "path",
  operationId: "listAgentPrompts",
  summary: "List the versions of an agent's system prompt, newest first",
  description: "Returns every text that the system prompt has had, its author, and which one is active.",
  params,
  kept: true,
  status: 200,
  response: listOf("prompts", prompt),
  errors: unknown,
});

export const activatePrompt = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/prompts/{promptId}/activate",
  scope: ["build"],
  ofAgents: "path",
  operationId: "activateAgentPrompt",
  summary: "Restore an earlier version of the agent's system prompt",
  description: "Sets `system_prompt` and `active_prompt_id` of the agent. The other versions stay available.",
  params: params.extend({ promptId }),
  status: 200,
  response: agent,
  errors: { 404: "unknown agent or prompt version" },
});
