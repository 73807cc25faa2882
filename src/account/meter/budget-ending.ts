import type { BudgetPayers, PayerRow } from "./budget-payers.ts";
import type { BudgetPots } from "./budget-pots.ts";
import type { Pot } from "./budget-rules.ts";

interface Dependencies {
  pots: BudgetPots;
  payers: BudgetPayers;
  /** The pots that a payer draws on. */
  potsOf(row: Pick<PayerRow, "payer" | "measure">): Pot[];
}

/** Ends the live payers of budgets that have no room left. */
export class BudgetEnding {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Marks all payers of these pots to be closed, in the caller's transaction. */
  end(full: Pot[], now: number): void {
    if (full.length === 0) return;
    const { pots, payers, potsOf } = this.#deps;
    const isFull = new Set(full.map(nameOf));
    pots.reached(full, now);
    for (const row of payers.open()) if (potsOf(row).some((pot) => isFull.has(nameOf(pot)))) payers.markToClose(row.id);
  }
}

function nameOf({ budget, share }: Pot): string {
  return `${budget.id} ${share}`;
}
