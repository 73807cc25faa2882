import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { timestamp, uuid } from "../http/fields.ts";
import { secretText } from "../http/secret-fields.ts";
import { widgetSettings } from "./contract.ts";

const clientKey = z
  .string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") })
  .min(1, "is required")
  .max(300)
  .openapi({ example: "pk_live_acme_…" });
const token = z.string().min(1, "is required").max(16_384);
const tag = "Widget";
const page = { access: "public", limit: "public", tag } as const;

/** What of a widget's configuration is the account's; the rest is the service's. */
export const shownConfig = z.object({
  agent: z.object({ id: uuid, name: z.string(), greeting_message: z.string() }).nullable(),
  settings: widgetSettings,
  auth_mode: z.enum(["public", "authenticated", "both"]),
  enabled: z.boolean(),
  guests: z.boolean().openapi({
    description: "Whether a guest would be let through to the agent; where not, ask the visitor to sign in.",
  }),
});

const session = z
  .object({
    access_token: z.string().openapi({ description: "A JWT for the media runtime; verify it by introspection." }),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int().openapi({ description: "Seconds." }),
    refresh_token: z.string().openapi({ description: "Good for one refresh." }),
    visitor: z.object({ id: z.string(), type: z.enum(["guest", "user"]) }),
    agent_id: uuid,
  })
  .openapi("VisitorSession");

export const guest = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/guest",
  operationId: "createGuestSession",
  summary: "Begin a guest's session",
  description:
    "Called by the page that shows the widget: its Origin must be on the key's allowlist, and the agent must take guests.",
  body: z.object({ client_key: clientKey }),
  status: 200,
  response: session,
  errors: { 403: "origin, key, widget or guests not allowed", 429: "too many requests from this address" },
});

export const userToken = endpoint({
  access: "server",
  tag,
  method: "post",
  path: "/api/v1/widget/auth/user-token",
  operationId: "createVisitorToken",
  summary: "Make a visitor token for one of your own users; good once, for two minutes",
  description:
    "Called by your own server with an API key; hand the token to your page, which exchanges it for a session.",
  body: z.object({ client_key: clientKey, user_id: z.string().min(1, "is required").max(255) }),
  status: 200,
  response: z.object({
    visitor_token: secretText({ description: "For one exchange." }),
    expires_in: z.number().int().openapi({ description: "Seconds from now." }),
  }),
});

export const exchange = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/exchange",
  operationId: "exchangeVisitorToken",
  summary: "Turn a visitor token into an identified user's session",
  description: "Called by the page that shows the widget. A token is good once; a second exchange is refused.",
  body: z.object({ visitor_token: token }),
  status: 200,
  response: session,
  errors: { 403: "origin, widget or users not allowed", 429: "too many requests from this address" },
});

export const refresh = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/refresh",
  operationId: "refreshVisitorSession",
  summary: "Renew a session before it expires; the refresh token is replaced",
  description:
    "For the same visitor, and for at most seven days from the sign-in on. A refresh token that comes a second time " +
    "ends the session and all that was renewed from it. What the widget allows now decides, not what it allowed then.",
  body: z.object({ refresh_token: token }),
  status: 200,
  response: session,
  errors: {
    400: "no good refresh token, or the key is disabled or leads to another agent",
    403: "origin, widget or visitor not allowed any more",
    429: "too many requests from this address",
  },
});

export const introspect = endpoint({
  access: "server",
  tag,
  method: "post",
  path: "/api/v1/widget/auth/introspect",
  operationId: "introspectVisitorSession",
  summary: "Tell a media runtime whether a session may be used now, and whose it is",
  description: "Called by a media runtime with an API key of the session's account, when the session is used.",
  body: z.object({ token }),
  status: 200,
  response: z.discriminatedUnion("active", [
    z.object({
      active: z.literal(true),
      sub: z.string(),
      visitor_type: z.enum(["guest", "user"]),
      agent_id: uuid,
      expires_at: timestamp,
    }),
    z.object({
      active: z.literal(false),
      reason: z.enum(["guest_not_allowed", "widget_disabled", "key_disabled", "expired", "invalid"]),
    }),
  ]),
});

export const config = endpoint({
  ...page,
  method: "get",
  path: "/api/v1/widget/config",
  operationId: "getWidgetConfig",
  summary: "Get what a widget shows; may be cached for 60 s",
  description:
    "Called by the page that shows the widget: its Origin must be on the key's allowlist. `agent` is null for a key without one.",
  query: z.object({ client_key: clientKey }),
  status: 200,
  response: shownConfig
    .extend({
      runtime_url: z.string().nullable().openapi({ description: "Where the widget talks to the agent, if anywhere." }),
    })
    .openapi("WidgetConfig"),
  errors: { 403: "origin or key not allowed", 429: "too many requests from this address" },
});
