import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, jsonObject, longText, updatedAt } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import {
  category,
  categoryFilter,
  deletedItem,
  isDefault,
  modifiedFromDefault,
  snakeName,
  tags,
} from "../item-fields.ts";
import { DEFAULT_WRITE_RUNS } from "./effect.ts";
import { BINDING_SOURCE } from "./run/bind.ts";

/** The maximum number of arguments that a tool may bind. */
const MAX_BINDINGS = 50;
const bindingSource = z
  .string()
  .regex(BINDING_SOURCE, "must be visitor.id, call.id, call.from_number, call.to_number or contact.<column>");
const binding = z.union([
  bindingSource,
  z.strictObject({
    from: bindingSource.openapi({
      description: "The source of the value.",
      example: "call.from_number",
    }),
    unverified: z.boolean().openapi({
      description:
        "Whether an unverified value may be used: a guest's id, an inbound caller's number or a tester's variable.",
      example: true,
    }),
  }),
]);
const bind = z
  .record(z.string().min(1).max(100), binding)
  .refine((bound) => Object.keys(bound).length <= MAX_BINDINGS, `must not bind more than ${MAX_BINDINGS} arguments`);
const BIND =
  "Arguments that the platform fills in, by name: `visitor.id`, `call.id`, `call.from_number`, " +
  "`call.to_number`, or `contact.<column>`, a column of the contact or a variable the call was placed with. " +
  "The model neither sees nor sends them. A guest's id, an inbound caller's number and the variables of a test " +
  "are unverified and only used if the binding is `{from, unverified: true}`. If a conversation has no such " +
  "value, the tool is unavailable in it.";
const MAX_RUNS = `The maximum number of runs in one conversation, from 1 to 1,000. Null for the default: ${DEFAULT_WRITE_RUNS} for a tool that writes, any number for one that reads.`;
const EFFECT =
  "Whether it changes anything (`write`) or only looks something up (`read`). Null for the default: `read` for an http tool with GET, otherwise `write`.";

/** Settings for how a tool may be used. */
const settings = {
  effect: z.enum(["read", "write"]).nullable().openapi({ description: EFFECT, example: "read" }),
  max_runs: z.int().min(1).max(1000).nullable().openapi({ description: MAX_RUNS, example: 5 }),
  bind: bind.openapi({ description: BIND, example: { order_id: "contact.order_id" } }),
};

const SCHEMA =
  "JSON Schema (draft 2020-12) of the tool's arguments, which are an object. References must point into the schema " +
  "itself and must not be circular; patterns cannot have look-around or back references; OpenAPI's `nullable: " +
  "true` means that null is accepted; `patternProperties` and dynamic references are not supported.";
const CONFIG = `The request that an \`http\` tool sends:

- \`method\`: GET (default), POST, PUT, PATCH or DELETE
- \`url\`: an https address; it may begin with \`{{custom_api.base_url}}\`
- \`headers\`, \`query\`: objects with texts as values. A tool that writes also sends the run's id as \`Idempotency-Key\`, unless \`headers\` sets one
- \`auth\`: \`{type: "bearer", token}\`, \`{type: "basic", username, password}\` or \`{type: "header", name, value}\`
- \`body\`: sent as JSON; or \`form\`, an object that is sent as application/x-www-form-urlencoded
- \`timeout_ms\`: at most 10,000, which is the default
- \`response\`: \`{path, max_chars}\`: the part of a JSON response that becomes the result (\`data.items.0\`), and its maximum length (by default 4,000 characters)

Texts can contain \`{argument}\`, a property of \`schema\`, and \`{{integration.param_or_secret}}\`. Inserted values are escaped for their place and never searched for further placeholders. The host can contain only params of integrations. A secret is only sent to its integration's \`hosts\`; any other host is refused with 400 \`secret_host\`. In \`body\`, a text that consists of one \`{argument}\` becomes its value with its type. If an optional argument is missing, the parameter, header or property that contains it is left out. A configuration without any of these fields is stored, but the tool cannot run yet.`;
const EXAMPLE_CONFIG = {
  method: "GET",
  url: "{{custom_api.base_url}}/orders/{order_id}",
  auth: { type: "bearer", token: "{{custom_api.token}}" },
  response: { path: "order.status", max_chars: 500 },
};
const EXAMPLE_SCHEMA = {
  type: "object",
  properties: { order_id: { type: "string", description: "The order's number, such as 1042" } },
  required: ["order_id"],
};
const fields = z.object({
  name: snakeName.openapi({
    description: "The name for the model, in paths and for agents: snake_case, unique in the account.",
    example: "parcel_status",
  }),
  display_name: z.string().max(200).openapi({
    description: "The display name, up to 200 characters.",
    example: "Parcel status",
  }),
  description: z.string().max(5000).openapi({
    description: "What the tool does and when to use it. The model decides by this text. Up to 5,000 characters.",
    example: "Tells where an order is. Ask for its number first.",
  }),
  category: category.openapi({ example: "orders" }),
  implementation_type: z.enum(["python", "http"]).openapi({
    description: "`http`: the service makes a request. `python`: the code is handed to a runtime that runs Python.",
    example: "http",
  }),
  implementation_code: longText.openapi({
    description: "A python tool's code, a function `run(args, session)`; up to 256 KB; empty for other tools.",
    example: "",
  }),
  implementation_config: jsonObject.openapi({ description: CONFIG, example: EXAMPLE_CONFIG }),
  schema: jsonObject.openapi({ description: SCHEMA, example: EXAMPLE_SCHEMA }),
  effect: settings.effect,
  max_runs: settings.max_runs,
  bind: settings.bind,
  tags: tags.openapi({ example: ["orders", "shipping"] }),
});

