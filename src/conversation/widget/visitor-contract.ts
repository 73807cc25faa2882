import { z } from "@hono/zod-openapi";
import { SIGN_IN_SCOPES } from "../../account/visitors/signer.ts";
import { widgetSettings } from "../../account/visitors/widget-fields.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { authMode } from "./settings-contract.ts";

const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwYzhkNWUzZiJ9.c2lnbmF0dXJl";
/** The most characters of a widget key, of a user's id and of a token in requests. */
export const MAX_CLIENT_KEY_CHARS = 300;
export const MAX_USER_ID_CHARS = 255;
export const MAX_TOKEN_CHARS = 16_384;
const clientKey = z
  .string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") })
  .min(1, "is required")
  .max(MAX_CLIENT_KEY_CHARS)
  .openapi({
    description: "The widget key (`pk_live_…`) of the page; it determines the account and the agent.",
    example: "pk_live_acme_8dQ2sVnY5tKf0WxB7mJzLc4RgEh1Pa6uT9b3Lk9QwE",
  });
const token = z.string().min(1, "is required").max(MAX_TOKEN_CHARS).openapi({ example: jwt });
const tag = "Widget";
const page = { access: "public", limit: "public", tag } as const;

/** The account's part of a widget's configuration; the rest is the service's. */
export const shownConfig = z.object({
  agent: z
    .object({
      id: idOf("agent", "The id of the agent that answers in the widget."),
      name: z.string().openapi({ description: "The agent's name in the widget.", example: "Reception" }),
      greeting_message: z.string().openapi({
        description:
          "The agent's first words, to show before the conversation begins: the disclosure if the account requires " +
          "one, otherwise its greeting; empty for none.",
        example: "Good morning! How can I help you?",
      }),
      language: z.string().openapi({
        description: "The language to listen and speak in when a conversation begins (BCP 47).",
        example: "de-DE",
      }),
    })
    .nullable()
    .openapi({ description: "The agent that visitors talk to; null for a key without an agent." }),
  settings: widgetSettings.openapi({ description: "How the widget looks." }),
  auth_mode: authMode,
  enabled: z.boolean().openapi({
    description: "Whether to show the widget. If not, no session can start.",
    example: true,
  }),
  guests: z.boolean().openapi({
    description: "Whether guests may talk to the agent; if not, ask the visitor to sign in.",
    example: true,
  }),
});

const visitorType = z.enum(["guest", "user"]).openapi({
  description: "Whether the visitor is unknown (`guest`) or identified by your server (`user`).",
  example: "guest",
});
const visitorId = z.string().openapi({
  description: "For a guest, an id created with the session; for a user, the `user_id` that your server sent.",
  example: EXAMPLE_IDS.visitor,
});
const session = z
  .object({
    access_token: z.string().openapi({
      description:
        "The token that the widget sends to the runtime: a JWT (ES256). A runtime of your own verifies it by " +
        "introspection.",
      example: jwt,
    }),
    token_type: z.literal("Bearer").openapi({ description: "How it is sent: `Authorization: Bearer`." }),
    expires_in: z.number().int().openapi({
      description: "How many seconds the access token is valid: 15 minutes, or what is left of the seven days.",
      example: 900,
    }),
    refresh_token: z.string().openapi({
      description: "Valid for one refresh within 24 hours; the response contains the next token.",
      example: jwt,
    }),
    visitor: z.object({ id: visitorId, type: visitorType }).openapi({ description: "Whose session it is." }),
    agent_id: idOf("agent", "The agent that the visitor talks to."),
  })
  .openapi("VisitorSession");

