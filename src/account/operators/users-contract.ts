import { z } from "@hono/zod-openapi";
import { USER_SOURCES } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { ROLES } from "../../kernel/scopes.ts";
import { newPassword } from "../auth/password-rule.ts";
import { accountParams, operator } from "./contract.ts";

const userId = idOf("user", "The user's id; the audit log shows it as `console:<id>`.");
const userName = z.string().max(200).openapi({
  description: "The user's name, up to 200 characters; may be empty.",
  example: "Ada Byron",
});
const role = z.enum(ROLES).openapi({
  description:
    "The user's role: `owner` and `admin` may do everything (only owners make owners), `builder` may build, " +
    "connect and listen, `operator` may dial and listen, `analyst` may listen, `viewer` may only read.",
  example: "owner",
});
const user = z
  .object({
    id: userId,
    email: z.string().openapi({
      description:
        "In lower case; unique among the account's users who sign in with a password. May be empty where a provider names none.",
      example: "ada@acme.example",
    }),
    name: userName,
    role,
    source: z.enum(USER_SOURCES).openapi({
      description: "How the user signs in: with a `password`, or at the configured provider (`oidc`).",
      example: "password",
    }),
    created_at: createdAt,
  })
  .openapi("User");

export const listUsers = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts/{account}/users",
  scope: [],
  operationId: "listAccountUsers",
  summary: "List an account's users",
  description:
    "Returns users who sign in with a password, and users who have signed in through the configured OIDC " +
    "provider, ordered by email address.",
  params: accountParams,
  status: 200,
  response: listOf("users", user),
  errors: { 404: "unknown account" },
});

export const createUser = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts/{account}/users",
  scope: [],
  operationId: "createAccountUser",
  summary: "Add a user",
  description: "The user can sign in to this account at once. Email addresses are unique within an account.",
  params: accountParams,
  body: z.object({
    email: z
      .email()
      .max(254)
      .transform((email) => email.toLowerCase())
      .openapi({
        description: "The address that the user signs in with; unique in the account, ignoring case.",
        example: "ada@acme.example",
      }),
    password: newPassword,
    name: userName.default(""),
    role: role.default("owner"),
  }),
  status: 201,
  response: user,
  errors: { 404: "unknown account" },
});

export const deleteUser = endpoint({
  ...operator,
  method: "delete",
  path: "/api/admin/v1/accounts/{account}/users/{userId}",
  scope: [],
  operationId: "deleteAccountUser",
  summary: "Remove a user",
  description: "The user can no longer sign in, and the user's tokens are refused from the next request on.",
  params: accountParams.extend({ userId }),
  status: 204,
  errors: { 404: "unknown user" },
});

export const signOutUser = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts/{account}/users/{userId}/sign-out",
  scope: [],
  operationId: "signOutAccountUser",
  summary: "Sign a user out everywhere",
  description:
    "All sessions of the user end with the next request, and event streams end at their next check. The user can " +
    "sign in again. Users of an OIDC provider are signed out by the account's `sessions_valid_after`.",
  params: accountParams.extend({ userId }),
  status: 204,
  errors: { 404: "unknown user" },
});
