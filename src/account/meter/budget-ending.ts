import type { BudgetConsumers, ConsumerRow } from "./budget-consumers.ts";
import type { BudgetPots } from "./budget-pots.ts";
import type { Pot } from "./budget-rules.ts";

interface Dependencies {
  pots: BudgetPots;
  consumers: BudgetConsumers;
  potsOf(row: Pick<ConsumerRow, "consumer" | "measure">): Pot[];
}

/** Closes the live consumers of budgets that are used up. */
export class BudgetEnding {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Marks all consumers of these pots for closing, within the caller's transaction. */
  end(full: Pot[], now: number): void {
    if (full.length === 0) return;
    const { pots, consumers, potsOf } = this.#deps;
    const isFull = new Set(full.map(nameOf));
    pots.reached(full, now);
    for (const row of consumers.open())
      if (potsOf(row).some((pot) => isFull.has(nameOf(pot)))) consumers.markToClose(row.id);
  }
}

function nameOf({ budget, share }: Pot): string {
  return `${budget.id} ${share}`;
}
