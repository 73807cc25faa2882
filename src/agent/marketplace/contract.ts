import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { label, timestamp } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import { category, faqFields, playbookFields } from "../item-fields.ts";

const templateId = idOf("template", "The template's id, the same in every account.");
const names = z.array(z.string());
const description = z.string().openapi({
  description: "The purpose, in a sentence or two.",
  example: "Find a time that suits both sides, and confirm it.",
});

const knowledgeItem = z.object({
  id: idOf("faq", "The id of the item in the template; the copy that an account gets has its own."),
  item_type: z.string().openapi({ description: "The kind of item; currently always `faq`.", example: "faq" }),
  summary: faqFields.shape.summary,
  tags: faqFields.shape.tags,
  title: faqFields.shape.title,
});

const templatePlaybook = z.object({
  description,
  display_name: playbookFields.shape.display_name,
  name: playbookFields.shape.name,
  playbook_id: idOf("playbook", "The id of the playbook as it is shipped; the account's copy has its own."),
  tool_names: playbookFields.shape.tool_names,
  triggers: playbookFields.shape.triggers,
});

const templateTool = z.object({
  category,
  description: z.string().openapi({
    description: "The description of the tool for the model.",
    example: "Books one slot that the caller has just confirmed.",
  }),
  id: idOf("tool", "The id of the tool as it is shipped; the account's copy has its own."),
  name: z.string().openapi({ description: "What the model calls it.", example: "book_appointment" }),
});

const template = z
  .object({
    id: templateId,
    agent_id: idOf("agent", "The id of the template's own agent, which belongs to no account."),
    author: z.string().openapi({ description: "Who published the template.", example: "Switchboard" }),
    category: z.string().openapi({
      description: "The line of work that it is for; see listTemplateCategories.",
      example: "customer_support",
    }),
    created_at: timestamp.openapi({ description: "When it was first published (UTC)." }),
    description: z.string().openapi({
      description: "What an agent created from it does.",
      example: "Answers every call of a small business: questions, messages, appointments and transfers.",
    }),
    greeting_message: z.string().openapi({
      description: "The greeting of an agent created from it.",
      example: "Good day, this is the digital assistant at the front desk. How can I help you?",
    }),
    icon: z.string().openapi({ description: "The name of its icon.", example: "phone" }),
    kb_count: z.number().int().openapi({ description: "How many `knowledge_items` it brings.", example: 1 }),
    knowledge_items: z.array(knowledgeItem).openapi({
      description: "What an agent created from it knows; each item becomes an FAQ of the account.",
    }),
    llm_model: z
      .string()
      .openapi({ description: "The language model that it is written for.", example: "gpt-4o-mini" }),
    name: z.string().openapi({
      description: "The template's name, and its agent's unless you send another.",
      example: "Front Desk",
    }),
    playbooks: z.array(templatePlaybook).openapi({ description: "How its agent handles its tasks." }),
    system_prompt: z.string().openapi({
      description: "The instructions of its agent's model for each conversation.",
      example: "You are the front desk of a small business.",
    }),
    tags: names.openapi({
      description: "Keywords for finding the template.",
      example: ["reception", "small business"],
    }),
    tool_count: z.number().int().openapi({ description: "How many `tools` it brings.", example: 1 }),
    tools: z.array(templateTool).openapi({ description: "What its agent can do." }),
    tests: names.openapi({
      description: "The names of the tests that an agent created from it comes with; see listAgentTests.",
      example: ["Says that it is a digital assistant"],
    }),
    version: z.string().openapi({
      description: "The template's version; agents created from an earlier one stay as they are.",
      example: "1.0.0",
    }),
    voice_id: z.string().openapi({
      description: "The voice, as its provider calls it.",
      example: "sonic-english-1",
    }),
    voice_provider: z.string().openapi({
      description: "The company that provides the voice; `voice_id` is one of its ids.",
      example: "cartesia",
    }),
  })
  .openapi("AgentTemplate");
export type TemplateRecord = z.input<typeof template>;

const slice = { access: "account", tag: "Marketplace" } as const;
const params = z.object({ id: templateId });

export const listTemplates = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/marketplace/agents",
  scope: ["read"],
  operationId: "listTemplates",
  summary: "List agent templates by name",
  description: "Returns each template with its prompt, voice, playbooks, FAQs and tools.",
  query: z.object({
    category: z.string().optional().openapi({
      description: "Only templates of exactly this category.",
      example: "customer_support",
    }),
    search: z.string().max(200).optional().openapi({
      description: "Only templates with this text in name or description, ignoring case.",
      example: "front",
    }),
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
  scope: ["read"],
  operationId: "getTemplate",
  summary: "Get a template with everything it includes",
  description: "Its prompt, voice, playbooks, FAQs and tools.",
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
  scope: ["build"],
  operationId: "installTemplate",
  summary: "Create an agent from a template, with its prompt, playbooks, FAQs, tools and tests",
  description:
    "The new agent is a draft that belongs to the account; later changes of the template do not affect it. Items " +
    "that the account already has are attached, not copied again. If one of its tools names an integration, you " +
    "need `connect` and `listen`, as for attaching it.",
  params,
  body: z.object({
    name: label.optional().openapi({
      description: "The agent's name, up to 200 characters. Default: the template's name.",
      example: "Reception",
    }),
  }),
  bodyOptional: true,
  status: 200,
  response: z.object({
    agent_id: idOf("agent", "The id of the new agent."),
    template_id: idOf("template", "The template it was created from."),
    name: z.string().openapi({ description: "The new agent's name.", example: "Reception" }),
    playbooks: names.openapi({ description: "The names of its playbooks.", example: ["book_a_meeting"] }),
    faqs: names.openapi({ description: "The names of its FAQs.", example: ["opening_hours"] }),
    tools: names.openapi({ description: "The names of its tools.", example: ["book_appointment", "transfer_call"] }),
    tests: names.openapi({
      description: "The names of its tests.",
      example: ["Says that it is a digital assistant"],
    }),
  }),
  errors: { 404: "unknown template" },
});

export const listCategories = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/marketplace/categories",
  scope: ["read"],
  operationId: "listTemplateCategories",
  summary: "List the categories that have templates",
  description: "Returns the categories with the number of their templates.",
  kept: true,
  status: 200,
  response: z.object({
    categories: z
      .array(
        z.object({
          category: z.string().openapi({ description: "The value for listTemplates' filter.", example: "sales" }),
          count: z.number().int().openapi({ description: "How many templates it has, at least one.", example: 3 }),
        }),
      )
      .openapi({ description: "Every category with a template, by name." }),
  }),
});
