import { z } from "@hono/zod-openapi";
import { allowlist, keyLimits } from "../../account/visitors/widget-fields.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, timestamp, uuid } from "../../kernel/http/fields.ts";
import { inService } from "../../kernel/http/in-service.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import type { ScopeChoice } from "../../kernel/scopes.ts";

const agentOfKey = "The agent that answers in the widget; null for none, in which case no session can begin.";
/** An agent or none. Null and the empty string remove the pin. */
const agentPin = z
  .union([uuid, z.literal("").transform(() => null)])
  .nullable()
  .openapi({ description: `${agentOfKey} An empty text means null.`, example: EXAMPLE_IDS.agent });
const EXAMPLE_KEY = "pk_live_acme_8dQ2sVnY5tKf0WxB7mJzLc4RgEh1Pa6uT9b3Lk9QwE";
const keyId = idOf("widgetKey", "The id of the key's row, by which it is changed and deleted.");
const name = label.openapi({
  description: "The key's name, up to 200 characters; need not be unique.",
  example: "Shop, product pages",
});

/** The scopes for creating, changing, revealing and deleting widget keys. */
const CHANGING: ScopeChoice = [["build"]];

const changedLimits = named(
  "WidgetKeyLimitChanges",
  "Limits to set for a widget key. Limits that you leave out stay as they are.",
  keyLimits.partial(),
);

const widgetKey = z
  .object({
    id: keyId,
    name,
    last8: z
      .string()
      .openapi({ description: "The key's last eight characters, to tell keys apart.", example: "b3Lk9QwE" }),
    agent_id: idOf("agent", agentOfKey).nullable(),
    in_service: inService.nullable().openapi({
      description: "Where its agent is in service; `widget` considers only this key. Null without an agent.",
    }),
    domain_allowlist: allowlist,
    limits: keyLimits.openapi({
      description:
        "The limits for visitors with this key. A conversation over a limit is refused with `budget_reached`.",
    }),
    created_at: createdAt,
    created_by: z.string().openapi({
      description: "The id of the member or API key that created it.",
      example: EXAMPLE_IDS.apiKey,
    }),
    last_used_at: timestamp.nullable().openapi({
      description: "When a visitor's session was last started with it (UTC), to about a minute; null if never.",
    }),
    expires_at: z.null().openapi({ description: "Always null: a widget key never expires." }),
    disabled_at: timestamp.nullable().openapi({
      description: "When the key was disabled (UTC); null for an active key.",
      example: null,
    }),
  })
  .openapi("WidgetKey");

const keyParams = z.object({ id: keyId });
const keys = { access: "account", tag: "Widget keys", badId: 400 } as const;

export const listWidgetKeys = endpoint({
  ...keys,
  method: "get",
  path: "/api/v1/widget-keys",
  scope: [],
  ofAgents: "handler",
  operationId: "listWidgetKeys",
  summary: "List the account's widget keys, newest first",
  description:
    "Metadata with the last eight characters of each. An API key limited to agents gets the keys pinned to one of them.",
  status: 200,
  response: z.array(widgetKey),
});

export const createWidgetKey = endpoint({
  ...keys,
  method: "post",
  path: "/api/v1/widget-keys",
  scope: [],
  scopeIfNamed: CHANGING,
  operationId: "createWidgetKey",
  summary: "Create a widget key",
  description:
    "The key is public, because the page that embeds the widget contains it, and it only works on the origins of " +
    "its allowlist. Store it: lists never contain it, and only a console user can show it again.",
  body: z.object({
    name,
    agent_id: agentPin.default(null),
    domain_allowlist: allowlist.default([]),
    limits: changedLimits.default({}).openapi({
      description: "Limits other than the defaults. More than a default, and null, require the scope `manage`.",
    }),
  }),
  status: 201,
  response: widgetKey
    .pick({
      id: true,
      name: true,
      last8: true,
      agent_id: true,
      in_service: true,
      domain_allowlist: true,
      limits: true,
      created_at: true,
      created_by: true,
      expires_at: true,
    })
    .extend({
      key: secretText({
        description: "The key itself, for the embed attribute `data-client-key`.",
        example: EXAMPLE_KEY,
      }),
    })
    .openapi("CreatedWidgetKey"),
  errors: { 403: "a limit over its default without the scope `manage` (`missing_scope`)" },
});

export const revealWidgetKey = endpoint({
  ...keys,
  access: "console",
  method: "get",
  path: "/api/v1/widget-keys/{id}/key",
  scope: [],
  scopeIfNamed: CHANGING,
  operationId: "revealWidgetKey",
  summary: "Show a widget key again",
  description:
    "Use this if you need the embed code again. It requires a console session, and the audit log records it.",
  params: keyParams,
  status: 200,
  response: z
    .object({
      id: keyId,
      key: z.string().openapi({
        description: "The key itself, for the embed attribute `data-client-key`.",
        example: EXAMPLE_KEY,
      }),
    })
    .openapi("RevealedWidgetKey"),
  errors: {
    404: "unknown key",
    409: "the key was created without a copy that can be shown (`key_not_stored`): create a new one",
    503: "encryption is not available",
  },
});

export const updateWidgetKey = endpoint({
  ...keys,
  method: "patch",
  path: "/api/v1/widget-keys/{id}",
  scope: [],
  scopeIfNamed: CHANGING,
  ofAgents: "handler",
  operationId: "updateWidgetKey",
  summary: "Change, disable or enable a widget key",
  description:
    "A disabled key lets no visitor in from the next request on; cached configurations expire within 60 s. An " +
    "API key limited to agents can only change keys pinned to one of them, and cannot change the pin.",
  params: keyParams,
  body: z
    .object({
      name,
      agent_id: agentPin,
      domain_allowlist: allowlist,
      limits: changedLimits.openapi({
        description: "Limits to change. Limits that you leave out stay as they are; null removes a limit.",
      }),
      disabled: z.boolean().openapi({
        description:
          "If true, no session can be started or renewed with the key from now on. If false, the key works again.",
        example: false,
      }),
    })
    .partial(),
  status: 204,
  errors: {
    403: "a limit raised without the scope `manage` (`missing_scope`), or a pin changed by an API key limited to agents (`agent_not_allowed`)",
    404: "unknown key",
  },
});

export const deleteWidgetKey = endpoint({
  ...keys,
  method: "delete",
  path: "/api/v1/widget-keys/{id}",
  scope: [],
  scopeIfNamed: CHANGING,
  ofAgents: "handler",
  operationId: "deleteWidgetKey",
  summary: "Delete a widget key that was never used, or disable one that was",
  description: "A key counts as used as soon as a visitor session or a visitor token was issued with it.",
  params: keyParams,
  status: 204,
  errors: { 404: "unknown key" },
});