const json = z.record(z.string(), z.unknown());
export const toolFields = fields.extend({
  // Shown in full, even if it was stored when the limit was higher.
  implementation_config: json.openapi({
    description: "The request an `http` tool makes; see createTool for its fields. Empty for a python tool.",
    example: EXAMPLE_CONFIG,
  }),
  schema: json.openapi({
    description: "JSON Schema of the tool's arguments, which are an object.",
    example: EXAMPLE_SCHEMA,
  }),
  effect: settings.effect.unwrap().openapi({ description: "Whether it changes anything.", example: "read" }),
  max_runs: settings.max_runs.openapi({
    description: "The maximum number of runs in one conversation; null for no limit.",
    example: null,
  }),
});

export const tool = toolFields
  .extend({
    id: idOf("tool", "The tool's id. Paths take it or the name."),
    is_default: isDefault,
    modified_from_default: modifiedFromDefault,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Tool");

export const slice = { access: "account", tag: "Tools" } as const;
export const params = z.object({
  id: z.string().openapi({ description: "The tool's id, or its name.", example: "parcel_status" }),
});
export const unknown = { 404: "unknown tool" };

export const listTools = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listTools",
  summary: "List tools by name, with counts per category",
  description: "Paged, including the default ones.",
  query: z.object({
    category: categoryFilter,
    type: z.enum(["python", "http"]).optional().openapi({ description: "Only tools of this `implementation_type`." }),
    search: z.string().max(200).optional().openapi({
      description: "Only tools with this text in name, display_name or description, ignoring case.",
      example: "order",
    }),
    ...paging(),
  }),
  kept: true,
  status: 200,
  response: pageOf("tools", tool).extend({
    categories: z.record(z.string(), z.number().int()).openapi({
      description: "How many of the tools that match `type` and `search` each category has.",
      example: { orders: 1 },
    }),
  }),
});

export const createTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/tools",
  scope: ["build"],
  operationId: "createTool",
  summary: "Create a tool",
  description:
    "Its name must be unique in the account. Agents use it once it is attached to them. A tool that could never " +
    "run is refused with everything that is wrong: an invalid schema, an address that is not https or not " +
    "public, templates that name an unknown integration, param, secret or argument. A tool that names an " +
    "integration also needs the scope `connect`.",
  body: fields.extend({
    display_name: fields.shape.display_name.optional().openapi({
      description: "The display name, up to 200 characters. Default: derived from the name.",
    }),
    description: fields.shape.description.default(""),
    category: fields.shape.category.default("custom"),
    implementation_type: fields.shape.implementation_type.default("http"),
    implementation_code: fields.shape.implementation_code.default(""),
    implementation_config: fields.shape.implementation_config.default({}),
    schema: fields.shape.schema.default({ type: "object", properties: {} }),
    effect: fields.shape.effect.default(null),
    max_runs: fields.shape.max_runs.default(null),
    bind: fields.shape.bind.default({}),
    tags: fields.shape.tags.default([]),
  }),
  status: 201,
  response: tool,
});

export const getTool = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getTool",
  summary: "Get a tool",
  description: "By its id or its name.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: tool,
  errors: unknown,
});

const changes = fields
  .pick({
    description: true,
    schema: true,
    implementation_config: true,
    implementation_code: true,
    effect: true,
    max_runs: true,
    bind: true,
    tags: true,
  })
  .partial();
export type ToolChanges = z.output<typeof changes>;

export const updateTool = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/tools/{id}",
  scope: ["build"],
  operationId: "updateTool",
  summary: "Change a tool",
  description:
    "Fields left out stay as they are. A default tool is marked as modified, so that seeding does not overwrite " +
    "it. If the tool names an integration before or after the change, you also need the scope `connect`. If it " +
    "has an address before or after the change and agents use it, you also need `listen`.",
  params,
  body: changes,
  revised: true,
  status: 200,
  response: tool,
  errors: {
    400: "invalid fields, or `too_large`: an agent's FAQs, playbooks and tools would exceed 4 MB together",
    ...unknown,
  },
});

export const deleteTool = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/tools/{id}",
  scope: ["build"],
  operationId: "deleteTool",
  summary: "Delete a custom tool",
  description: "It is detached from all agents. Default tools cannot be deleted.",
  params,
  status: 200,
  response: deletedItem,
  errors: { 403: "a default tool", ...unknown },
});
