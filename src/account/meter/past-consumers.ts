import { HOUR_MS } from "../../kernel/time.ts";
import type { Consumer, Measure } from "./budget-rules.ts";

/**
 * Consumers that have left. They are kept until the ledger must have counted them, even if they used nothing, because
 * some use is reported after their end.
 */
export const PAST_CONSUMERS = `
  CREATE TABLE budget_past_consumers (
    left_at INTEGER NOT NULL, id TEXT NOT NULL, measure TEXT NOT NULL, consumer TEXT NOT NULL, settled INTEGER NOT NULL,
    PRIMARY KEY (left_at, id)
  ) WITHOUT ROWID;
  CREATE INDEX budget_past_consumers_id ON budget_past_consumers (id);
`;

/**
 * How long a consumer that has left is kept, ms. This is much longer than its report usually takes to reach the ledger.
 */
const KEPT_MS = HOUR_MS;

/** A consumer and its charge. The charge includes requests whose end was never reported. */
export interface ChargedConsumer {
  id: string;
  consumer: Consumer;
  charged: number;
  /** Whether the consumer is still running. */
  live: boolean;
}

/** Moves a consumer to those that have left, within the caller's transaction. */
export function leave(sql: SqlStorage, id: string, now: number): void {
  sql.exec("DELETE FROM budget_past_consumers WHERE left_at < ?", now - KEPT_MS);
  sql.exec(
    `INSERT OR REPLACE INTO budget_past_consumers (left_at, id, measure, consumer, settled)
     SELECT ?, id, measure, consumer, settled FROM budget_consumers WHERE id = ? AND (settled > 0 OR measure = 'tokens')`,
    now,
    id,
  );
  sql.exec("DELETE FROM budget_consumers WHERE id = ?", id);
}

/** A consumer that has left, and the amount that it had settled. */
export type PastConsumer = { measure: Measure; consumer: string; settled: number };

/** Returns the consumer with this id that has left; undefined if there is none, or if it left too long ago. */
export function pastConsumer(sql: SqlStorage, id: string): PastConsumer | undefined {
  return sql
    .exec<PastConsumer>(
      "SELECT measure, consumer, settled FROM budget_past_consumers WHERE id = ? ORDER BY left_at DESC",
      id,
    )
    .toArray()[0];
}

/** Updates the settled amount of a consumer that has left. */
export function settlePast(sql: SqlStorage, id: string, settled: number): void {
  sql.exec("UPDATE budget_past_consumers SET settled = ? WHERE id = ?", settled, id);
}

/** Removes a consumer that continues after it had left, and returns the amount that it had settled. */
export function comeBack(sql: SqlStorage, id: string): number {
  const settled = pastConsumer(sql, id)?.settled ?? 0;
  sql.exec("DELETE FROM budget_past_consumers WHERE id = ?", id);
  return settled;
}

/**
 * Returns all consumers of a measure that the ledger may not have counted yet. Requests whose end was never reported
 * are included if they were reserved at or after `since` (ms).
 */
export function chargedConsumers(sql: SqlStorage, measure: Measure, since: number): ChargedConsumer[] {
  const rows = sql.exec<{ id: string; consumer: string; charged: number; live: number }>(
    `SELECT id, consumer, settled + coalesce(
       (SELECT sum(amount) FROM budget_reservations
        WHERE consumer = budget_consumers.id AND lapsed = 1 AND reserved_at >= ?2), 0) charged, 1 live
     FROM budget_consumers WHERE measure = ?1
     UNION ALL
     SELECT id, consumer, settled, 0 FROM budget_past_consumers WHERE measure = ?1 AND settled > 0`,
    measure,
    since,
  );
  return [...rows].map(({ id, consumer, charged, live }) => ({
    id,
    consumer: JSON.parse(consumer) as Consumer,
    charged,
    live: live === 1,
  }));
}
