import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { jsonObject, snakeName, tags, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

const SCHEMA =
  "JSON Schema (draft 2020-12) of the tool's arguments, an object's. References lead to places in the schema itself and not round in a circle; patterns have no look-around and no back references; `patternProperties` and dynamic references are not supported.";
const CONFIG = `What an \`http\` tool asks for:

- \`method\`: GET (default), POST, PUT, PATCH or DELETE
- \`url\`: an https address
- \`headers\`, \`query\`: objects of texts
- \`auth\`: \`{type: "bearer", token}\`, \`{type: "basic", username, password}\` or \`{type: "header", name, value}\`
- \`body\`: sent as JSON, or \`form\`, an object, sent as application/x-www-form-urlencoded
- \`timeout_ms\`: 10,000 at most, which is the default
- \`response\`: \`{path, max_chars}\`: the part of a JSON answer that is the result (\`data.items.0\`), and how much of it (4,000 characters)

Texts in it may hold \`{argument}\`, a property of \`schema\`, and \`{{integration.param_or_secret}}\`. Both are escaped for their place and never looked at for further ones; the host takes integrations' params only. In \`body\`, a text that is one \`{argument}\` alone becomes its value with its type. Where an optional argument is not given, the parameter, header or property it stands in is left out. A configuration without any of these fields is kept, and the tool cannot run yet.`;
const fields = z.object({
  name: snakeName,
  display_name: z.string().max(200),
  description: z.string().max(5000),
  category: z.string().min(1).max(100),
  implementation_type: z.enum(["python", "http"]),
  implementation_code: z.string().max(100_000),
  implementation_config: jsonObject.openapi({ description: CONFIG }),
  schema: jsonObject.openapi({ description: SCHEMA }),
  tags,
});

const json = z.record(z.string(), z.unknown());
const tool = fields
  .extend({
    id: uuid,
    // As they are, however large they were when they were taken.
    implementation_config: json.openapi({ description: "See createTool." }),
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
  description:
    "Its name must be new in the account. Agents use it once it is attached to them. What could never run is refused with everything that is wrong: a schema that is none, an address that is not https or not public, templates that name an integration, a param, a secret or an argument that there is not.",
  body: fields.extend({
    display_name: fields.shape.display_name.optional().openapi({ description: "Made of the name if left out." }),
    description: fields.shape.description.default(""),
    category: fields.shape.category.default("custom"),
    implementation_type: fields.shape.implementation_type.default("http"),
    implementation_code: fields.shape.implementation_code.default(""),
    implementation_config: jsonObject.default({}).openapi({ description: CONFIG }),
    schema: jsonObject.default({ type: "object", properties: {} }).openapi({ description: SCHEMA }),
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

export const runTool = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/tools/{id}/run",
  operationId: "runTool",
  summary: "Run an http tool, as an agent would",
  description:
    "Checks the arguments, makes the tool's request with the secrets of its integrations and reads its answer, within 10 s and 256 KB; redirects are followed three times at most, on the same host. Whatever the service does is a result with `ok: false`, and so is an integration that is not ready. Secrets are shown as `***`, also where the service sends one back. A dry run makes the request and does not send it.",
  params,
  body: z.object({
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .openapi({ description: "As the tool's schema says; none if left out." }),
    dry_run: z
      .boolean()
      .default(false)
      .openapi({ description: "Whether only to show the request; false if left out." }),
  }),
  status: 200,
  response: z
    .object({
      ok: z.boolean(),
      request: z
        .object({
          method: z.string(),
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          body: z.unknown(),
        })
        .nullable()
        .openapi({ description: "Null where it never came to one." }),
      response: z
        .object({ status: z.number().int(), body: z.unknown() })
        .nullable()
        .openapi({ description: "Null where none came, and for a dry run." }),
      result: z.unknown().openapi({ description: "What the agent's model is told." }),
      duration_ms: z.number().int(),
      error: z.string().nullable(),
    })
    .openapi("ToolRunResult"),
  errors: { 400: "arguments that do not fit, all of them named, or a tool that runs elsewhere", ...unknown },
});

export const listToolRuns = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/tools/{id}/runs",
  operationId: "listToolRuns",
  summary: "List the last 100 runs of a tool",
  description: "Newest first, in conversations and by the API; dry runs are not among them. What was said is not kept.",
  params,
  status: 200,
  response: z.object({
    runs: z.array(
      z
        .object({
          at: timestamp,
          conversation_id: z.string().nullable().openapi({ description: "Null for a run by the API." }),
          ok: z.boolean(),
          status: z.number().int().nullable().openapi({ description: "The HTTP status of the service's answer." }),
          duration_ms: z.number().int(),
          error: z.string().nullable(),
        })
        .openapi("ToolRun"),
    ),
  }),
  errors: unknown,
});
