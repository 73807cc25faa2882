import type { Ledger } from "../../records/ledger/ledger.ts";
import { USAGE_SUMS, type UsageGroup, type UsageRow, type UsageSum } from "../../records/ledger/usage.ts";
import type { UsageParts } from "../../records/ledger/usage-parts.ts";
import type { Reached } from "./budget-events.ts";
import type { BudgetLedger } from "./budget-ledger.ts";
import { BudgetPots } from "./budget-pots.ts";
import {
  appliesTo,
  type Budget,
  type BudgetPeriod,
  type BudgetUnit,
  type Measure,
  measureOf,
  periodEnd,
  periodStart,
} from "./budget-rules.ts";
import { callOf } from "./call-budgets.ts";
import { chargedConsumers } from "./past-consumers.ts";
import { spokenIn } from "./speech-budgets.ts";

/** The budgets that already include earlier use. */
export const BUDGET_STARTS = `
  CREATE TABLE budget_starts (budget TEXT PRIMARY KEY) WITHOUT ROWID;
`;

interface Dependencies {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** The reads of the account's ledger. */
  ledger: Pick<Ledger, "usage" | "usageAndParts">;
  /** Called when a share of a limit is reached, in the same transaction. */
  reached(reached: Reached): void;
}

/** The maximum number of agents, campaigns and keys whose use is read at once. */
const MAX_GROUPS = 100_000;
/** The ledger's sums that each unit counts. */
const SUMS: Record<BudgetUnit, UsageSum[]> = {
  tokens: ["input_tokens", "output_tokens"],
  call_minutes: ["talk_ms"],
  speech_chars: ["speech_chars"],
  usd_micros: ["cost_micros"],
};

/**
 * The use that the account's ledger has recorded for budgets. A new budget takes over the earlier use of its period.
 * Costs are always read from the ledger, because they are known only when a conversation has ended.
 */
export class RecordedUse {
  readonly #deps: Dependencies;
  readonly #pots: BudgetPots;
  readonly #consumers: Pick<BudgetLedger, "settle" | "endFull">;

  constructor(deps: Dependencies, consumers: Pick<BudgetLedger, "settle" | "endFull">) {
    this.#deps = deps;
    this.#consumers = consumers;
    this.#pots = new BudgetPots(deps.storage.sql, (reached) => deps.reached(reached));
  }

  /**
   * Initializes new budgets with what the ledger has counted, and with the use of the meter's consumers that it has not
   * counted yet.
   */
  async start(budgets: readonly Budget[], now: number): Promise<void> {
    const { sql, transactionSync } = this.#storage;
    const ids = JSON.stringify(budgets.map(({ id }) => id));
    sql.exec("DELETE FROM budget_starts WHERE budget NOT IN (SELECT value FROM json_each(?))", ids);
    for (const budget of budgets) {
      const measure = measureOf(budget.unit);
      if (measure === null || this.#hasStarted(budget)) continue;
      const { rows, parts } = await this.#counted(budget, measure, now);
      transactionSync(() => {
        if (this.#hasStarted(budget)) return;
        sql.exec("INSERT INTO budget_starts (budget) VALUES (?)", budget.id);
        const uncounted = this.#uncounted(budget, measure, parts, now);
        this.#pots.set(budget, sumOf(rows, budget.unit) + uncounted, now);
        this.#consumers.endFull(now);
      });
    }
  }

  /** Sets the used costs of budgets from the ledger. */
  async readCosts(budgets: readonly Budget[], now: number): Promise<void> {
    const ofCosts = budgets.filter(({ unit }) => unit === "usd_micros");
    const byPeriod = Map.groupBy(ofCosts, ({ period }) => period);
    for (const [period, some] of byPeriod) {
      const by: UsageGroup[] = ["agent", "campaign", "api_key"];
      const rows = await this.#deps.ledger.usage(Object.assign({ by, limit: MAX_GROUPS }, daysOf(period, now)));
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

  /** Returns what the ledger has counted for a budget, and which part of it comes from the meter's consumers. */
  async #counted({ scope, scope_id, period }: Budget, measure: Measure, now: number) {
    const only = scope === "account" || scope_id === null ? {} : { [`${scope}_id`]: scope_id };
    const ids = chargedConsumers(this.#storage.sql, measure, periodStart(period, now)).map(({ id }) => id);
    const of = {
      conversations: [],
      calls: [],
      speech: [],
      [LISTED_AS[measure]]: ids.map((id) => recordOf(measure, id)),
    };
    const by: UsageGroup[] = ["kind"];
    const { rows, parts } = await this.#deps.ledger.usageAndParts(
      Object.assign({ by, only, limit: MAX_GROUPS }, daysOf(period, now)),
      of,
    );
    // On calls, the carrier or a customer's own runtime speaks, not the agent's own voice.
    return { rows: measure === "speech_chars" ? rows.filter(({ group }) => group[0] !== "call") : rows, parts };
  }

  /**
   * Returns the sum of the consumers' charges that the ledger has not counted. If the ledger has counted more for a
   * consumer than the meter, the consumer is charged that amount.
   */
  #uncounted(budget: Budget, measure: Measure, parts: UsageParts, now: number): number {
    const since = periodStart(budget.period, now);
    return chargedConsumers(this.#storage.sql, measure, since).reduce((sum, { id, consumer, charged, live }) => {
      const part = parts[recordOf(measure, id)];
      // The ledger still counts the use of deleted records.
      if (part === null) return sum;
      if (live && part !== undefined && part > charged) this.#consumers.settle(id, { total: part, requests: 0 }, now);
      return appliesTo(budget, consumer) ? sum + Math.max(0, charged - (part ?? 0)) : sum;
    }, 0);
  }
}

/** The lists in the ledger that contain the parts of a measure's consumers. */
const LISTED_AS = { tokens: "conversations", call_ms: "calls", speech_chars: "speech" } as const;

/** Returns the ledger's id of the call or conversation to which a consumer belongs. */
function recordOf(measure: Measure, consumer: string): string {
  if (measure === "tokens") return consumer;
  return measure === "call_ms" ? callOf(consumer) : spokenIn(consumer);
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
