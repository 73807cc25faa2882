import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, timestamp } from "../../kernel/http/fields.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { DEFAULT_KEY_SCOPES, SCOPE_WORDS, SCOPES } from "../../kernel/scopes.ts";
import { MAX_NETWORKS, networks } from "../allowed-addresses.ts";

const keyId = idOf("apiKey", "The key's id, used to change and delete it, and in the audit log.");
const name = label.openapi({
  description: "The key's name, up to 200 characters; need not be unique.",
  example: "Billing server",
});
const last8 = z.string().openapi({
  description: "The key's last eight characters, to tell keys apart.",
  example: "x7Qm2RtZ",
});
const expiresAt = timestamp.nullable().openapi({
  description: "When the key expires (UTC); null if it never does.",
  example: "2027-02-19T09:30:00.000Z",
});

const scopes = z
  .array(z.enum(SCOPES))
  .min(1, "name at least one scope")
  .max(100)
  .openapi({
    description: `The key's scopes: ${SCOPES.map((scope) => `\`${scope}\` (${SCOPE_WORDS[scope]})`).join(", ")}. Every scope but \`runtime\` includes \`read\`.`,
    example: ["read", "dial"],
  });
const agentIds = z
  .array(z.uuid().toLowerCase())
  .min(1, "name at least one agent, or send null for all")
  .max(100)
  .nullable()
  .openapi({
    description:
      "The agents that the key is limited to, up to 100. It only sees their conversations, calls, recordings, " +
      "campaigns, events and usage, and can only call with them. Operations that are not about a single agent are " +
      "refused with 403 `agent_not_allowed`. Null for all agents.",
    example: null,
  });
const allowedAddresses = networks("name at least one address, or send null for all")
  .nullable()
  .openapi({
    type: ["array", "null"],
    items: { type: "string" },
    minItems: 1,
    maxItems: MAX_NETWORKS,
    description:
      "The IP addresses and networks (CIDR) from which the key is accepted, up to 100; from others it is refused " +
      "with 403 `address_not_allowed`. Null for every address.",
    example: ["203.0.113.0/24"],
  });
const shownAddresses = z
  .array(z.string())
  .nullable()
  .openapi({
    description: "The IP addresses and networks (CIDR) from which the key is accepted; null for every address.",
    example: ["203.0.113.0/24"],
  });

const scopesNamed = z.boolean().openapi({
  description:
    "Whether the key's scopes were named when it was created or later. Assistants (MCP) can only use such a key, " +
    "because nobody chose the default scopes deliberately.",
  example: true,
});
const unattended = z.boolean().openapi({
  description:
    "Whether actions that require confirmation, such as placing a call for an assistant (MCP), need no person's " +
    "approval. A caller may then persuade a model that reads their words to carry out such actions.",
  example: false,
});

/** The fields of a key's permissions. They are in the response to its creation and in later ones. */
const keyTerms = {
  last8,
  scopes,
  scopes_named: scopesNamed,
  unattended,
  agent_ids: agentIds,
  allowed_addresses: shownAddresses,
  created_at: createdAt,
};

const apiKey = z
  .object({
    id: keyId,
    name,
    ...keyTerms,
    last_used_at: timestamp.nullable().openapi({
      description: "When the key was last used (UTC), to about a minute; null if never.",
    }),
    expires_at: expiresAt,
    disabled_at: timestamp.nullable().openapi({
      description: "When the key was disabled (UTC); requests with it get a 403. Null for an active key.",
      example: null,
    }),
  })
  .openapi("ApiKey");

const params = z.object({ id: keyId });
/** Decides what happens to the widget keys that the key created when it is disabled or deleted. */
const ofWidgetKeys = z.object({
  widget_keys: z
    .enum(["keep", "disable"])
    .default("keep")
    .openapi({
      description:
        "What to do with the widget keys that this API key created: `keep` them (the default) or `disable` them in " +
        "the same write.",
      example: "disable",
    }),
});
const slice = { tag: "API keys", badId: 400 } as const;

