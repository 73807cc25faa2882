import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { code } from "../second-factor/contract.ts";
import { newPassword } from "./password-rule.ts";
import { accountChoice, session } from "./session.ts";

const tag = "Accounts";
const accountName = z.string().openapi({ description: "The account, as `X-Account-ID` names it.", example: "acme" });

export const listPublicAccounts = endpoint({
  method: "get",
  path: "/api/accounts",
  access: "public",
  scope: [],
  limit: "public",
  tag,
  operationId: "listPublicAccounts",
  summary: "List the accounts shown on the sign-in page, and the ways to sign in",
  description:
    "Returns the accounts that an operator marked as listed, with their name and display name, and the " +
    "configured ways to sign in.",
  status: 200,
  response: z.object({
    accounts: z.array(accountChoice).openapi({ description: "The accounts to choose from, by name." }),
    sign_in: z
      .object({
        password: z.boolean().openapi({
          description: "Whether users sign in with a password of the embedded identity provider (login).",
          example: true,
        }),
        identity_provider: z.boolean().openapi({
          description: "Whether users sign in at a configured OIDC provider (startLogin).",
          example: false,
        }),
      })
      .openapi({ description: "How users sign in here." }),
  }),
});

export const validateAccount = endpoint({
  method: "get",
  path: "/api/accounts/validate/{account}",
  access: "public",
  scope: [],
  limit: "public",
  tag,
  operationId: "validateAccount",
  summary: "Check whether an account exists",
  description: "For the sign-in form: `valid` is false for an account that is unknown or disabled.",
  params: z.object({ account: accountName }),
  status: 200,
  response: z.object({
    account: accountName,
    valid: z.boolean().openapi({ description: "Whether users can sign in to it.", example: true }),
  }),
  errors: { 400: "not an account name" },
});

export const login = endpoint({
  method: "post",
  path: "/api/login",
  access: "public",
  scope: [],
  tag,
  operationId: "login",
  summary: "Sign in to the console with the embedded identity provider",
  description:
    "Begins a session and returns its first console token, valid for an hour or less. Send it as `Authorization: " +
    "Bearer` together with `X-Account-ID`, and renew it with the `refresh_token` (refreshSession). Only failures " +
    "are counted. After a few, the next attempt for the user from the same address has to wait, longer each " +
    "time. Other addresses don't wait.",
  body: z.object({
    account: z.string().max(63).openapi({ description: "The account to sign in to.", example: "acme" }),
    email: z.string().max(254).openapi({
      description: "The user's address, in upper or lower case.",
      example: "ada@acme.example",
    }),
    password: z.string().max(1000).openapi({ description: "The user's password.", example: "plum-harbour-violin-42" }),
  }),
  status: 200,
  response: session,
  errors: {
    401: "account, email or password is wrong; or the user has a second factor (`second_factor_required`): the body is then always a problem document, with the `ticket` for loginWithCode",
    403: "account is disabled",
    404: "the embedded identity provider is off",
    429: "too many failures: try again after Retry-After",
    503: "no signing key is configured",
  },
});

export const loginWithCode = endpoint({
  method: "post",
  path: "/api/login/second-factor",
  access: "public",
  scope: [],
  tag,
  operationId: "loginWithCode",
  summary: "Finish a sign-in with a code of the second factor",
  description:
    "A ticket is valid for 5 attempts within 5 minutes. A code from the app works once, within its time step, " +
    "the previous one or the next one. A wrong code counts as a failed sign-in.",
  body: z.object({
    ticket: z.string().max(2048).openapi({
      description: "The `ticket` of the refusal by login.",
      example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhYTViZCJ9.c2lnbmF0dXJl",
    }),
    code,
  }),
  status: 200,
  response: session,
  errors: {
    401:
      "the code is wrong or was already used (`wrong_code`), or the ticket has expired, was used or has no " +
      "attempts left (`ticket_invalid`): sign in again",
    403: "account is disabled",
    429: "too many failures: try again after Retry-After",
    503: "no signing or encryption key is configured",
  },
});

export const changePassword = endpoint({
  method: "post",
  path: "/api/password",
  access: "session",
  scope: [],
  tag,
  operationId: "changePassword",
  summary: "Change your own password",
  description:
    "For users of the embedded identity provider. All other sessions of the user end at once; this one " +
    "continues. A wrong current password counts as a failed sign-in and is delayed like one.",
  body: z.object({
    current_password: z.string().max(1000).openapi({
      description: "The user's current password.",
      example: "copper-lantern-reef-17",
    }),
    new_password: newPassword,
    code: code.optional().openapi({ description: "A code of the second factor, or a recovery code, if there is one." }),
  }),
  status: 204,
  errors: {
    403: "the current password is wrong (`wrong_password`), a code of the second factor is missing or wrong (`second_factor_required`, `wrong_code`), or the password is kept by another identity provider (`external_identity`)",
    409: "the user was changed in the meantime; try again",
  },
});

export const resetPassword = endpoint({
  method: "post",
  path: "/api/password/reset",
  access: "public",
  scope: [],
  tag,
  operationId: "resetPassword",
  summary: "Set a new password with a reset link",
  description:
    "A link works once, within an hour, and only the user's latest link works. All sessions of the user end. A " +
    "second factor stays, and the next sign-in requires it. The client's address counts as one that the user " +
    "signs in from, so failed sign-ins by others do not delay the user there.",
  body: z.object({
    token: z.string().max(256).openapi({
      description: "The part after # in the link's address.",
      example: "acme.mZ0bqXJ3v1s8Yw5TgK2uNc7RfA4dLeHpV9oIxQyBtUk",
    }),
    new_password: newPassword,
  }),
  status: 204,
  errors: {
    400: "the link is unknown, has expired or was already used (`token_invalid`), or the password is easily guessed (`weak_password`)",
    404: "the embedded identity provider is off",
    429: "too many invalid links: try again after Retry-After",
  },
});

export const jwks = endpoint({
  method: "get",
  path: "/.well-known/jwks.json",
  access: "public",
  scope: [],
  limit: "public",
  tag,
  operationId: "getPublicKeys",
  summary: "Get the public keys of the tokens this service signs (RFC 7517)",
  description:
    "For media runtimes and other clients that verify this service's tokens themselves. You can cache the " +
    "response for five minutes.",
  status: 200,
  response: z.object({
    keys: z.array(z.record(z.string(), z.unknown())).openapi({
      description: "JSON Web Keys (EC, P-256), named by `kid`; the first signs, the others still verify.",
      example: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…", kid: "2026-11", alg: "ES256", use: "sig" }],
    }),
  }),
  errors: { 503: "no signing key is configured" },
});
