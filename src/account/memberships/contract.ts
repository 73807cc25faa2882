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
    "Joins the session of another account to this one, both begun with a password: the new access token and those of later renewals open both accounts by `X-Account-ID`, each as the member you are there. Each account applies its own role, sign-in policy and second factor to how you signed in to it. The join ends with either session or membership.",
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
    400: "the other token is invalid, of a session that has ended or is older than ten minutes, or of this account (`token_invalid`)",
    403: "a session of another identity provider, which itself says which accounts it opens (`external_identity`); an operator's account",
    409: "ten sessions are already joined (`too_many_joined`)",
    429: "too many invalid tokens: try again after Retry-After",
  },
});
