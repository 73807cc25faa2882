import type { Measure, Payer } from "./budget-rules.ts";

/** What a payer has used since it began: cumulative, so that repeating a report changes nothing. */
export interface CumulativeUse {
  total: number;
  /** How many requests have ended, whatever their outcome. */
  requests: number;
}

/** Who is to be charged. */
export interface OpenPayer {
  id: string;
  /** The object that holds it, by the account's name for it. */
  object: string;
  payer: Payer;
}

export type PayerRow = {
  id: string;
  object: string;
  measure: Measure;
  payer: string;
  settled: number;
  requests: number;
  closing: number;
  answered_at: number | null;
};

/** The payers of budgets that are not done, in the meter's storage. */
export class BudgetPayers {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(id: string): PayerRow | undefined {
    return this.#sql.exec<PayerRow>("SELECT * FROM budget_payers WHERE id = ?", id).toArray()[0];
  }

  /** Adds a payer that has already settled `settled`. */
  add({ id, object, payer }: OpenPayer, measure: Measure, settled: number, now: number): void {
    this.#sql.exec(
      "INSERT INTO budget_payers (id, object, measure, payer, settled, heard_at) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      object,
      measure,
      JSON.stringify(payer),
      settled,
      now,
    );
  }

  /** The payer was reported on at `now`, ms, so that it is not forgotten. */
  seen(id: string, now: number): void {
    this.#sql.exec("UPDATE budget_payers SET heard_at = ? WHERE id = ?", now, id);
  }

  /** Stores when the payer began to use something, once. */
  answered(id: string, now: number): void {
    this.#sql.exec("UPDATE budget_payers SET answered_at = coalesce(answered_at, ?) WHERE id = ?", now, id);
  }

  settle(id: string, { total, requests }: CumulativeUse, now: number): void {
    this.#sql.exec(
      "UPDATE budget_payers SET settled = ?, requests = ?, heard_at = ? WHERE id = ?",
      total,
      requests,
      now,
      id,
    );
  }

  /** The payers with reservations, and how much each holds. */
  holders(): (PayerRow & { held: number })[] {
    return this.#sql
      .exec<PayerRow & { held: number }>(
        `SELECT p.*, sum(r.amount) held FROM budget_payers p JOIN budget_reservations r ON r.payer = p.id
         WHERE r.lapsed = 0 GROUP BY p.id`,
      )
      .toArray();
  }

  /** The payers that are not being closed. */
  open(): PayerRow[] {
    return this.#sql.exec<PayerRow>("SELECT * FROM budget_payers WHERE closing = 0").toArray();
  }

  markToClose(id: string): void {
    this.#sql.exec("UPDATE budget_payers SET closing = 1 WHERE id = ?", id);
  }

  toClose(limit: number): { id: string; object: string }[] {
    return this.#sql
      .exec<{ id: string; object: string }>("SELECT id, object FROM budget_payers WHERE closing = 1 LIMIT ?", limit)
      .toArray();
  }

  closed(id: string): void {
    this.#sql.exec("UPDATE budget_payers SET closing = 2 WHERE id = ?", id);
  }

  closeAgain(): void {
    this.#sql.exec("UPDATE budget_payers SET closing = 1 WHERE closing = 2");
  }

  /** Deletes payers without reservations that were last reported on before `before`, ms. */
  forget(before: number): void {
    this.#sql.exec(
      `DELETE FROM budget_payers WHERE heard_at < ?
       AND NOT EXISTS (SELECT 1 FROM budget_reservations WHERE payer = budget_payers.id)`,
      before,
    );
  }
}
