import { v7 as uuidv7 } from "uuid";
import type { Reached } from "./budget-events.ts";
import { type Budget, isFull, type Pot, type PotUse, periodStart, potOf, WHOLE, warningsDue } from "./budget-rules.ts";
import type { Change } from "./settlement.ts";

/** A warning that is not in the audit log yet. */
export type PendingWarning = { id: string; budget: string; share: number; used: number; at: number };

/** Stores how much of each pot is used and reserved, and the warnings that result. */
export class BudgetPots {
  readonly #sql: SqlStorage;
  readonly #reached: (reached: Reached) => void;

  /**
   * @param reached called once for each share of a limit in a period, in the transaction in which the share is reached
   */
  constructor(sql: SqlStorage, reached: (reached: Reached) => void) {
    this.#sql = sql;
    this.#reached = reached;
  }

  /** Deletes every reservation, and the pots of all budgets that are not in this list. */
  reset(budgets: string[]): void {
    this.#sql.exec(
      "DELETE FROM budget_pots WHERE budget NOT IN (SELECT value FROM json_each(?))",
      JSON.stringify(budgets),
    );
    this.#sql.exec("UPDATE budget_pots SET reserved = 0");
  }

  /** Returns the use and reservations of a pot in the period that contains `now` (ms). */
  use({ budget, share }: Pick<Pot, "budget" | "share">, now: number): PotUse {
    const [row] = this.#sql
      .exec<{ period: number; used: number; reserved: number }>(
        "SELECT period, used, reserved FROM budget_pots WHERE budget = ? AND share = ?",
        budget.id,
        share,
      )
      .toArray();
    if (!row) return { used: 0, reserved: 0 };
    return { used: row.period === periodStart(budget.period, now) ? row.used : 0, reserved: row.reserved };
  }

  /**
   * Changes the use and reservations of pots. Each period starts at zero, so a change of an earlier period does not
   * affect the current one.
   */
  add(pots: Pot[], { used = 0, reserved = 0, at }: Change): void {
    if (used === 0 && reserved === 0) return;
    for (const { budget, share } of pots) {
      this.#sql.exec(
        `INSERT INTO budget_pots (budget, share, period, used, reserved) VALUES (?1, ?2, ?3, max(0, ?4), max(0, ?5))
         ON CONFLICT DO UPDATE SET
           used = CASE WHEN period > ?3 THEN used WHEN period = ?3 THEN max(0, used + ?4) ELSE max(0, ?4) END,
           reserved = max(0, reserved + ?5), period = max(period, ?3)`,
        budget.id,
        share,
        periodStart(budget.period, at),
        used,
        reserved,
      );
      if (used > 0 && share === WHOLE) this.#warnOf(budget, at);
    }
  }

  /** Returns the pots of these budgets that are used up at `now` (ms) and so end their consumers. */
  full(budgets: ReadonlyMap<string, Budget>, now: number): Pot[] {
    const rows = this.#sql.exec<{ budget: string; share: string }>("SELECT budget, share FROM budget_pots").toArray();
    return rows.flatMap(({ budget: id, share }) => {
      const budget = budgets.get(id);
      const pot = budget && potOf(budget, share);
      return pot && isFull(pot, this.use(pot, now)) ? pot : [];
    });
  }

  /** Sets the use of a whole budget in the period that contains `now` (ms). */
  set(budget: Budget, used: number, now: number): void {
    this.#sql.exec(
      `INSERT INTO budget_pots (budget, share, period, used, reserved) VALUES (?, ?, ?, ?, 0)
       ON CONFLICT DO UPDATE SET used = excluded.used, period = excluded.period`,
      budget.id,
      WHOLE,
      periodStart(budget.period, now),
      used,
    );
    this.#warnOf(budget, now);
  }

  /** Records that no room is left in these pots. */
  reached(full: Pot[], now: number): void {
    for (const pot of full) if (pot.share === WHOLE) this.#warn(pot.budget, 1, this.use(pot, now).used, now);
  }

  pendingWarnings(limit: number): PendingWarning[] {
    return this.#sql
      .exec<PendingWarning>(
        "SELECT id, budget, share, used, at FROM budget_warnings WHERE delivered = 0 LIMIT ?",
        limit,
      )
      .toArray();
  }

  warned({ id }: PendingWarning): void {
    this.#sql.exec("UPDATE budget_warnings SET delivered = 1 WHERE id = ?", id);
  }

  /** Deletes rows that belong to no current period. */
  prunePast(now: number): void {
    const thisMonth = periodStart("month", now);
    this.#sql.exec("DELETE FROM budget_pots WHERE reserved = 0 AND period < ?", thisMonth);
    this.#sql.exec("DELETE FROM budget_warnings WHERE delivered = 1 AND period < ?", thisMonth);
  }

  #warnOf(budget: Budget, now: number): void {
    const { used } = this.use({ budget, share: WHOLE }, now);
    for (const due of warningsDue(budget, used)) this.#warn(budget, due, used, now);
  }

  /** Records a warning. Repeating it for the same share of the limit and period changes nothing. */
  #warn(budget: Budget, share: number, used: number, now: number): void {
    const added = this.#sql.exec(
      "INSERT OR IGNORE INTO budget_warnings (id, budget, period, share, used, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
      uuidv7({ msecs: now }),
      budget.id,
      periodStart(budget.period, now),
      share,
      used,
      now,
    );
    if (added.toArray().length > 0) this.#reached({ budget, share, used, at: now });
  }
}
