import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, updatedAt } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import { categoryFilter, deletedItem, isDefault, modifiedFromDefault, playbookFields } from "../item-fields.ts";

export const playbook = playbookFields
  .extend({
    id: idOf("playbook", "The playbook's id. Paths take it or the name."),
    is_default: isDefault,
    modified_from_default: modifiedFromDefault,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Playbook");

const slice = { access: "account", tag: "Playbooks" } as const;
const params = z.object({
  id: z.string().openapi({ description: "The playbook's id, or its name.", example: "new_patient" }),
});
const unknown = { 404: "unknown playbook" };

export const listPlaybooks = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/playbooks",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listPlaybooks",
  summary: "List playbooks by name",
  description: "Paged, including the default ones.",
  query: z.object({
    category: categoryFilter,
    search: z.string().max(200).optional().openapi({
      description: "Only those whose name begins with this, ignoring case.",
      example: "new",
    }),
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
  scope: ["build"],
  operationId: "createPlaybook",
  summary: "Create a playbook",
  description: "Its name must be unique in the account. Agents use it once it is attached to them.",
  body: playbookFields.extend({
    display_name: playbookFields.shape.display_name.optional().openapi({
      description: "The display name, up to 200 characters. Default: derived from the name.",
    }),
    description: playbookFields.shape.description.default(""),
    category: playbookFields.shape.category.default("custom"),
    tags: playbookFields.shape.tags.default([]),
    tool_names: playbookFields.shape.tool_names.default([]),
    triggers: playbookFields.shape.triggers.default([]),
    content: playbookFields.shape.content.optional().openapi({
      description: "The steps in markdown, up to 200,000 characters. Default: rendered from the other fields.",
    }),
  }),
  status: 201,
  response: playbook,
});

export const getPlaybook = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/playbooks/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getPlaybook",
  summary: "Get a playbook with its markdown",
  description: "By its id or its name.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: playbook,
  errors: unknown,
});

export const updatePlaybook = endpoint({
  ...slice,
  method: "put",
  path: "/api/v1/playbooks/{id}",
  scope: ["build"],
  operationId: "updatePlaybook",
  summary: "Change a playbook",
  description:
    "Fields left out stay as they are. A default playbook is marked as modified, so that seeding does not overwrite it.",
  params,
  body: playbookFields
    .pick({ description: true, display_name: true, tags: true, tool_names: true, triggers: true, content: true })
    .partial(),
  revised: true,
  status: 200,
  response: playbook,
  errors: {
    400: "invalid fields, or `too_large`: an agent's FAQs, playbooks and tools would exceed 4 MB together",
    ...unknown,
  },
});

export const deletePlaybook = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/playbooks/{id}",
  scope: ["build"],
  operationId: "deletePlaybook",
  summary: "Delete a custom playbook",
  description: "It is detached from all agents. Default playbooks cannot be deleted.",
  params,
  status: 200,
  response: deletedItem,
  errors: { 403: "a default playbook", ...unknown },
});
