import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { snakeName, tags, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

const fields = z.object({
  name: snakeName,
  display_name: z.string().max(200),
  description: z.string().max(5000),
  category: z.string().min(1).max(100),
  tags,
  tool_names: z.array(snakeName).max(100),
  triggers: z.array(z.string().max(500)).max(50),
  content: z.string().max(200_000).openapi({ description: "Markdown; rendered from the other fields if never sent." }),
});

const playbook = fields
  .extend({
    id: uuid,
    is_default: z.boolean(),
    modified_from_default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Playbook");

const slice = { access: "account", tag: "Playbooks" } as const;
const params = z.object({ id: z.string().openapi({ description: "uuid or name" }) });
const unknown = { 404: "unknown playbook" };

export const listPlaybooks = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/playbooks",
  operationId: "listPlaybooks",
  summary: "List playbooks by name",
  description: "The default ones included, a page at a time.",
  query: z.object({
    category: z.string().optional(),
    search: z.string().max(200).optional().openapi({ description: "What the name begins with." }),
    ...paging(),
  }),
  kept: true,
  status: 200,
  response: pageOf("playbooks", playbook),
});

export const createPlaybook = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/playbooks",
  operationId: "createPlaybook",
  summary: "Create a playbook",
  description: "Its name must be new in the account. Agents use it once it is attached to them.",
  body: fields.extend({
    display_name: fields.shape.display_name.optional().openapi({ description: "Made of the name if left out." }),
    description: fields.shape.description.default(""),
    category: fields.shape.category.default("custom"),
    tags: tags.default([]),
    tool_names: fields.shape.tool_names.default([]),
    triggers: fields.shape.triggers.default([]),
    content: fields.shape.content.optional(),
  }),
  status: 201,
  response: playbook,
});

export const getPlaybook = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/playbooks/{id}",
  operationId: "getPlaybook",
  summary: "Get a playbook with its markdown",
  description: "By its id or its name.",
  params,
  kept: true,
  status: 200,
  response: playbook,
  errors: unknown,
});

export const updatePlaybook = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/playbooks/{id}",
  operationId: "updatePlaybook",
  summary: "Change a playbook",
  description: "Fields left out stay as they are. A default playbook is marked as modified and is not seeded over.",
  params,
  body: fields
    .pick({ description: true, display_name: true, tags: true, tool_names: true, triggers: true, content: true })
    .partial(),
  status: 200,
  response: playbook,
  errors: unknown,
});

export const deletePlaybook = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/playbooks/{id}",
  operationId: "deletePlaybook",
  summary: "Delete a playbook of the account's own",
  description: "Agents that had it no longer do. Default playbooks cannot be deleted.",
  params,
  status: 200,
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: { 403: "a default playbook", ...unknown },
});
