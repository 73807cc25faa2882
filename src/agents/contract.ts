import { z } from "@hono/zod-openapi";
import { agents as columns } from "../db/schema/index.ts";
import { endpoint } from "../http/endpoint.ts";
import { label, timestamp, uuid } from "../http/fields.ts";

const fields = z.object({
  name: label,
  description: z.string().max(2000),
  category: z.enum(columns.category.enumValues),
  status: z.enum(columns.status.enumValues),
  llm_model: z.enum(columns.llm_model.enumValues),
  voice_provider: z.enum(columns.voice_provider.enumValues),
  voice_id: z.string().max(200),
  system_prompt: z.string().max(100_000),
  greeting_message: z.string().max(5000),
  greeting_mode: z.enum(columns.greeting_mode.enumValues),
  auth_mode: z.enum(columns.auth_mode.enumValues),
  background_audio_enabled: z.boolean(),
  background_audio_volume: z.number().min(0).max(1),
  noise_suppression_enabled: z.boolean(),
  ringing_enabled: z.boolean(),
  template_id: z.string().max(200).nullable(),
});

/** What a new agent has where its creator says nothing. */
export const newAgentFields = fields.extend({
  description: fields.shape.description.default(""),
  category: fields.shape.category.default("custom"),
  status: fields.shape.status.default("draft"),
  llm_model: fields.shape.llm_model.default("gpt-4o"),
  voice_provider: fields.shape.voice_provider.default("cartesia"),
  voice_id: fields.shape.voice_id.default(""),
  system_prompt: fields.shape.system_prompt.default(""),
  greeting_message: fields.shape.greeting_message.default(""),
  greeting_mode: fields.shape.greeting_mode.default("interruptible"),
  auth_mode: fields.shape.auth_mode.default("authenticated"),
  background_audio_enabled: z.boolean().default(false),
  background_audio_volume: fields.shape.background_audio_volume.default(0.5),
  noise_suppression_enabled: z.boolean().default(true),
  ringing_enabled: z.boolean().default(false),
  template_id: fields.shape.template_id.default(null),
});

/** A new agent as its creator describes it. */
export type NewAgent = z.output<typeof newAgentFields>;

const changes = fields.partial();
/** What of an agent is to change. */
export type AgentChanges = z.output<typeof changes>;

const agentFaq = z
  .object({
    id: uuid,
    name: z.string(),
    title: z.string(),
    summary: z.string(),
    content: z.string(),
    category: z.string(),
  })
  .openapi("AgentFAQ");

const agentPlaybook = z
  .object({
    id: uuid,
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    category: z.string(),
    tool_names: z.array(z.string()),
  })
  .openapi("AgentPlaybook");

/** Whether a tool can run, as far as the account's integrations go. */
export const toolReadiness = z.object({
  ready: z.boolean().openapi({
    description: "Whether every integration that the tool refers to is installed with all it needs.",
  }),
  reason: z.string().nullable().openapi({
    description: "Why the tool is not ready, in a sentence; until it is, conversations go without it.",
  }),
});

const agentToolState = z
  .object({ tool_name: z.string(), display_name: z.string(), enabled: z.boolean() })
  .extend(toolReadiness.shape)
  .openapi("AgentToolState");

export const agent = fields
  .extend({
    id: uuid,
    active_prompt_id: uuid.nullable(),
    faqs: z.array(agentFaq),
    playbooks: z.array(agentPlaybook),
    tools: z.array(agentToolState),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Agent");

const params = z.object({ id: uuid });
const slice = { access: "account", tag: "Agents" } as const;
const unknown = { 404: "unknown agent" };

export const listAgents = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents",
  operationId: "listAgents",
  summary: "List every agent, newest first",
  description: "All of them at once, each with its playbooks, FAQs and tools; there is no paging.",
  kept: true,
  status: 200,
  response: z.array(agent),
});

export const createAgent = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents",
  operationId: "createAgent",
  summary: "Create an agent",
  description:
    "Only `name` is required. Its prompt becomes the first prompt version. Playbooks, FAQs and tools are attached afterwards.",
  body: newAgentFields,
  status: 201,
  response: agent,
});

export const getAgent = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}",
  operationId: "getAgent",
  summary: "Get an agent",
  description: "The agent with its playbooks, FAQs and tools.",
  params,
  kept: true,
  status: 200,
  response: agent,
  errors: unknown,
});

export const updateAgent = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/agents/{id}",
  operationId: "updateAgent",
  summary: "Change an agent; a changed system prompt becomes a new prompt version",
  description: "Fields left out stay as they are.",
  params,
  body: changes,
  status: 200,
  response: agent,
  errors: unknown,
});

export const deleteAgent = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}",
  operationId: "deleteAgent",
  summary: "Delete an agent; numbers pinned to it are unpinned",
  description:
    "Numbers and widget keys that led to it lead nowhere until they are given another agent. Its calls stay on record.",
  params,
  status: 204,
  errors: { ...unknown, 409: "a running campaign uses the agent" },
});
