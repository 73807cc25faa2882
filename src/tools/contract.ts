import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { jsonObject, snakeName, tags, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

const SCHEMA = "JSON Schema of the tool's arguments.";
const fields = z.object({
  name: snakeName,
  display_name: z.string().max(200),
  description: z.string().max(5000),
  category: z.string().min(1).max(100),
  implementation_type: z.enum(["python", "http"]),
  implementation_code: z.string().max(100_000),
  implementation_config: jsonObject,
  schema: jsonObject.openapi({ description: SCHEMA }),
  tags,
});

const json = z.record(z.string(), z.unknown());
const tool = fields
  .extend({
    id: uuid,
    // As they are, however large they were when they were taken.
    implementation_config: json,
    schema: json.openapi({ description: SCHEMA }),
    is_default: z.boolean(),
    modified_from_default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Tool");

const slice = { access: "account", tag: "Tools" } as const;
const params = z.object({ id: z.string().openapi({ description: "uuid or name" }) });
const unknown = { 404: "unknown tool" };

export const listTools = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools",
  operationId: "listTools",
  summary: "List tools by name, with counts per category",
  description: "The default ones included, a page at a time.",
  query: z.object({
    category: z.string().optional(),
    type: z.enum(["python", "http"]).optional(),
    search: z.string().max(200).optional().openapi({ description: "In name, display_name or description." }),
    ...paging(),
  }),
  kept: true,
  status: 200,
  response: pageOf("tools", tool).extend({
    categories: z
      .record(z.string(), z.number().int())
      .openapi({ description: "Of all tools that meet type and search." }),
  }),
});

export const createTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/tools",
  operationId: "createTool",
  summary: "Create a tool",
  description: "Its name must be new in the account. Agents use it once it is attached to them.",
  body: fields.extend({
    display_name: fields.shape.display_name.optional().openapi({ description: "Made of the name if left out." }),
    description: fields.shape.description.default(""),
    category: fields.shape.category.default("custom"),
    implementation_type: fields.shape.implementation_type.default("http"),
    implementation_code: fields.shape.implementation_code.default(""),
    implementation_config: jsonObject.default({}),
    schema: jsonObject.default({ type: "object", properties: {} }),
    tags: tags.default([]),
  }),
  status: 201,
  response: tool,
});

export const getTool = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools/{id}",
  operationId: "getTool",
  summary: "Get a tool",
  description: "By its id or its name.",
  params,
  kept: true,
  status: 200,
  response: tool,
  errors: unknown,
});

export const updateTool = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/tools/{id}",
  operationId: "updateTool",
  summary: "Change a tool",
  description: "Fields left out stay as they are. A default tool is marked as modified and is not seeded over.",
  params,
  body: fields
    .pick({ description: true, schema: true, implementation_config: true, implementation_code: true, tags: true })
    .partial(),
  status: 200,
  response: tool,
  errors: unknown,
});

export const deleteTool = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/tools/{id}",
  operationId: "deleteTool",
  summary: "Delete a tool of the account's own",
  description: "Agents that had it no longer do. Default tools cannot be deleted.",
  params,
  status: 200,
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: { 403: "a default tool", ...unknown },
});
