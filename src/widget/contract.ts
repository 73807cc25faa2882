import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { label, timestamp, uuid } from "../http/fields.ts";
import { secretText } from "../http/secret-fields.ts";

const allowlist = z
  .array(z.string().max(300))
  .max(100)
  .openapi({
    description:
      "Origins that may show the widget; `https://*.shop.example` admits every subdomain. None admits nobody.",
    example: ["https://shop.example", "https://*.shop.example", "http://localhost:3000"],
  });
/** An agent, or none: null and the empty string unpin. */
const agentPin = z.union([uuid, z.literal("").transform(() => null)]).nullable();

const widgetKey = z
  .object({
    id: uuid,
    name: z.string(),
    last8: z.string(),
    agent_id: uuid.nullable(),
    domain_allowlist: z.array(z.string()),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: z.null().openapi({ description: "A widget key never expires." }),
    disabled_at: timestamp.nullable(),
  })
  .openapi("WidgetKey");

const params = z.object({ id: uuid });
const keys = { access: "account", tag: "Widget keys", badId: 400 } as const;
const settings = { access: "account", tag: "Widget settings" } as const;

export const listWidgetKeys = endpoint({
  ...keys,
  method: "get",
  path: "/api/v1/widget-keys",
  operationId: "listWidgetKeys",
  summary: "List the account's widget keys, newest first",
  description: "Metadata with the last eight characters of each.",
  kept: true,
  status: 200,
  response: z.array(widgetKey),
});

export const createWidgetKey = endpoint({
  ...keys,
  method: "post",
  path: "/api/v1/widget-keys",
  operationId: "createWidgetKey",
  summary: "Create a widget key; its plain text is in this answer only",
  description:
    "The key is public: it goes into the page that embeds the widget. It works on the origins of its allowlist only.",
  body: z.object({ name: label, agent_id: agentPin.default(null), domain_allowlist: allowlist.default([]) }),
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
      key: secretText({ description: "For the embed attribute `data-client-key`.", example: "pk_live_acme_…" }),
    })
    .openapi("CreatedWidgetKey"),
});

export const updateWidgetKey = endpoint({
  ...keys,
  method: "patch",
  path: "/api/v1/widget-keys/{id}",
  operationId: "updateWidgetKey",
  summary: "Change, disable or enable a widget key",
  description: "A disabled key gets no visitor in from the next request on; a cached configuration ends within 60 s.",
  params,
  body: z.object({ name: label, agent_id: agentPin, domain_allowlist: allowlist, disabled: z.boolean() }).partial(),
  status: 204,
  errors: { 404: "unknown key" },
});

export const deleteWidgetKey = endpoint({
  ...keys,
  method: "delete",
  path: "/api/v1/widget-keys/{id}",
  operationId: "deleteWidgetKey",
  summary: "Delete a widget key never used, disable one that was",
  description: "A key is used once a visitor session or a visitor token was issued with it.",
  params,
  status: 204,
  errors: { 404: "unknown key" },
});

const color = z
  .string()
  .regex(/^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, "must be a CSS hex colour such as #134e4a")
  .openapi({ example: "#134e4a" });

export const widgetSettings = z
  .object({
    accent_color: color,
    launcher_label: z.string().trim().min(1, "must not be empty").max(60),
    launcher_position: z.enum(["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"]),
    logo_url: z
      .union([z.literal(""), z.url({ protocol: /^https$/ }).max(2000)], "must be an https URL or empty")
      .openapi({ example: "https://shop.example/logo.svg" }),
    primary_color: color,
    privacy_notice: z.string().trim().max(1000),
  })
  .openapi("WidgetSettings");

export const getWidgetSettings = endpoint({
  ...settings,
  method: "get",
  path: "/api/v1/widget-settings",
  operationId: "getWidgetSettings",
  summary: "Get how the account's widgets look",
  description: "Colours, logo and words that all widgets of the account share.",
  kept: true,
  status: 200,
  response: widgetSettings,
});

export const updateWidgetSettings = endpoint({
  ...settings,
  method: "patch",
  path: "/api/v1/widget-settings",
  operationId: "updateWidgetSettings",
  summary: "Change how the account's widgets look",
  description:
    "Fields left out stay as they are. Pages show it when they are loaded again, a minute later at the latest.",
  body: widgetSettings.partial(),
  status: 204,
});

const authMode = z.enum(["public", "authenticated", "both"]).openapi({
  description: "Who may talk through the widget: guests, identified users, or both.",
});
const agentWidgetSettings = z
  .object({ agent_id: uuid, auth_mode: authMode, widget_enabled: z.boolean() })
  .openapi("AgentWidgetSettings");

export const getAgentWidgetSettings = endpoint({
  ...settings,
  method: "get",
  path: "/api/v1/agents/{id}/widget-settings",
  operationId: "getAgentWidgetSettings",
  summary: "Get who may talk to an agent through a widget",
  description: "An agent never changed has the defaults: both guests and users, enabled.",
  params,
  kept: true,
  status: 200,
  response: agentWidgetSettings,
  errors: { 404: "unknown agent" },
});

export const updateAgentWidgetSettings = endpoint({
  ...settings,
  method: "patch",
  path: "/api/v1/agents/{id}/widget-settings",
  operationId: "updateAgentWidgetSettings",
  summary: "Change who may talk to an agent through a widget",
  description: "Fields left out stay as they are.",
  params,
  body: agentWidgetSettings.partial(),
  status: 200,
  response: agentWidgetSettings,
  errors: { 404: "unknown agent" },
});
