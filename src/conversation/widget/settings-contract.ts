import { z } from "@hono/zod-openapi";
import { widgetSettings } from "../../account/visitors/widget-fields.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";

const params = z.object({ id: idOf("agent", "The agent's id, as listAgents gives it.") });
const settings = { access: "account", tag: "Widget settings" } as const;

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
    "Fields left out stay as they are. Pages show the change when they are reloaded, after a minute at the " +
    "latest.",
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
    "the widget and of the agent together (`both` and `public`, or `authenticated` for both). In responses, it says whether " +
    "guests are admitted if both settings are considered.",
  example: "anyone",
});
const agentWidgetSettings = z
  .object({
    agent_id: idOf("agent", "The agent in the path, to which these settings belong."),
    who,
    auth_mode: authMode,
    widget_enabled: z.boolean().openapi({
      description: "Whether the agent can be talked to through widgets at all. Default: true.",
      example: true,
    }),
  })
  .openapi("AgentWidgetSettings");
const agentWidgetChanges = agentWidgetSettings.partial();

export const getAgentWidgetSettings = endpoint({
  ...settings,
  method: "get",
  path: "/api/v1/agents/{id}/widget-settings",
  scope: ["read"],
  ofAgents: "path",
  operationId: "getAgentWidgetSettings",
  summary: "Get who may talk to an agent through a widget",
  description:
    "By default, auth_mode is `both` and the widget is enabled. `who` is still `signed_in` while the agent's own auth_mode is " +
    "`authenticated`, which is the default of a new agent.",
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
    "Fields left out stay as they are. `who` sets the auth_mode of the widget and of the agent in one write, if " +
    "it differs from the current one, so you can send back what you read. If-Match refers to the revision of " +
    "these settings.",
  params,
  body: agentWidgetChanges,
  revised: true,
  status: 200,
  response: agentWidgetSettings,
  errors: {
    404: "unknown agent",
    409: "`changing`: another request is changing who may chat",
  },
});
