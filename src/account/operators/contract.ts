import { z } from "@hono/zod-openapi";
import { RECORDINGS_STAY_DAYS } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { createdAt, timestamp, updatedAt } from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { PLAN_NAMES } from "../../phone/call-limits/plans.ts";
import { displayName } from "../account-names.ts";
import { eachQuota, QUOTA_MEANINGS, QUOTAS } from "../plan/quotas.ts";

export const accountName = z.string().regex(ACCOUNT_NAME, "must match ^[a-z0-9][a-z0-9_-]{0,62}$").openapi({
  description: "The account's name: in every key's prefix and in `X-Account-ID`. It never changes.",
  example: "acme",
});
const plan = z.enum(PLAN_NAMES).openapi({
  description: "The plan, which sets every cap and quota that is not overridden.",
  example: "growth",
});
const cap = z.number().int().min(0).max(1_000_000);
const CAPS = {
  concurrent_calls: { description: "Maximum concurrent calls.", example: 25 },
  calls_per_minute: { description: "Maximum calls started within any 60 seconds.", example: 120 },
  calls_per_day: { description: "Maximum calls started within a UTC day.", example: 5000 },
};
const byCap = <S extends z.ZodType>(schema: S) =>
  z.object({
    concurrent_calls: schema.openapi(CAPS.concurrent_calls),
    calls_per_minute: schema.openapi(CAPS.calls_per_minute),
    calls_per_day: schema.openapi(CAPS.calls_per_day),
  });
const accountCaps = named("AccountCaps", "Call caps of an account.", byCap(cap));
const capOverrides = named("CapOverrides", "Caps that override the plan's.", byCap(cap).partial());
const nullableCaps = named(
  "CapChanges",
  "Caps to override; null restores the plan's.",
  byCap(cap.nullable()).partial(),
);
const quota = z.number().int().min(0).max(1_000_000_000_000);
const byQuota = <S extends z.ZodType>(schema: S) =>
  z.object(eachQuota((name) => schema.openapi({ description: QUOTA_MEANINGS[name], example: QUOTAS[name].growth })));
const accountQuotas = named(
  "AccountQuotas",
  "How many of each thing an account may have, by quota name.",
  byQuota(quota),
);
const quotaOverrides = named("QuotaOverrides", "Quotas that override the plan's.", byQuota(quota).partial());
const nullableQuotas = named(
  "QuotaChanges",
  "Quotas to override; null restores the plan's.",
  byQuota(quota.nullable()).partial(),
);
const planOffer = z
  .object({
    name: plan,
    caps: accountCaps.openapi({ description: "Call caps of an account on this plan." }),
    quotas: accountQuotas.openapi({ description: "Quotas of an account on this plan." }),
  })
  .openapi("Plan");
const keyExpiryDays = z.number().int().min(1).max(3650).nullable().openapi({
  description: "The maximum lifetime of a new API key, in days; null for no maximum.",
  example: 365,
});

/** How far a client's clock may be ahead of the service's, ms. */
const CLOCKS_APART_MS = 300_000;

const retentionDays = z
  .number()
  .int()
  .min(1)
  .max(RECORDINGS_STAY_DAYS)
  .openapi({
    description:
      "The number of days after which recordings are deleted, from 1 to 36500; 36500 means that they are kept. The " +
      "account can change it (updatePrivacy).",
    example: 90,
  });

const listed = z.boolean().openapi({
  description: "Whether the sign-in page lists the account publicly (listPublicAccounts).",
  example: false,
});
const disabled = z.boolean().openapi({
  description: "Whether the account is disabled: every token and key is refused with 403, and calls are not answered.",
  example: false,
});

