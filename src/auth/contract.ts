import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { session } from "./session.ts";

const slice = { method: "get", access: "public", limit: "public", tag: "Accounts" } as const;

export const startLogin = endpoint({
  ...slice,
  path: "/api/login",
  operationId: "startLogin",
  summary: "Begin a sign-in at the configured OIDC provider (authorization code with PKCE)",
  description:
    "Sends the browser on to the provider, and remembers in a cookie that the sign-in was begun in this browser.",
  query: z.object({
    account: z.string().optional().openapi({
      description: "The account to sign in to; left out, the first open one of those the provider says are the user's.",
      example: "acme",
    }),
  }),
  status: 302,
  responseHeaders: ["Location"],
  errors: { 400: "not an account name", 404: "no provider is configured", 503: "it cannot be reached" },
});

export const finishLogin = endpoint({
  ...slice,
  path: "/api/login/callback",
  extraQuery: "ignored",
  operationId: "finishLogin",
  summary: "Where the provider sends the browser back to",
  description:
    "Answers as POST /api/login does. A browser gets a page that hands the same object to the console: a message on the BroadcastChannel `switchboard-login`. Where nothing comes of the sign-in, it gets a page that says why, and the message is `{error: {status, code, message}}`.",
  status: 200,
  response: session,
  errors: {
    400: "the sign-in was not begun in this browser, or too long ago",
    401: "the provider refused",
    403: "the account is disabled, or not this user's",
    404: "no provider is configured",
    503: "the provider cannot be reached",
  },
});

export const logout = endpoint({
  method: "post",
  path: "/api/logout",
  access: "session",
  tag: slice.tag,
  operationId: "logout",
  summary: "End this session",
  description:
    "Ends the session of this token: it is refused from the next request on, in every account that it opens. Other sessions of the user stay.",
  status: 204,
});
