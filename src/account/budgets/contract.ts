import { z } from "@hono/zod-openapi";
import { budgets as columns } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, timestamp, updatedAt, uuid } from "../../kernel/http/fields.ts";

const MAX_WARNINGS = 10;

const id = idOf("budget", "The budget's id.");
const scope = z.enum(columns.scope.enumValues).openapi({
  description:
    "The scope of the budget: the whole `account`, one `agent`, one `campaign`, or everything that one `api_key` " +
    "starts.",
  example: "agent",
});
const scopeId = uuid.nullable().openapi({
  description: "The id of that agent, campaign or API key; null for the whole account.",
  example: EXAMPLE_IDS.agent,
});
const period = z.enum(columns.period.enumValues).openapi({
  description: "When the count starts again: every `day` or every `month`, in UTC.",
  example: "day",
});
const unit = z.enum(columns.unit.enumValues).openapi({
  description:
    "The unit that the budget counts: `tokens` (input plus output, as the model reports them), `call_minutes`, " +
    "`speech_chars` (characters that the agent's own voice speaks in the widget and in tests), or `usd_micros` " +
    "(millionths of a US dollar).",
  example: "tokens",
});
const limit = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).openapi({
  description: "How much may be used in a period, in the budget's unit.",
  example: 2_000_000,
});
const warnAt = z
  .array(z.number().gt(0, "must be above 0").lt(1, "must be below 1"))
  .max(MAX_WARNINGS)
  .transform((shares) => [...new Set(shares)].sort((a, b) => a - b))
  .openapi({
    description:
      "The shares of the limit at which to warn, each above 0 and below 1; up to 10. A warning is an entry in the " +
      "audit log, once for each share and period. Reaching the limit is a separate entry.",
    example: [0.8],
  });
const action = z.enum(columns.action.enumValues).openapi({
  description:
    "What happens when it is reached. `warn`: only the entries. `stop_new`: new conversations and calls are refused " +
    "with 429 `budget_reached` and campaigns pause; live ones may exceed the limit. `end`: the same, and live " +
    "conversations end with a spoken sentence; the limit is never exceeded.",
  example: "stop_new",
});

const budget = z
  .object({
    id,
    scope,
    scope_id: scopeId,
    period,
    unit,
    limit,
    warn_at: z.array(z.number()).openapi({
      description: "The shares of the limit at which a warning is due, in order.",
      example: [0.8],
    }),
    action,
    used: z.number().openapi({
      description:
        "The amount used in the current period, in the budget's unit, including use before the budget was created. " +
        "Costs count when a conversation has ended, if their prices are known.",
      example: 734_120,
    }),
    resets_at: timestamp.openapi({
      description: "When the present period ends (UTC) and `used` is 0 again.",
      example: "2026-11-22T00:00:00.000Z",
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Budget");

const slice = { access: "account", tag: "Budgets" } as const;
const params = z.object({ id });
const unknown = { 404: "unknown budget" };

export const listBudgets = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/budgets",
  scope: ["read"],
  operationId: "listBudgets",
  summary: "List the account's budgets, oldest first",
  description: "Returns all budgets with their use, without paging.",
  status: 200,
  response: z.object({
    budgets: z.array(budget).openapi({ description: "Every budget of the account." }),
  }),
});

export const createBudget = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/budgets",
  scope: ["manage"],
  operationId: "createBudget",
  summary: "Create a budget",
  description:
    "The budget applies at once, and includes what the current period has used so far. If several budgets apply " +
    "to a conversation or call, all of them limit it. Guests of the widget may use half of any budget, those of " +
    "one network a fifth.",
  body: z.object({
    scope,
    scope_id: scopeId.optional(),
    period,
    unit,
    limit,
    warn_at: warnAt.default([0.8]),
    action,
  }),
  status: 201,
  response: budget,
  errors: {
    400:
      "`unknown_scope` for a `scope_id` that does not exist in the account, `scope_id_needed`, " +
      "`scope_id_unexpected`, or `only_warns` for a budget of costs with an action other than `warn`",
    403: "`quota_exceeded`",
    409:
      "`no_price`: costs cannot be budgeted because the price of an item that its agents use is unknown; the " +
      "message names the item",
  },
});

export const getBudget = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/budgets/{id}",
  scope: ["read"],
  operationId: "getBudget",
  summary: "Get a budget",
  description: "Returns the budget with the amount used in the current period.",
  params,
  revised: true,
  status: 200,
  response: budget,
  errors: unknown,
});

export const updateBudget = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/budgets/{id}",
  scope: ["manage"],
  operationId: "updateBudget",
  summary: "Change a budget's limit, warnings or action",
  description:
    "The amount used does not change. To change what a budget counts, or its scope, delete it and create another.",
  params,
  body: z.object({ limit, warn_at: warnAt, action }).partial(),
  revised: true,
  status: 200,
  response: budget,
  errors: Object.assign({ 400: "`only_warns` for a budget of costs with an action other than `warn`" }, unknown),
});

export const deleteBudget = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/budgets/{id}",
  scope: ["manage"],
  operationId: "deleteBudget",
  summary: "Delete a budget",
  description: "The budget no longer applies, and its counts are deleted.",
  params,
  status: 204,
  errors: unknown,
});
