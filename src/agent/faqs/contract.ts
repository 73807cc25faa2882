import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, updatedAt } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { deletedItem, faqFields, isDefault, modifiedFromDefault } from "../item-fields.ts";

export const faq = faqFields
  .extend({
    id: idOf("faq", "The FAQ's id. Paths take it or the name."),
    is_default: isDefault,
    modified_from_default: modifiedFromDefault,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Faq");

const slice = { access: "account", tag: "FAQs" } as const;
const params = z.object({
  id: z.string().openapi({ description: "The FAQ's id, or its name.", example: "insurance_plans" }),
});
const unknown = { 404: "unknown FAQ" };

export const listFaqs = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/faqs",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listFaqs",
  summary: "List every FAQ by name",
  description: "Returns all FAQs, including the default ones, without paging.",
  kept: true,
  status: 200,
  response: listOf("faqs", faq),
});

export const createFaq = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/faqs",
  scope: ["build"],
  operationId: "createFaq",
  summary: "Create an FAQ",
  description: "Its name must be unique in the account. Agents use it once it is attached to them.",
  body: faqFields.extend({
    title: faqFields.shape.title.default(""),
    summary: faqFields.shape.summary.default(""),
    content: faqFields.shape.content.default(""),
    category: faqFields.shape.category.default("general"),
    tags: faqFields.shape.tags.default([]),
  }),
  status: 201,
  response: faq,
});

export const getFaq = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/faqs/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getFaq",
  summary: "Get an FAQ",
  description: "By its id or its name.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: faq,
  errors: unknown,
});

export const updateFaq = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/faqs/{id}",
  scope: ["build"],
  operationId: "updateFaq",
  summary: "Change an FAQ",
  description:
    "Fields left out stay as they are. A default FAQ is marked as modified, so that seeding does not overwrite it.",
  params,
  body: faqFields.partial(),
  revised: true,
  status: 200,
  response: faq,
  errors: {
    400: "invalid fields, or `too_large`: an agent's FAQs, playbooks and tools would exceed 4 MB together",
    ...unknown,
  },
});

export const deleteFaq = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/faqs/{id}",
  scope: ["build"],
  operationId: "deleteFaq",
  summary: "Delete a custom FAQ",
  description: "It is detached from all agents. Default FAQs cannot be deleted.",
  params,
  status: 200,
  response: deletedItem,
  errors: { 403: "a default FAQ", ...unknown },
});
