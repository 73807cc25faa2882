import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { session } from "./session.ts";

const slice = { method: "get", access: "public", limit: "public", tag: "Accounts" } as const;

export const startLogin = endpoint({
  ...slice,
  path: "/api/login",
  scope: [],
  operationId: "startLogin",
  summary: "Start a sign-in at the configured OIDC provider (authorization code with PKCE)",
  description:
    "Redirects the browser to the provider, with a cookie that ties the sign-in to this browser. If the client accepts `text/html`, an error is a page that posts `{error: {status, code, message}}` to the console on the BroadcastChannel `switchboard-login`.",
  query: z.object({
    account: z.string().optional().openapi({
      description: "The account to sign in to. Default: the first open one of the user's accounts at the provider.",
      example: "acme",
    }),
  }),
  status: 302,
  page: true,
  responseHeaders: ["Location"],
  errors: { 400: "not an account name", 404: "no provider is configured", 503: "it cannot be reached" },
});

export const finishLogin = endpoint({
  ...slice,
  path: "/api/login/callback",
  extraQuery: "ignored",
  scope: [],
  operationId: "finishLogin",
  summary: "Receive the browser back from the provider",
  description:
    "Returns the same object as POST /api/login. Clients that accept `text/html`, such as browsers, get a page " +
    "that posts this object to the console on the BroadcastChannel `switchboard-login`. If the sign-in fails, " +
    "the page shows the reason, and the message is `{error: {status, code, message}}`.",
  status: 200,
  response: session,
  page: true,
  errors: {
    400: "the sign-in was not started in this browser, or too long ago",
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
  withoutSecondFactor: true,
  tag: slice.tag,
  scope: [],
  operationId: "logout",
  summary: "End this session",
  description:
    "Ends the session of this token. From the next request on, the token is refused in every account that it " +
    "opens. The user's other sessions continue.",
  status: 204,
});
