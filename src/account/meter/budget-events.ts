import { type NewEvent, newEvent } from "../../records/events/event.ts";
import { type Budget, periodEnd, perUnit } from "./budget-rules.ts";

/** A share of a budget's limit that was reached at `at` (ms); 1 is the limit itself. */
export interface Reached {
  budget: Budget;
  share: number;
  /** The use in the budget's measure. */
  used: number;
  at: number;
}

/** Returns the event of a reached budget. Implicit budgets, such as the limits of widget keys, have none. */
export function budgetEvents({ budget, share, used, at }: Reached): NewEvent[] {
  const { id: budget_id, scope, scope_id, period, unit, limit } = budget;
  if (scope === "widget_key") return [];
  const type = share < 1 ? "budget.warned" : "budget.reached";
  const data = {
    budget_id,
    scope,
    scope_id,
    period,
    unit,
    limit,
    used: used / perUnit(unit),
    share,
    resets_at: new Date(periodEnd(period, at)).toISOString(),
    url: `/api/v1/budgets/${budget_id}`,
  };
  return [newEvent(type, new Date(at).toISOString(), `${budget_id} ${share}`, data)];
}
