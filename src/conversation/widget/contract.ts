import { z } from "@hono/zod-openapi";
import { WHO_MAY_CHAT } from "../../account/visitors/settings.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, timestamp, uuid } from "../../kernel/http/fields.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";

const allowlist = z
  .array(z.string().max(300))
  .max(100)
  .openapi({
    description:
      "Origins that may show the widget, up to 100; `https://*.shop.example` admits every subdomain. None admits nobody.",
    example: ["https://shop.example", "https://*.shop.example", "http://localhost:3000"],
  });
const agentOfKey = "The agent that the widget talks to; null for none, and then nobody can begin a session.";
/** An agent, or none: null and the empty string unpin. */
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

const limitOf = (most: number) => z.number().int().min(1).max(most).nullable();
const keyLimits = z
  .object({
    turns_per_conversation: limitOf(10_000).openapi({
      description:
        "How many turns of the visitor one conversation answers; then it ends. Default 60; null for any number.",
      example: 60,
    }),
    conversations_per_visitor_day: limitOf(100_000).openapi({
      description:
        "How many conversations one visitor may begin in a day (UTC); all guests of one network together 200. Default 20; " +
        "null for any number.",
      example: 20,
    }),
    tokens_per_day: limitOf(Number.MAX_SAFE_INTEGER).openapi({
      description:
        "How many tokens the conversations of this key may use in a day (UTC); at the limit they end. Guests may use half, " +
        "those of one network a fifth. Default 5,000,000; null for any number.",
      example: 5_000_000,
    }),
  })
  .openapi({
    description:
      "What visitors who come with this key may use. A conversation over a limit is refused with `budget_reached`.",
  });