export const guest = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/guest",
  scope: [],
  operationId: "createGuestSession",
  summary: "Start a guest session",
  description:
    "The page that shows the widget calls this. Its Origin must be on the key's allowlist, and the agent must " +
    "allow guests.",
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
  scope: [],
  scopeIfNamed: SIGN_IN_SCOPES,
  ofAgents: "handler",
  operationId: "createVisitorToken",
  summary: "Create a visitor token for one of your own users, valid once, for two minutes",
  description:
    "Your server calls this with an API key and passes the token to your page, which exchanges it for a session. " +
    "An API key limited to agents can only use widget keys pinned to one of them. The user's session ends when " +
    "the API key expires, is disabled or deleted, or loses this permission.",
  body: z.object({
    client_key: clientKey,
    user_id: z
      .string()
      .min(1, "is required")
      .max(MAX_USER_ID_CHARS)
      .refine((id) => id.trim() !== "", "is required")
      .openapi({
        description: "The user's id in your own system, up to 255 characters. It becomes the visitor's id.",
        example: "customer-8213",
      }),
  }),
  status: 200,
  response: z.object({
    visitor_token: secretText({
      description: "The token that your page sends to exchangeVisitorToken, once.",
      example: jwt,
    }),
    expires_in: z.number().int().openapi({ description: "The number of seconds for which it is valid.", example: 120 }),
  }),
});

export const exchange = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/exchange",
  scope: [],
  operationId: "exchangeVisitorToken",
  summary: "Exchange a visitor token for an identified user's session",
  description: "The page that shows the widget calls this. A token works once.",
  body: z.object({
    visitor_token: token.openapi({ description: "The token that createVisitorToken returned to your server." }),
  }),
  status: 200,
  response: session,
  errors: { 403: "origin, widget or users not allowed", 429: "too many requests from this address" },
});

export const refresh = endpoint({
  ...page,
  method: "post",
  path: "/api/v1/widget/auth/refresh",
  scope: [],
  operationId: "refreshVisitorSession",
  summary: "Renew a session before it expires, replacing the refresh token",
  description:
    "Renews the session for the same visitor, up to seven days after the sign-in. If a refresh token is used a " +
    "second time, the session ends with everything that was renewed from it. The widget's current settings apply.",
  body: z.object({ refresh_token: token.openapi({ description: "The latest refresh token of the session." }) }),
  status: 200,
  response: session,
  errors: {
    400:
      "the refresh token is invalid, the widget key is disabled or belongs to another agent, or the API key that " +
      "signed the user in is no longer valid (`key_disabled`)",
    403: "the origin, widget or visitor is no longer allowed",
    429: "too many requests from this address",
  },
});

export const introspect = endpoint({
  access: "server",
  tag,
  method: "post",
  path: "/api/v1/widget/auth/introspect",
  scope: ["runtime"],
  operationId: "introspectVisitorSession",
  summary: "Check whether a visitor's session may be used now, and whose it is",
  description:
    "Media runtimes call this with an API key of the session's account when the session is used. A session of " +
    "createAgentSession belongs to a `user`, whose `sub` is the person who tests the agent, as named in the " +
    "audit log.",
  body: z.object({ token: token.openapi({ description: "The access token that the visitor sent to the runtime." }) }),
  status: 200,
  response: z.discriminatedUnion("active", [
    z.object({
      active: z.literal(true).openapi({ description: "The session may be used." }),
      sub: visitorId,
      visitor_type: visitorType,
      agent_id: idOf("agent", "The agent that the visitor may talk to."),
      expires_at: timestamp.openapi({ description: "When the token expires (UTC)." }),
    }),
    z.object({
      active: z.literal(false).openapi({ description: "The session may not be used." }),
      reason: z.enum(["guest_not_allowed", "widget_disabled", "key_disabled", "expired", "invalid"]).openapi({
        description:
          "The reason: a present setting of the agent, the widget or the key that began the session, or a problem of the token.",
      }),
    }),
  ]),
});

export const config = endpoint({
  ...page,
  method: "get",
  path: "/api/v1/widget/config",
  scope: [],
  operationId: "getWidgetConfig",
  summary: "Get a widget's configuration; may be cached for 60 s",
  description:
    "The page that shows the widget calls this. Its Origin must be on the key's allowlist. `agent` is null for a " +
    "key without one.",
  query: z.object({ client_key: clientKey }),
  status: 200,
  response: shownConfig
    .extend({
      runtime_url: z.string().nullable().openapi({
        description: "The WebSocket address at which the widget talks to the agent; null if there is none.",
        example: "wss://api.example.com/runtime",
      }),
    })
    .openapi("WidgetConfig"),
  errors: { 403: "origin or key not allowed", 429: "too many requests from this address" },
});
