import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { label, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

const count = z.number().int();
const template = z
  .object({
    id: uuid,
    agent_id: uuid,
    author: z.string(),
    category: z.string(),
    created_at: timestamp,
    description: z.string(),
    greeting_message: z.string(),
    icon: z.string(),
    kb_count: count,
    knowledge_items: z.array(
      z.object({ id: uuid, item_type: z.string(), summary: z.string(), tags: z.array(z.string()), title: z.string() }),
    ),
    llm_model: z.string(),
    name: z.string(),
    playbooks: z.array(
      z.object({
        description: z.string(),
        display_name: z.string(),
        name: z.string(),
        playbook_id: uuid,
        tool_names: z.array(z.string()),
        triggers: z.array(z.string()),
      }),
    ),
    system_prompt: z.string(),
    tags: z.array(z.string()),
    tool_count: count,
    tools: z.array(z.object({ category: z.string(), description: z.string(), id: uuid, name: z.string() })),
    version: z.string(),
    voice_id: z.string(),
    voice_provider: z.string(),
  })
  .openapi("AgentTemplate");
export type TemplateRecord = z.input<typeof template>;

const slice = { access: "account", tag: "Marketplace" } as const;
const params = z.object({ id: uuid });

export const listTemplates = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/marketplace/agents",
  operationId: "listTemplates",
  summary: "List agent templates by name",
  description: "Each with all it would bring: prompt, voice, playbooks, FAQs and tools.",
  query: z.object({
    category: z.string().optional(),
    search: z.string().max(200).optional().openapi({ description: "In name or description." }),
    ...paging(),
  }),
  kept: true,
  status: 200,
  response: pageOf("agents", template),
});

export const getTemplate = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/marketplace/agents/{id}",
  operationId: "getTemplate",
  summary: "Get a template with all it brings",
  description: "Its prompt and voice, and the playbooks, FAQs and tools that come with it.",
  params,
  kept: true,
  status: 200,
  response: template,
  errors: { 404: "unknown template" },
});

export const installTemplate = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/marketplace/agents/{id}/install",
  operationId: "installTemplate",
  summary: "Make an agent of a template, with its prompt, playbooks, FAQs and tools",
  description:
    "The new agent is a draft of the account's own; changes of the template do not reach it. What the account has already is linked, not copied again.",
  params,
  body: z.object({ name: label.optional().openapi({ description: "What to call the agent instead." }) }),
  bodyOptional: true,
  status: 200,
  response: z.object({
    agent_id: uuid,
    template_id: uuid,
    name: z.string(),
    playbooks: z.array(z.string()),
    faqs: z.array(z.string()),
    tools: z.array(z.string()),
  }),
  errors: { 404: "unknown template" },
});

export const listCategories = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/marketplace/categories",
  operationId: "listTemplateCategories",
  summary: "List the categories that have templates",
  description: "With the number of templates in each.",
  kept: true,
  status: 200,
  response: z.object({ categories: z.array(z.object({ category: z.string(), count })) }),
});
