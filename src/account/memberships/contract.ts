import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { session } from "../auth/session.ts";

export const joinMemberships = endpoint({
  method: "post",
  path: "/api/memberships/join",
  access: "session",
  scope: [],
  tag: "Accounts",
  operationId: "joinMemberships",
  summary: "Open another account of yours in this session",
  description:
    "Joins your session in another account to this one. Both sessions must have begun with a password. The new access token, and those of later renewals, open both accounts by `X-Account-ID`, each with your role there. Each account applies its own sign-in policy and second factor to the way you signed in to it. The join ends when either session or membership ends.",
  body: z.object({
    access_token: z
      .string()
      .max(8192)
      .openapi({
        description:
          "The console token of your session in the other account. You must have signed in there within the last ten " +
          "minutes.",
        example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhYTViZCJ9.c2lnbmF0dXJl",
      }),
  }),
  status: 200,
  response: session.pick({ access_token: true, token_type: true, expires_in: true, account: true, accounts: true }),
  errors: {
    400: "the other token is invalid, belongs to a session that has ended or is older than ten minutes, or is for this account (`token_invalid`)",
    403: "`external_identity`: a session of an identity provider, which itself decides which accounts it opens; or an operator's account",
    409: "ten sessions are already joined (`too_many_joined`)",
    429: "too many invalid tokens: try again after Retry-After",
  },
});
