import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { createdAt, timestamp, updatedAt } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { EVENT_TYPES } from "../events/types.ts";
import { webhookId as id, params, slice, unknown } from "./contract-slice.ts";
import { isPattern } from "./patterns.ts";

const MOST_TYPES = 50;
const MOST_URL_CHARS = 2_048;

const url = z
  .string()
  .trim()
  .max(MOST_URL_CHARS)
  .refine((text) => URL.canParse(text), "must be an address such as https://shop.example/hooks/switchboard")
  .openapi({
    description:
      "The address to which events are sent by POST: https at a public host name. Redirects are not followed.",
    example: "https://shop.example/hooks/switchboard",
  });
const types = z
  .array(z.string().trim())
  .min(1, "name at least one type, or *")
  .max(MOST_TYPES)
  .superRefine((patterns, context) => {
    const unknown = patterns.filter((pattern) => !isPattern(pattern));
    const hint = `there are ${EVENT_TYPES.join(", ")}, and patterns such as call.* and *`;
    if (unknown.length > 0)
      context.addIssue({ code: "custom", message: `has no event type ${unknown.join(", ")}: ${hint}` });
  })
  .transform((patterns) => [...new Set(patterns)])
  .openapi({
    type: "array",
    items: { type: "string" },
    minItems: 1,
    maxItems: MOST_TYPES,
    description:
      "The events to send: types from listEventTypes, `call.*` for all types that begin with `call.`, or `*` for " +
      "all.",
    example: ["call.*", "conversation.ended"],
  });
const description = z.string().trim().max(500).nullable().openapi({
  description: "A description in your own words; null for none.",
  example: "CRM",
});
const agentIds = z
  .array(z.uuid().toLowerCase())
  .min(1, "name at least one agent, or send null for all")
  .max(100)
  .nullable()
  .openapi({
    description:
      "Only events about these agents, up to 100; null for all. A webhook made with an API key that is limited to agents " +
      "is limited to these at most.",
    example: null,
  });
const enabled = z.boolean().openapi({
  description:
    "Whether events are sent. Events that occur while it is false are not queued; a webhook that is enabled " +
    "again starts with new events.",
  example: true,
});

