import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { idOf } from "../http/example-ids.ts";
import { createdAt, label, timestamp } from "../http/fields.ts";
import { secretText } from "../http/secret-fields.ts";

const keyId = idOf("apiKey", "The id of the key's row: what changes, deletions and the audit log name it by.");
const name = label.openapi({
  description: "What people know the key by, up to 200 characters; need not be unique.",
  example: "Billing server",
});
const last8 = z.string().openapi({
  description: "The key's last eight characters, to tell which it is.",
  example: "x7Qm2RtZ",
});
const expiresAt = timestamp.nullable().openapi({
  description: "Until when the key is good (UTC); null for one that never expires.",
  example: "2027-02-19T09:30:00.000Z",
});

const apiKey = z
  .object({
    id: keyId,
    name,
    last8,
    created_at: createdAt,
    last_used_at: timestamp.nullable().openapi({
      description: "When a request last came in with it (UTC), to about a minute; null for a key never used.",
    }),
    expires_at: expiresAt,
    disabled_at: timestamp.nullable().openapi({
      description: "Since when it is disabled (UTC), which a request with it is told by 403; null for a good one.",
      example: null,
    }),
  })
  .openapi("ApiKey");

const params = z.object({ id: keyId });
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
    name,
    expiry: z.string().optional().openapi({
      description:
        "`never`, `<n>d`, or an ISO 8601 time ahead; a year, or as long as the account allows, when left out.",
      example: "90d",
    }),
  }),
  status: 201,
  response: z
    .object({
      id: keyId,
      name,
      key: secretText({
        description: "The key itself, to be sent as `Authorization: Bearer`. It is stored nowhere: keep it now.",
        example: "sk_live_acme_4KpT0wQ9bVx3nYsE7uJc1LfZ6mRgAh5D2tx7Qm2RtZ",
      }),
      last8,
      created_at: createdAt,
      expires_at: expiresAt,
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
  body: z
    .object({
      name,
      disabled: z.boolean().openapi({
        description: "True: no request with the key comes in from now on. False: it is good again.",
        example: true,
      }),
    })
    .partial(),
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
