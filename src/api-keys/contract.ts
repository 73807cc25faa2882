import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { label, timestamp, uuid } from "../http/fields.ts";
import { secretText } from "../http/secret-fields.ts";

const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    last8: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    disabled_at: timestamp.nullable(),
  })
  .openapi("ApiKey");

const params = z.object({ id: uuid });
const slice = { tag: "API keys", badId: 400 } as const;

export const listApiKeys = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/api-keys",
  access: "account",
  operationId: "listApiKeys",
  summary: "List the account's keys, newest first; never the keys themselves",
  description:
    "Metadata only: the last eight characters, when a key was last used, and when it expires or was disabled.",
  status: 200,
  response: z.array(apiKey),
});

export const createApiKey = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/api-keys",
  access: "console",
  operationId: "createApiKey",
  summary: "Create a key; its plain text is in this answer only",
  description:
    "Needs a console sign-in. Without `expiry` the key lasts a year, or as long as the account allows if that is less.",
  body: z.object({
    name: label,
    expiry: z.string().optional().openapi({
      description:
        "`never`, `<n>d`, or an ISO 8601 time ahead; a year, or as long as the account allows, when left out.",
      example: "90d",
    }),
  }),
  status: 201,
  response: z
    .object({
      id: uuid,
      name: z.string(),
      key: secretText({ description: "The key itself, in this answer only.", example: "sk_live_acme_…" }),
      last8: z.string(),
      created_at: timestamp,
      expires_at: timestamp.nullable(),
    })
    .openapi("CreatedApiKey"),
});

export const updateApiKey = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/api-keys/{id}",
  access: "console",
  operationId: "updateApiKey",
  summary: "Rename, disable or enable a key; holds from the next request on",
  description: "Needs a console sign-in. A disabled key can be enabled again; disabling it twice keeps the first time.",
  params,
  body: z.object({ name: label, disabled: z.boolean() }).partial(),
  status: 204,
  errors: { 404: "unknown key" },
});

export const deleteApiKey = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/api-keys/{id}",
  access: "console",
  operationId: "deleteApiKey",
  summary: "Delete a key never used, disable one that was",
  description: "Needs a console sign-in. A key that was used stays listed as disabled, for the audit trail.",
  params,
  status: 204,
  errors: { 404: "unknown key" },
});
