import type { Consumer, Measure } from "./budget-rules.ts";

/** A consumer's total use since it began. It is cumulative, so that repeating a report changes nothing. */
export interface CumulativeUse {
  total: number;
  /** The number of requests that have ended, whatever their outcome. */
  requests: number;
}

export interface OpenConsumer {
  id: string;
  /** The object that runs the consumer, by its name within the account. */
  object: string;
  consumer: Consumer;
}

export type ConsumerRow = {
  id: string;
  object: string;
  measure: Measure;
  consumer: string;
  settled: number;
  requests: number;
  closing: number;
  answered_at: number | null;
};

export class BudgetConsumers {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(id: string): ConsumerRow | undefined {
    return this.#sql.exec<ConsumerRow>("SELECT * FROM budget_consumers WHERE id = ?", id).toArray()[0];
  }

  /** Adds a consumer that has already settled `settled`. */
  add({ id, object, consumer }: OpenConsumer, measure: Measure, settled: number, now: number): void {
    this.#sql.exec(
      "INSERT INTO budget_consumers (id, object, measure, consumer, settled, reported_at) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      object,
      measure,
      JSON.stringify(consumer),
      settled,
      now,
    );
  }

  /** Records that the consumer reported at `now` (ms), so that it is not pruned. */
  seen(id: string, now: number): void {
    this.#sql.exec("UPDATE budget_consumers SET reported_at = ? WHERE id = ?", now, id);
  }

  /** Stores when the consumer began to use something. Later calls change nothing. */
  answered(id: string, now: number): void {
    this.#sql.exec("UPDATE budget_consumers SET answered_at = coalesce(answered_at, ?) WHERE id = ?", now, id);
  }

  settle(id: string, { total, requests }: CumulativeUse, now: number): void {
    this.#sql.exec(
      "UPDATE budget_consumers SET settled = ?, requests = ?, reported_at = ? WHERE id = ?",
      total,
      requests,
      now,
      id,
    );
  }

  /** Returns the consumers with reservations, and how much each has reserved. */
  holders(): (ConsumerRow & { held: number })[] {
    return this.#sql
      .exec<ConsumerRow & { held: number }>(
        `SELECT c.*, sum(r.amount) held FROM budget_consumers c JOIN budget_reservations r ON r.consumer = c.id
         WHERE r.lapsed = 0 GROUP BY c.id`,
      )
      .toArray();
  }

  /** Returns the consumers that are not being closed. */
  open(): ConsumerRow[] {
    return this.#sql.exec<ConsumerRow>("SELECT * FROM budget_consumers WHERE closing = 0").toArray();
  }

  markToClose(id: string): void {
    this.#sql.exec("UPDATE budget_consumers SET closing = 1 WHERE id = ?", id);
  }

  toClose(limit: number): { id: string; object: string }[] {
    return this.#sql
      .exec<{ id: string; object: string }>("SELECT id, object FROM budget_consumers WHERE closing = 1 LIMIT ?", limit)
      .toArray();
  }

  closed(id: string): void {
    this.#sql.exec("UPDATE budget_consumers SET closing = 2 WHERE id = ?", id);
  }

  closeAgain(): void {
    this.#sql.exec("UPDATE budget_consumers SET closing = 1 WHERE closing = 2");
  }

  /** Prunes consumers without reservations whose last report was before `before` (ms). */
  prune(before: number): void {
    this.#sql.exec(
      `DELETE FROM budget_consumers WHERE reported_at < ?
       AND NOT EXISTS (SELECT 1 FROM budget_reservations WHERE consumer = budget_consumers.id)`,
      before,
    );
  }
}
