import type { Migration } from "../../kernel/durable/migrate.ts";
import {
  USAGE_SUMS,
  type UsageGroup,
  type UsageQuery,
  type UsageRow,
  type UsageSum,
} from "../../records/ledger/usage.ts";
import type { Reached } from "./budget-events.ts";
import { BudgetPots } from "./budget-pots.ts";
import {
  appliesTo,
  type Budget,
  type BudgetPeriod,
  type BudgetUnit,
  type Measure,
  measureOf,
  type Payer,
  periodEnd,
  periodStart,
  WHOLE,
} from "./budget-rules.ts";

/** The budgets that have taken over what was used before them. Those that had counted before need not. */
export const BUDGET_STARTS: Migration = {
  id: "budget-starts",
  sql: `
    CREATE TABLE budget_starts (budget TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO budget_starts SELECT DISTINCT budget FROM budget_pots;
  `,
};

interface Dependencies {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** What the account's ledger has counted. */
  counted(query: UsageQuery): Promise<UsageRow[]>;
  /** A share of a limit was reached, in the transaction of what reaches it. */
  reached(reached: Reached): void;
}

/** Most agents, campaigns and keys together whose use is read at once. */
const MAX_GROUPS = 100_000;
/** What the ledger calls what a unit counts. */
const SUMS: Record<BudgetUnit, UsageSum[]> = {
  tokens: ["input_tokens", "output_tokens"],
  call_minutes: ["talk_ms"],
  usd_micros: ["cost_micros"],
};

/**
 * What of budgets the account's ledger has on record: a new budget takes over once what was used in its period before;
 * costs, which are known when a conversation has ended, are always read there.
 */
export class RecordedUse {
  readonly #deps: Dependencies;
  readonly #pots: BudgetPots;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#pots = new BudgetPots(deps.storage.sql, (reached) => deps.reached(reached));
  }

  /** Has new budgets start with what the ledger has counted, and what goes on has settled. */
  async start(budgets: readonly Budget[], now: number): Promise<void> {
    const { sql, transactionSync } = this.#storage;
    const ids = JSON.stringify(budgets.map(({ id }) => id));
    sql.exec("DELETE FROM budget_starts WHERE budget NOT IN (SELECT value FROM json_each(?))", ids);
    for (const budget of budgets) {
      const measure = measureOf(budget.unit);
      if (measure === null || this.#hasStarted(budget)) continue;
      const counted = await this.#countedOf(budget, now);
      transactionSync(() => {
        if (this.#hasStarted(budget)) return;
        sql.exec("INSERT INTO budget_starts (budget) VALUES (?)", budget.id);
        this.#pots.add([{ budget, share: WHOLE, limit: 0 }], counted + this.#settled(budget, measure), 0, now);
      });
    }
  }

  /** Takes over what conversations have cost in the periods of budgets. */
  async readCosts(budgets: readonly Budget[], now: number): Promise<void> {
    const ofCosts = budgets.filter(({ unit }) => unit === "usd_micros");
    const byPeriod = Map.groupBy(ofCosts, ({ period }) => period);
    for (const [period, some] of byPeriod) {
      const by: UsageGroup[] = ["agent", "campaign", "api_key"];
      const rows = await this.#deps.counted(Object.assign({ by, limit: MAX_GROUPS }, daysOf(period, now)));
      this.#storage.transactionSync(() => {
        for (const budget of some) {
          const used = sumOf(
            rows.filter((row) => applies(budget, row)),
            budget.unit,
          );
          this.#pots.set(budget, used, now);
        }
      });
    }
  }

  get #storage() {
    const { storage } = this.#deps;
    return { sql: storage.sql, transactionSync: storage.transactionSync.bind(storage) };
  }

  #hasStarted({ id }: Budget): boolean {
    return this.#deps.storage.sql.exec("SELECT 1 FROM budget_starts WHERE budget = ?", id).toArray().length > 0;
  }

  async #countedOf(budget: Budget, now: number): Promise<number> {
    const { scope, scope_id, period, unit } = budget;
    const only = scope === "account" || scope_id === null ? {} : { [`${scope}_id`]: scope_id };
    return sumOf(await this.#deps.counted(Object.assign({ by: [], only, limit: 1 }, daysOf(period, now))), unit);
  }

  /** What those that go on have settled, which the ledger counts when they are over. */
  #settled(budget: Budget, measure: Measure): number {
    const open = this.#deps.storage.sql.exec<{ payer: string; settled: number }>(
      "SELECT payer, settled FROM budget_payers WHERE measure = ? AND settled > 0",
      measure,
    );
    return [...open].reduce((sum, { payer, settled }) => {
      return appliesTo(budget, JSON.parse(payer) as Payer) ? sum + settled : sum;
    }, 0);
  }
}

function daysOf(period: BudgetPeriod, now: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(periodStart(period, now)), to: day(periodEnd(period, now)) };
}

function applies({ scope, scope_id }: Budget, { group: [agent, campaign, api_key] }: UsageRow): boolean {
  if (scope === "account") return true;
  return scope_id === { agent, campaign, api_key, widget_key: undefined }[scope];
}

function sumOf(rows: UsageRow[], unit: BudgetUnit): number {
  const columns = SUMS[unit].map((name) => USAGE_SUMS.indexOf(name));
  return rows.reduce((sum, { sums }) => columns.reduce((total, column) => total + (sums[column] ?? 0), sum), 0);
}