export const listApiKeys = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/api-keys",
  access: "account",
  scope: [],
  ofAgents: "handler",
  operationId: "listApiKeys",
  summary: "List the account's API keys, newest first, without the keys themselves",
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
  scope: ["manage"],
  operationId: "createApiKey",
  summary: "Create an API key; only this response contains its plain text",
  description:
    "Requires a console sign-in. Without `expiry`, the key lasts a year, or the account's maximum if that is less; without `scopes`, it has all but `manage`. A key cannot get a scope that its creator lacks (403 `exceeds_own`).",
  body: z.object({
    name,
    expiry: z.string().optional().openapi({
      description:
        "`never`, `<n>d`, or an ISO 8601 time in the future. Default: a year, or the account's maximum if that is less.",
      example: "90d",
    }),
    scopes: scopes.optional().openapi({ default: [...DEFAULT_KEY_SCOPES] }),
    unattended: unattended.default(false),
    agent_ids: agentIds.default(null),
    allowed_addresses: allowedAddresses.default(null),
  }),
  status: 201,
  response: z
    .object({
      id: keyId,
      name,
      key: secretText({
        description: "The key itself, to be sent as `Authorization: Bearer`. It is not stored anywhere: save it now.",
        example: "sk_live_acme_4KpT0wQ9bVx3nYsE7uJc1LfZ6mRgAh5D2tx7Qm2RtZ",
      }),
      ...keyTerms,
      expires_at: expiresAt,
    })
    .openapi("CreatedApiKey"),
  errors: { 400: "an agent that the account does not have", 403: "a scope that you lack (`exceeds_own`)" },
});

export const updateApiKey = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/api-keys/{id}",
  access: "console",
  scope: ["manage"],
  operationId: "updateApiKey",
  summary: "Rename, limit, disable or enable an API key; takes effect with the next request",
  description:
    "Requires a console sign-in. A disabled key can be enabled again; disabling it twice does not change `disabled_at`. " +
    "If scopes, agents or addresses change, everything that was opened with the key ends: streams, tickets, " +
    "signed addresses, test sessions, confirmations. Scopes that differ from the key's current ones count as " +
    "named; with `scopes_named: true`, the current ones do too. Visitors signed in with the key (createVisitorToken) are " +
    "disconnected when it is disabled or may no longer sign them in; `widget_keys=disable` with `disabled: true` " +
    "disables the widget keys it created too.",
  params,
  query: ofWidgetKeys,
  body: z
    .object({
      name,
      disabled: z.boolean().openapi({
        description: "If true, the key is refused from now on. If false, the key works again.",
        example: true,
      }),
      scopes,
      scopes_named: scopesNamed.openapi({
        description:
          "If true, the key's current scopes count as named, even if they are the default ones. False has no effect.",
      }),
      unattended,
      agent_ids: agentIds,
      allowed_addresses: allowedAddresses,
    })
    .partial(),
  status: 204,
  errors: {
    400: "an agent that the account does not have, `widget_keys=disable` without `disabled: true`, or `scopes_named: false` for named scopes",
    403: "a scope, of the key or in the request, that you lack (`exceeds_own`)",
    404: "unknown key",
  },
});

export const deleteApiKey = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/api-keys/{id}",
  access: "console",
  scope: ["manage"],
  operationId: "deleteApiKey",
  summary: "Delete an API key that was never used, or disable one that was",
  description:
    "Requires a console sign-in. A key that was used stays listed as disabled, for the audit trail. Visitors " +
    "signed in with the key are disconnected; `widget_keys=disable` disables the widget keys it created too.",
  params,
  query: ofWidgetKeys,
  status: 204,
  errors: { 403: "the key has a scope that you lack (`exceeds_own`)", 404: "unknown key" },
});
