import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { ROLES, SCOPE_WORDS, SCOPES } from "../../kernel/scopes.ts";
import { accountName, session } from "./session.ts";

const tag = "Accounts";
const sessionId = idOf("session", "The session's id.");

export const refreshSession = endpoint({
  method: "post",
  path: "/api/session/refresh",
  access: "public",
  scope: [],
  tag,
  operationId: "refreshSession",
  summary: "Renew a console session",
  description:
    "Exchanges a refresh token for a new access token and a new refresh token; the old access token stays valid " +
    "until it expires. A session ends 12 hours after the sign-in, or after 2 hours without being used; the " +
    "account's sign-in policy may shorten both. A refresh token works once. If several requests use the same " +
    "token, one succeeds, and any other ends the session with its live streams and conversations, because one of " +
    "the two senders must have stolen the token.",
  body: z.object({
    refresh_token: z.string().max(8192).openapi({
      description: "The latest `refresh_token` of the session.",
      example: "eyJhbGciOiJFUzI1NiJ9.eyJzaWQiOiIwMTlhYTVjMyJ9.c2lnbmF0dXJl",
    }),
  }),
  status: 200,
  response: session,
  errors: {
    401: "the session has ended, or the refresh token is invalid or was already used (`token_invalid`): sign in again",
    403: "account is disabled",
    429: "too many invalid tokens: try again after Retry-After",
    503: "no signing key is configured",
  },
});

const currentSession = z
  .object({
    account: accountName,
    user_id: z.string().openapi({
      description: "The user's id; with another identity provider its `sub`.",
      example: EXAMPLE_IDS.user,
    }),
    role: z.enum(ROLES).openapi({ description: "The user's role in the account, as it is now.", example: "builder" }),
    scopes: z.array(z.enum(SCOPES)).openapi({
      description: `What the role may do. ${SCOPES.map((scope) => `\`${scope}\`: ${SCOPE_WORDS[scope]}`).join("; ")}.`,
      example: ["read", "listen", "build", "connect"],
    }),
  })
  .openapi("CurrentSession");

export const getSession = endpoint({
  method: "get",
  path: "/api/session",
  access: "session",
  withoutSecondFactor: true,
  scope: [],
  tag,
  operationId: "getSession",
  summary: "Get your role in the account",
  description:
    "Returns the user, and the user's scopes in the account that `X-Account-ID` names. The `x-scope` of an " +
    "operation lists the scopes that it requires.",
  status: 200,
  response: currentSession,
});

const ownSession = z
  .object({
    id: sessionId,
    device: z.string().openapi({
      description: "The browser and system that last renewed it, in a few words; may be empty.",
      example: "Firefox on Linux",
    }),
    address: z.string().openapi({
      description: "The address that last renewed it: an IPv4 address, or the /64 network of an IPv6 address.",
      example: "198.51.100.7",
    }),
    created_at: timestamp.openapi({ description: "When the user signed in (UTC)." }),
    last_seen_at: timestamp.openapi({
      description: "When it was last used (UTC), as far as known; at least when it was last renewed.",
      example: "2026-11-21T10:05:12.480Z",
    }),
    current: z.boolean().openapi({ description: "Whether it is the session of this request.", example: true }),
  })
  .openapi("OwnSession");

export const listSessions = endpoint({
  method: "get",
  path: "/api/sessions",
  access: "session",
  scope: [],
  tag,
  operationId: "listSessions",
  summary: "List your own console sessions",
  description: "Returns the user's current sessions that began with a password, latest sign-in first.",
  status: 200,
  response: listOf("sessions", ownSession),
});

export const endSession = endpoint({
  method: "delete",
  path: "/api/sessions/{id}",
  access: "session",
  scope: [],
  tag,
  operationId: "endSession",
  summary: "End one of your own console sessions",
  description: "From the next request on, its tokens are refused. Its streams, uploads and conversations are closed.",
  params: z.object({ id: sessionId }),
  status: 204,
  errors: { 404: "no such session of this user" },
});
