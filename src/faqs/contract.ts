import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { snakeName, tags, timestamp, uuid } from "../http/fields.ts";
import { listOf } from "../http/paging.ts";

const fields = z.object({
  name: snakeName,
  title: z.string().max(300),
  summary: z.string().max(2000),
  content: z.string().max(100_000),
  category: z.string().min(1).max(100),
  tags,
});

const faq = fields
  .extend({
    id: uuid,
    is_default: z.boolean(),
    modified_from_default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Faq");

const slice = { access: "account", tag: "FAQs" } as const;
const params = z.object({ id: z.string().openapi({ description: "uuid or name" }) });
const unknown = { 404: "unknown FAQ" };

export const listFaqs = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/faqs",
  operationId: "listFaqs",
  summary: "List every FAQ by name",
  description: "All of them, the default ones included; there is no paging.",
  kept: true,
  status: 200,
  response: listOf("faqs", faq),
});

export const createFaq = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/faqs",
  operationId: "createFaq",
  summary: "Create an FAQ",
  description: "Its name must be new in the account. Agents use it once it is attached to them.",
  body: fields.extend({
    title: fields.shape.title.default(""),
    summary: fields.shape.summary.default(""),
    content: fields.shape.content.default(""),
    category: fields.shape.category.default("general"),
    tags: tags.default([]),
  }),
  status: 201,
  response: faq,
});

export const getFaq = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/faqs/{id}",
  operationId: "getFaq",
  summary: "Get an FAQ",
  description: "By its id or its name.",
  params,
  kept: true,
  status: 200,
  response: faq,
  errors: unknown,
});

export const updateFaq = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/faqs/{id}",
  operationId: "updateFaq",
  summary: "Change an FAQ",
  description: "Fields left out stay as they are. A default FAQ is marked as modified and is not seeded over.",
  params,
  body: fields.partial(),
  status: 200,
  response: faq,
  errors: unknown,
});

export const deleteFaq = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/faqs/{id}",
  operationId: "deleteFaq",
  summary: "Delete an FAQ of the account's own",
  description: "Agents that had it no longer do. Default FAQs cannot be deleted.",
  params,
  status: 200,
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: { 403: "a default FAQ", ...unknown },
});