const webhook = z
  .object({
    id,
    url: url.openapi({
      description:
        "The address to which events are sent. Without the scope `connect`, only its host is shown, as " +
        "`https://shop.example/…`, because the rest may contain a secret.",
    }),
    types: z.array(z.string()).openapi({ description: "Which events are sent.", example: ["call.*"] }),
    description,
    agent_ids: agentIds,
    enabled,
    status: z.enum(["enabled", "disabled"]).openapi({
      description:
        "Whether events are sent: `disabled` by you, or automatically after days of failures or after a response of " +
        "410.",
      example: "enabled",
    }),
    disabled_reason: z
      .enum(["requested", "gone", "failing"])
      .nullable()
      .openapi({
        description:
          "Why it is disabled: `requested` by you, `gone` (the address responded with 410), or `failing` (nothing " +
          "succeeded for 5 days, and attempts failed on each of them); null while it is enabled.",
        example: null,
      }),
    content: z.boolean().openapi({
      description:
        "Whether events include results of conversations and complete phone numbers. They do if the person or key " +
        "that set the address has the scope `listen`; otherwise they contain what that caller may see.",
      example: true,
    }),
    last_delivery_at: timestamp.nullable().openapi({
      description: "When an event was last delivered (UTC); null if none was.",
    }),
    failing_since: timestamp.nullable().openapi({
      description: "When the first attempt after the last success failed (UTC); null if none has failed since.",
      example: null,
    }),
    behind: z.number().int().openapi({
      description: "The number of events of the account, of any type, that it has not processed yet.",
      example: 0,
    }),
    missed: z
      .number()
      .int()
      .openapi({
        description:
          "The number of events, of any type, that expired before it processed them, since it was created. The event " +
          "`webhook.missed` reports each such loss.",
        example: 0,
      }),
    secret_expires_at: timestamp.nullable().openapi({
      description: "The time until which the previous secret also signs (UTC); null if only the current one signs.",
      example: null,
    }),
    created_by: z.string().openapi({
      description:
        "The id of the member or API key that created it. The webhook continues to send when they are removed, " +
        "revoked or limited. The audit log shows who changed it since.",
      example: EXAMPLE_IDS.apiKey,
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Webhook");

const secret = secretText({
  description: "The secret that deliveries are signed with (Standard Webhooks). Save it now: it is not shown again.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
});

const addressRefused = "`address_refused` for an address that is not public; an unknown type or agent";
const otherAgents = "`agent_not_allowed` for agents to which the API key has no access";

export const listWebhooks = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/webhooks",
  scope: ["read"],
  operationId: "listWebhooks",
  summary: "List the account's webhooks, oldest first",
  description:
    "Returns all webhooks with their state. An API key that is limited to agents gets only webhooks that are " +
    "limited to these agents.",
  status: 200,
  response: listOf("webhooks", webhook),
});

export const createWebhook = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/webhooks",
  scope: ["connect"],
  operationId: "createWebhook",
  summary: "Create a webhook that sends events to your server; only this response contains the secret",
  description:
    "Sends each new event as `{id, type, timestamp, account, data}` by POST, signed by the Standard Webhooks " +
    "specification: headers `webhook-id`, `webhook-timestamp`, `webhook-signature`. A response of 2xx within 15 " +
    "s is a success. Anything else is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h; 429 and 503 can " +
    "set the time with `Retry-After`. A 410 disables the webhook, and so do 5 days with failures and without a " +
    "success. Events can arrive twice, with the same id, and in any order.",
  body: z.object({
    url,
    types,
    description: description.default(null),
    agent_ids: agentIds.default(null),
    enabled: enabled.default(true),
  }),
  status: 201,
  response: webhook.extend({ secret }).openapi("CreatedWebhook"),
  errors: { 400: addressRefused, 403: `\`quota_exceeded\`, or ${otherAgents}` },
});

export const getWebhook = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/webhooks/{id}",
  scope: ["read"],
  operationId: "getWebhook",
  summary: "Get a webhook",
  description: "Returns the webhook with its state.",
  params,
  revised: true,
  status: 200,
  response: webhook,
  errors: unknown,
});

export const updateWebhook = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/webhooks/{id}",
  scope: ["connect"],
  operationId: "updateWebhook",
  summary: "Change a webhook; a new address gets a new secret and only new events",
  description:
    "If you change the `url`, the webhook starts again: pending deliveries fail and cannot be resent to the new " +
    "address, and the response contains a new secret. Other changes apply to events that it has not processed " +
    "yet.",
  params,
  body: z.object({ url, types, description, agent_ids: agentIds, enabled }).partial(),
  revised: true,
  status: 200,
  response: webhook
    .extend({
      secret: secretText({
        description: "The new secret if the address changed; otherwise null.",
        example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      }),
    })
    .openapi("UpdatedWebhook"),
  errors: Object.assign({ 400: addressRefused, 403: otherAgents }, unknown),
});

export const deleteWebhook = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/webhooks/{id}",
  scope: ["connect"],
  operationId: "deleteWebhook",
  summary: "Delete a webhook with its deliveries",
  description: "The webhook sends nothing more, and its deliveries are deleted.",
  params,
  status: 204,
  errors: unknown,
});

export const rotateSecret = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret",
  scope: ["connect"],
  operationId: "rotateWebhookSecret",
  summary: "Get a new secret; the old one also signs for 24 hours",
  description:
    "For 24 hours, `webhook-signature` contains a signature by each secret, separated by a space, so your server " +
    "can switch at any time. Only this response contains the new secret.",
  params,
  status: 200,
  response: z
    .object({
      id,
      secret,
      secret_expires_at: timestamp.openapi({ description: "The time until which the old secret also signs (UTC)." }),
    })
    .openapi("RotatedWebhookSecret"),
  errors: unknown,
});