const widgetKey = z
  .object({
    id: keyId,
    name,
    last8: z
      .string()
      .openapi({ description: "The key's last eight characters, to tell keys apart.", example: "b3Lk9QwE" }),
    agent_id: idOf("agent", agentOfKey).nullable(),
    domain_allowlist: allowlist,
    limits: keyLimits,
    created_at: createdAt,
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
const params = z.object({ id: idOf("agent", "The agent's id, as listAgents gives it.") });
const keys = { access: "account", tag: "Widget keys", badId: 400 } as const;
const settings = { access: "account", tag: "Widget settings" } as const;

export const listWidgetKeys = endpoint({
  ...keys,
  method: "get",
  path: "/api/v1/widget-keys",
  scope: [],
  operationId: "listWidgetKeys",
  summary: "List the account's widget keys, newest first",
  description: "Metadata with the last eight characters of each.",
  status: 200,
  response: z.array(widgetKey),
});

export const createWidgetKey = endpoint({
  ...keys,
  method: "post",
  path: "/api/v1/widget-keys",
  scope: [],
  operationId: "createWidgetKey",
  summary: "Create a widget key",
  description:
    "The key is public: it goes into the page that embeds the widget. It works on the origins of its allowlist only. " +
    "Store it: lists never contain it, and only somebody signed in to the console can have it shown again.",
  body: z.object({ name, agent_id: agentPin.default(null), domain_allowlist: allowlist.default([]) }),
  status: 201,
  response: widgetKey
    .pick({
      id: true,
      name: true,
      last8: true,
      agent_id: true,
      domain_allowlist: true,
      created_at: true,
      expires_at: true,
    })
    .extend({
      key: secretText({
        description: "The key itself, for the embed attribute `data-client-key`.",
        example: EXAMPLE_KEY,
      }),
    })
    .openapi("CreatedWidgetKey"),
});

export const revealWidgetKey = endpoint({
  ...keys,
  access: "console",
  method: "get",
  path: "/api/v1/widget-keys/{id}/key",
  scope: [],
  operationId: "revealWidgetKey",
  summary: "Show a widget key again",
  description:
    "For whoever needs the line that embeds the widget again. Only a console session can ask, and the audit log records it.",
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
  operationId: "updateWidgetKey",
  summary: "Change, disable or enable a widget key",
  description: "A disabled key gets no visitor in from the next request on; a cached configuration ends within 60 s.",
  params: keyParams,
  body: z
    .object({
      name,
      agent_id: agentPin,
      domain_allowlist: allowlist,
      limits: keyLimits.partial().openapi({
        description: "Limits to change; those left out stay as they are, and null lifts one.",
      }),
      disabled: z.boolean().openapi({
        description: "True: nobody can start or renew a session with it from now on. False: it works again.",
        example: false,
      }),
    })
    .partial(),
  status: 204,
  errors: { 404: "unknown key" },
});

export const deleteWidgetKey = endpoint({
  ...keys,
  method: "delete",
  path: "/api/v1/widget-keys/{id}",
  scope: [],
  operationId: "deleteWidgetKey",
  summary: "Delete a widget key that was never used, or disable one that was",
  description: "A key is used once a visitor session or a visitor token was issued with it.",
  params: keyParams,
  status: 204,
  errors: { 404: "unknown key" },
});

const color = z
  .string()
  .regex(/^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, "must be a CSS hex colour such as #134e4a");

export const widgetSettings = z
  .object({
    accent_color: color.openapi({
      description: "The color of the send button and links, as CSS hex. Default: `#0f766e`.",
      example: "#0f766e",
    }),
    launcher_label: z.string().trim().min(1, "must not be empty").max(60).openapi({
      description: "The label of the button that opens the widget, up to 60 characters. Default: `Talk to us`.",
      example: "Talk to us",
    }),
    launcher_position: z
      .enum(["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"])
      .openapi({ description: "Where on the page the button is. Default: `bottom-right`.", example: "bottom-right" }),
    logo_url: z
      .union([z.literal(""), z.url({ protocol: /^https$/ }).max(2000)], "must be an https URL or empty")
      .openapi({
        description: "The logo in the widget's header: an https URL, or empty for none (the default).",
        example: "https://shop.example/logo.svg",
      }),
    primary_color: color.openapi({
      description: "The color of the widget's header and button, as CSS hex. Default: `#134e4a`.",
      example: "#134e4a",
    }),
    privacy_notice: z.string().trim().max(1000).openapi({
      description: "What a visitor reads before writing, up to 1,000 characters; empty for none (the default).",
      example: "Conversations are kept for 30 days.",
    }),
  })
  .openapi("WidgetSettings");

export const getWidgetSettings = endpoint({
  ...settings,
  method: "get",
  path: "/api/v1/widget-settings",
  scope: ["read"],
  operationId: "getWidgetSettings",
  summary: "Get the account's widget settings",
  description: "Colors, logo and texts shared by all widgets of the account.",
  kept: true,
  revised: true,
  status: 200,
  response: widgetSettings,
});

export const updateWidgetSettings = endpoint({
  ...settings,
  method: "patch",
  path: "/api/v1/widget-settings",
  scope: ["build"],
  operationId: "updateWidgetSettings",
  summary: "Change the account's widget settings",
  description:
    "Fields left out stay as they are. Pages pick up the change when reloaded, after a minute at the latest.",
  body: widgetSettings.partial(),
  revised: true,
  status: 204,
});

export const authMode = z.enum(["public", "authenticated", "both"]).openapi({
  description: "Who may talk through the widget: guests (`public`), identified users (`authenticated`), or `both`.",
  example: "both",
});
const who = z.enum(["anyone", "signed_in"]).openapi({
  description:
    "Who may chat: `anyone`, guests included, or only visitors your site has `signed_in`. Setting it sets the auth_mode of " +
    "the widget and of the agent together (`both` and `public`, or `authenticated` for both). Read, it says whether " +
    "guests are admitted once both are considered.",
  example: "anyone",
});
const agentWidgetSettings = z
  .object({
    agent_id: idOf("agent", "The agent these settings are of: that of the path."),
    who,
    auth_mode: authMode,
    widget_enabled: z.boolean().openapi({
      description: "Whether the agent can be talked to through widgets at all. Default: true.",
      example: true,
    }),
  })
  .openapi("AgentWidgetSettings");
const agentWidgetChanges = agentWidgetSettings
  .partial()
  .refine(({ who, auth_mode }) => !who || !auth_mode || auth_mode === WHO_MAY_CHAT[who].widget, {
    path: ["auth_mode"],
    error: "contradicts who; send one of the two",
  });

export const getAgentWidgetSettings = endpoint({
  ...settings,
  method: "get",
  path: "/api/v1/agents/{id}/widget-settings",
  scope: ["read"],
  ofAgents: "path",
  operationId: "getAgentWidgetSettings",
  summary: "Get who may talk to an agent through a widget",
  description:
    "The defaults are auth_mode `both`, enabled. `who` still says `signed_in` while the agent's own auth_mode is " +
    "`authenticated`, as that of a new agent is.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: agentWidgetSettings,
  errors: { 404: "unknown agent" },
});

export const updateAgentWidgetSettings = endpoint({
  ...settings,
  method: "patch",
  path: "/api/v1/agents/{id}/widget-settings",
  scope: ["build"],
  ofAgents: "path",
  operationId: "updateAgentWidgetSettings",
  summary: "Change who may talk to an agent through a widget",
  description:
    "Fields left out stay as they are. `who` sets the widget's and the agent's auth_mode in one write; If-Match names the " +
    "revision of these settings.",
  params,
  body: agentWidgetChanges,
  revised: true,
  status: 200,
  response: agentWidgetSettings,
  errors: { 404: "unknown agent" },
});