const account = z
  .object({
    name: accountName,
    display_name: displayName,
    plan,
    caps: accountCaps.openapi({ description: "The caps in force: the plan's, with the overrides applied." }),
    caps_overrides: capOverrides.openapi({ description: "The caps that override the plan's." }),
    quotas: accountQuotas.openapi({ description: "The quotas in force: the plan's, with the overrides applied." }),
    quotas_overrides: quotaOverrides.openapi({ description: "The quotas that override the plan's." }),
    max_key_expiry_days: keyExpiryDays,
    recording_retention_days: retentionDays,
    listed,
    disabled,
    sessions_valid_after: timestamp.nullable().openapi({
      description:
        "Console sessions that started before this time have ended, for every user of the account; null for none.",
      example: null,
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Account");

/** The number of days before today for which an account's use is shown. */
export const SHOWN_DAYS = 30;

const tally = z.number().int().min(0);
const accountDay = named(
  "AccountDay",
  "The activity of an account on a day (UTC).",
  z.object({
    day: z.iso.date().openapi({ description: "The day, in UTC.", example: "2026-11-23" }),
    calls: tally.openapi({ description: "Calls created on the day.", example: 412 }),
    answered: tally.openapi({ description: "The number of these calls that a person answered.", example: 268 }),
    minutes: tally.openapi({
      description:
        "The talk time of these calls, from the answer to the end, in whole minutes. Includes only calls that have ended.",
      example: 531,
    }),
    conversations: tally.openapi({ description: "Conversations, on calls, in widgets and in tests.", example: 290 }),
    input_tokens: tally.openapi({
      description: "Tokens that models read in those conversations.",
      example: 1_204_000,
    }),
    output_tokens: tally.openapi({ description: "Tokens that models wrote.", example: 88_000 }),
    tool_runs: tally.openapi({ description: "Tool runs in those conversations.", example: 74 }),
  }),
);

const accountDetail = account
  .extend({
    days: z.array(accountDay).openapi({
      description: `The account's activity on each of the last ${SHOWN_DAYS} days and today, newest first, at most a minute old. Days without activity are left out.`,
    }),
  })
  .openapi("AccountDetail");

export const accountParams = z.object({ account: accountName });

/** The properties that all operators' endpoints share. */
export const operator = { tag: "Operator", access: "operator" } as const;

export const listPlans = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/plans",
  scope: [],
  operatorScopes: ["accounts"],
  operationId: "listPlans",
  summary: "List the plans",
  description: "The caps and quotas of each plan, smallest first. They apply to an account unless overridden.",
  status: 200,
  response: listOf("plans", planOffer),
});

export const listAccounts = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts",
  scope: [],
  operatorScopes: ["accounts", "backup"],
  operationId: "listAccounts",
  summary: "List every account",
  description:
    "Returns all accounts with their plans, current caps and quotas, and overrides. An operator token sees only " +
    "the accounts that it is for.",
  status: 200,
  response: listOf("accounts", account),
});

export const createAccount = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/accounts",
  scope: [],
  operatorScopes: ["accounts"],
  operationId: "createAccount",
  summary: "Create an account, usable at once",
  description:
    "Creates the account with the default tools, playbooks and FAQs. Caps and quotas that are null or left out " +
    "come from the plan.",
  body: z.object({
    name: accountName,
    display_name: displayName.optional().openapi({
      description: "The account's display name, one line of up to 80 characters. Default: the name.",
    }),
    plan: plan.default("starter"),
    listed: listed.default(false),
    caps: nullableCaps.default({}).openapi({ description: "Caps that override the plan's." }),
    quotas: nullableQuotas.default({}).openapi({ description: "Quotas that override the plan's." }),
    max_key_expiry_days: keyExpiryDays.default(null),
    recording_retention_days: retentionDays.default(90),
  }),
  status: 201,
  response: account,
  errors: { 409: "an account with this name was deleted (`name_reserved`)" },
});

export const getAccount = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/accounts/{account}",
  scope: [],
  operatorScopes: ["accounts"],
  operationId: "getAccount",
  summary: "Get an account",
  description: "Returns an account with its plan, current caps and quotas, overrides, and recent activity.",
  params: accountParams,
  status: 200,
  response: accountDetail,
  errors: { 404: "unknown account" },
});

export const updateAccount = endpoint({
  ...operator,
  method: "patch",
  path: "/api/admin/v1/accounts/{account}",
  scope: [],
  operatorScopes: ["accounts"],
  operationId: "updateAccount",
  summary: "Change an account's plan, caps, quotas, key policy, retention or listing, or disable it",
  description:
    "Fields left out stay as they are; null restores the plan's cap or quota. A quota below current use deletes " +
    "nothing and only prevents growth. A disabled account is refused from the next request on, and so are the " +
    "sessions that `sessions_valid_after` ends. Use it to sign out users of an OIDC provider. " +
    "`sessions_valid_after` is the only field of `service-admin` that can be changed. An operator token can only " +
    "change `plan`, `caps` and `quotas`.",
  params: accountParams,
  body: z
    .object({
      display_name: displayName,
      plan,
      caps: nullableCaps
        .nullable()
        .openapi({ description: "Caps to override, by name; null restores the plan's, for one cap or for all." }),
      quotas: nullableQuotas
        .nullable()
        .openapi({ description: "Quotas to override, by name; null restores the plan's, for one quota or for all." }),
      max_key_expiry_days: keyExpiryDays,
      recording_retention_days: retentionDays,
      listed,
      disabled,
      sessions_valid_after: z.iso
        .datetime({ offset: true })
        .refine(
          (at) => Date.parse(at) < Date.now() + CLOCKS_APART_MS,
          "must not be in the future: nobody could sign in until then",
        )
        .transform((at) => new Date(at).toISOString())
        .nullable()
        .openapi({
          type: ["string", "null"],
          format: "date-time",
          description:
            "Ends all console sessions of the account that started before this time, whichever provider signed the user in; null ends none.",
          example: null,
        }),
    })
    .partial(),
  status: 200,
  response: account,
  errors: {
    404: "unknown account",
    409:
      "the account cannot be opened, because its restore is not complete (`restoring`) or it will be deleted " +
      "(`to_be_deleted`)",
  },
});
