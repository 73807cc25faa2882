import type { AccountStore } from "../../kernel/db/account-store.ts";
import { auditLog, budgets, widgetKeys } from "../../kernel/db/schema/index.ts";
import type { PendingWarning } from "./budget-pots.ts";
import type { BudgetConfiguration } from "./budgets.ts";
import { limitsOf } from "./key-limits.ts";

/** The configuration that the meter counts against, in one D1 round trip. */
export async function readBudgets(store: AccountStore): Promise<BudgetConfiguration> {
  const [rows, keys] = await store.read(store.select(budgets), store.select(widgetKeys, { columns: ["id", "limits"] }));
  return {
    budgets: rows.map(({ id, scope, scope_id, period, unit, limit, warn_at, action }) => {
      return { id, scope, scope_id, period, unit, limit, warn_at, action };
    }),
    widgetKeys: Object.fromEntries(keys.map(({ id, limits }) => [id, limitsOf(limits)])),
  };
}

/** Brings a warning to the audit log; a repeated one changes nothing. */
export async function noteWarning(store: AccountStore, warning: PendingWarning): Promise<void> {
  const { id, at, budget, share, used } = warning;
  const entry = {
    id,
    at: new Date(at).toISOString(),
    actor: "system:budgets",
    action: share < 1 ? "warn" : "reach",
    resource: "budget",
    resource_id: budget,
    request_id: "",
    changes: { share: { from: null, to: share }, used: { from: null, to: used } },
  };
  await store.record(store.upsertMany(auditLog, [entry], { target: [auditLog.account, auditLog.id], columns: ["at"] }));
}
