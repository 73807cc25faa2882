import { OpenAPIHono } from "@hono/zod-openapi";
import { and, asc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { agents, apiKeys, budgets as budgetTable, campaigns } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { whyUnchanged } from "../../kernel/http/if-match.ts";
import { serve } from "../../kernel/http/serve.ts";
import { periodEnd, perUnit } from "../meter/budget-rules.ts";
import * as contract from "./contract.ts";
import { unknownPrices } from "./unknown-prices.ts";

type BudgetRow = typeof budgetTable.$inferSelect;

/** The tables of the resources to which a budget may apply, besides the account. */
const SCOPES = { agent: agents, campaign: campaigns, api_key: apiKeys };

export const budgets = new OpenAPIHono<AppEnv>();

serve(budgets, contract.listBudgets, async ({ env, store, now }) => {
  const [[rows], used] = await Promise.all([
    store.read(store.select(budgetTable, { orderBy: [asc(budgetTable.created_at), asc(budgetTable.id)] })),
    accountMeter(env, store.account).budgetUse(),
  ]);
  return { budgets: rows.map((row) => budgetOf(row, used[row.id], now)) };
});

serve(
  budgets,
  contract.createBudget,
  async ({ env, store, principal, body, now, newId }) => {
    const { scope, scope_id = null, unit, action } = body;
    if (unit === "usd_micros") assertWarns(action);
    const unknown = unit === "usd_micros" ? await unknownPrices({ env, store, now }, { scope, scope_id }) : [];
    const at = new Date(now).toISOString();
    const row = Object.assign({}, body, {
      scope_id,
      id: newId(),
      created_by: principal.subject,
      created_at: at,
      updated_at: at,
    });
    const statement = insertion(store, row);
    if (unknown.length > 0)
      throw conflict("no_price", `no price is known for ${unknown.join(", ")}: set it with PATCH /api/v1/prices`);
    const [, created] = await store.write(
      { action: "create", resource: "budget", resource_id: row.id },
      statement,
      store.first(budgetTable, { where: eq(budgetTable.id, row.id) }),
    );
    if (!created) throw invalidField("scope_id", "unknown_scope", `no such ${scope.replace("_", " ")}`);
    return budgetOf(created, await useOf(env, store, row.id), now);
  },
  async ({ env, store, now }, id) => {
    const row = await find(store, id);
    return row ? budgetOf(row, await useOf(env, store, id), now) : null;
  },
);

serve(budgets, contract.getBudget, async ({ env, store, params: { id }, now }) => {
  const [row, used] = await Promise.all([find(store, id), useOf(env, store, id)]);
  if (!row) throw notFound("budget");
  return budgetOf(row, used, now);
});

serve(budgets, contract.updateBudget, async ({ env, store, params: { id }, body, now, ifMatch }) => {
  const isBudget = eq(budgetTable.id, id);
  const { action = "warn" } = body;
  const mayHave = action === "warn" ? isBudget : (and(isBudget, ne(budgetTable.unit, "usd_micros")) ?? isBudget);
  const marks = { updated_at: new Date(now).toISOString() };
  const entry = {
    action: "update",
    resource: "budget",
    resource_id: id,
    changes: changedColumns(budgetTable, body),
  } as const;
  const [[row]] = await store.write(entry, store.reviseIfOther(budgetTable, body, marks, mayHave, ifMatch));
  if (!row && (await find(store, id))?.unit === "usd_micros") assertWarns(action);
  if (!row) throw await whyUnchanged(store, budgetTable, isBudget, "budget");
  return budgetOf(row, await useOf(env, store, id), now);
});

serve(budgets, contract.deleteBudget, async ({ store, params: { id } }) => {
  const entry = { action: "delete", resource: "budget", resource_id: id } as const;
  const [deleted] = await store.write(entry, store.delete(budgetTable, eq(budgetTable.id, id)));
  if (deleted.length === 0) throw notFound("budget");
});

/**
 * Returns the write that inserts a budget if its scope exists.
 * @throws ApiError 400 if it names too many or too few resources
 */
function insertion(store: AccountStore, row: Omit<BudgetRow, "account" | "revision" | "updated_by" | "revised_at">) {
  const { scope, scope_id } = row;
  if (scope === "account") {
    if (scope_id !== null) throw invalidField("scope_id", "scope_id_unexpected", "must be left out for the account");
    return store.insert(budgetTable, row);
  }
  if (scope_id === null) throw invalidField("scope_id", "scope_id_needed", `must name the ${scope.replace("_", " ")}`);
  const of = SCOPES[scope];
  const isThere: SQL = eq(of.id, scope_id);
  const values = {
    scope_id,
    limit: sql`${row.limit}`,
    warn_at: JSON.stringify(row.warn_at),
    revision: sql`1`,
    updated_by: sql`NULL`,
    revised_at: sql`NULL`,
  };
  return store.insertSelected(budgetTable, of, isThere, Object.assign({}, row, values));
}

/**
 * @throws ApiError 400 if a budget of costs does more than warn, because a conversation's cost is only known after its
 * end
 */
function assertWarns(action: BudgetRow["action"]): void {
  if (action !== "warn") throw invalidField("action", "only_warns", "must be warn: a budget of costs can only warn");
}

async function find(store: AccountStore, id: string): Promise<BudgetRow | undefined> {
  const [row] = await store.read(store.first(budgetTable, { where: eq(budgetTable.id, id) }));
  return row;
}

async function useOf(env: Pick<Env, "ACCOUNT_METER">, { account }: AccountStore, id: string): Promise<number> {
  return (await accountMeter(env, account).budgetUse())[id] ?? 0;
}

/** Returns a budget in its API form. `used` is in the meter's measure. */
function budgetOf(row: BudgetRow, used: number | undefined, now: number) {
  const inUnit = Math.round(((used ?? 0) / perUnit(row.unit)) * 100) / 100;
  const resets_at = new Date(periodEnd(row.period, now)).toISOString();
  return Object.assign({}, row, { used: inUnit, resets_at });
}
