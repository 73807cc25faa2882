import { z } from "@hono/zod-openapi";
import { PLANS, type Plan } from "../account-gate/plans.ts";
import { QUOTA_NAMES, type QuotaName } from "../account-gate/quotas.ts";
import { newPassword } from "../auth/password-rule.ts";
import { endpoint } from "../http/endpoint.ts";
import { label, timestamp } from "../http/fields.ts";
import { listOf } from "../http/paging.ts";
import { ACCOUNT_NAME } from "../secrets/api-key.ts";

const accountName = z.string().regex(ACCOUNT_NAME, "must match ^[a-z0-9][a-z0-9_-]{0,62}$");
const plan = z.enum(Object.keys(PLANS) as [Plan, ...Plan[]]);
const cap = z.number().int().min(0).max(1_000_000);
const accountCaps = z.object({ concurrent_calls: cap, calls_per_minute: cap, calls_per_day: cap });
const quota = z.number().int().min(0).max(1_000_000_000_000);
/** An object with each quota's name. */
const byQuota = <S extends z.ZodType>(schema: S) =>
  z.object(Object.fromEntries(QUOTA_NAMES.map((name) => [name, schema])) as Record<QuotaName, S>);
const accountQuotas = byQuota(quota);
const nullableQuotas = byQuota(quota.nullable()).partial();
const keyExpiryDays = z.number().int().min(1).max(3650);

/** As much may a client's clock be ahead of ours. */
const CLOCKS_APART_MS = 300_000;

const retentionDays = z
  .number()
  .int()
  .min(1)
  .max(3650)
  .openapi({ description: "Recordings older than this are deleted." });

const account = z
  .object({
    name: accountName,
    display_name: z.string(),
    plan,
    caps: accountCaps.openapi({ description: "The caps in force." }),
    caps_overrides: accountCaps.partial(),
    quotas: accountQuotas.openapi({ description: "The quotas in force." }),
    quotas_overrides: accountQuotas.partial(),
    max_key_expiry_days: keyExpiryDays.nullable(),
    recording_retention_days: retentionDays,
    listed: z.boolean(),
    disabled: z.boolean(),
    sessions_valid_after: timestamp
      .nullable()
      .openapi({ description: "Console sessions that began before are over, for every user of the account." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Account");

const user = z.object({ id: z.uuid(), email: z.string(), name: z.string(), created_at: timestamp }).openapi("User");
const accountParams = z.object({ account: accountName });
const nullableCaps = z
  .object({ concurrent_calls: cap.nullable(), calls_per_minute: cap.nullable(), calls_per_day: cap.nullable() })
  .partial();

const operator = { tag: "Operator", access: "operator" } as const;

export const listAccounts = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts",
  operationId: "listAccounts",
  summary: "List every account",
  description: "All tenants with their plans, the caps and quotas in force and the overrides behind them.",
  status: 200,
  response: listOf("accounts", account),
});

export const createAccount = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts",
  operationId: "createAccount",
  summary: "Create an account, usable at once",
  description:
    "Seeds the account with the default tools, playbooks and FAQs. A cap or quota that is null or left out is the plan's.",
  body: z.object({
    name: accountName,
    display_name: label.optional(),
    plan: plan.default("starter"),
    listed: z.boolean().default(false),
    caps: nullableCaps.default({}),
    quotas: nullableQuotas.default({}),
    max_key_expiry_days: keyExpiryDays.nullable().default(null),
    recording_retention_days: retentionDays.default(90),
  }),
  status: 201,
  response: account,
});

export const getAccount = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts/{account}",
  operationId: "getAccount",
  summary: "Get an account",
  description: "One tenant with its plan, the caps and quotas in force and the overrides behind them.",
  params: accountParams,
  status: 200,
  response: account,
  errors: { 404: "unknown account" },
});

export const updateAccount = endpoint({
  ...operator,
  method: "patch",
  path: "/api/admin/v1/accounts/{account}",
  operationId: "updateAccount",
  summary: "Change an account's plan, caps, quotas, key policy, retention, listing or standing",
  description:
    "Fields left out stay as they are; a cap or quota of null goes back to the plan's. A quota below what is used takes nothing away: it only keeps it from growing. A disabled account is refused from the next request on, and so are the sessions that `sessions_valid_after` ends: how users of an OIDC provider are signed out. Of `service-admin` that one field can be changed, and nothing else.",
  params: accountParams,
  body: z
    .object({
      display_name: label,
      plan,
      caps: nullableCaps.nullable().openapi({ description: "Merged with those there are; null drops them all." }),
      quotas: nullableQuotas.nullable().openapi({ description: "Merged with those there are; null drops them all." }),
      max_key_expiry_days: keyExpiryDays.nullable(),
      recording_retention_days: retentionDays,
      listed: z.boolean(),
      disabled: z.boolean(),
      sessions_valid_after: z.iso
        .datetime({ offset: true })
        .refine(
          (at) => Date.parse(at) < Date.now() + CLOCKS_APART_MS,
          "must not be ahead: nobody could sign in until then",
        )
        .transform((at) => new Date(at).toISOString())
        .nullable()
        .openapi({
          type: ["string", "null"],
          format: "date-time",
          description:
            "Ends the console sessions of all users of the account that began before, whoever signs them in; null ends none.",
        }),
    })
    .partial(),
  status: 200,
  response: account,
  errors: { 404: "unknown account" },
});

export const listUsers = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts/{account}/users",
  operationId: "listAccountUsers",
  summary: "List an account's users of the embedded identity provider",
  description: "Users who sign in with a password; those of a configured OIDC provider are not listed here.",
  params: accountParams,
  status: 200,
  response: listOf("users", user),
  errors: { 404: "unknown account" },
});

export const createUser = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts/{account}/users",
  operationId: "createAccountUser",
  summary: "Add a user",
  description: "The user can sign in to this account at once. Email addresses are unique within an account.",
  params: accountParams,
  body: z.object({
    email: z
      .email()
      .max(254)
      .transform((email) => email.toLowerCase()),
    password: newPassword,
    name: z.string().max(200).default(""),
  }),
  status: 201,
  response: user,
  errors: { 404: "unknown account" },
});

export const deleteUser = endpoint({
  ...operator,
  method: "delete",
  path: "/api/admin/v1/accounts/{account}/users/{userId}",
  operationId: "deleteAccountUser",
  summary: "Remove a user",
  description:
    "The user can no longer sign in, and tokens that were given before are refused from the next request on.",
  params: accountParams.extend({ userId: z.uuid() }),
  status: 204,
  errors: { 404: "unknown user" },
});

export const signOutUser = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts/{account}/users/{userId}/sign-out",
  operationId: "signOutAccountUser",
  summary: "Sign a user out everywhere",
  description:
    "Every session of the user is over from the next request on, event streams at their next look. The user can sign in again. Users of an OIDC provider are signed out by the account's `sessions_valid_after`.",
  params: accountParams.extend({ userId: z.uuid() }),
  status: 204,
  errors: { 404: "unknown user" },
});

export const rekey = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/rekey",
  operationId: "reencryptSecrets",
  summary: "Seal every stored secret anew under the first of ENCRYPTION_KEYS",
  description: "Call it after a new key was put in front; once `failed` and `left` are 0 the old key can go.",
  status: 200,
  response: z.object({
    resealed: z.number().int(),
    failed: z.number().int().openapi({ description: "No configured key opens these." }),
    left: z.number().int().openapi({ description: "Still to do: call again." }),
  }),
  errors: { 503: "encryption is not available" },
});
