import { HOUR_MS } from "../../kernel/time.ts";
import type { Measure, Payer } from "./budget-rules.ts";

/**
 * Payers that have left, for as long as the ledger may not have counted them: also if they had used nothing, as some use is
 * reported after their end.
 */
export const PAST_PAYERS = `
  CREATE TABLE budget_past_payers (
    left_at INTEGER NOT NULL, id TEXT NOT NULL, measure TEXT NOT NULL, payer TEXT NOT NULL, settled INTEGER NOT NULL,
    PRIMARY KEY (left_at, id)
  ) WITHOUT ROWID;
  CREATE INDEX budget_past_payers_id ON budget_past_payers (id);
`;

/** How long a payer that left is kept, ms: far longer than its report takes to the ledger, which tries for as long as it is away. */
const KEPT_MS = HOUR_MS;

/** Payers and what they are charged with, including requests whose end was never reported. */
export interface ChargedPayer {
  id: string;
  payer: Payer;
  charged: number;
  /** Whether it is still running. */
  live: boolean;
}

/** Has a payer leave, in the caller's transaction. */
export function leave(sql: SqlStorage, id: string, now: number): void {
  sql.exec("DELETE FROM budget_past_payers WHERE left_at < ?", now - KEPT_MS);
  sql.exec(
    `INSERT OR REPLACE INTO budget_past_payers (left_at, id, measure, payer, settled)
     SELECT ?, id, measure, payer, settled FROM budget_payers WHERE id = ? AND (settled > 0 OR measure = 'tokens')`,
    now,
    id,
  );
  sql.exec("DELETE FROM budget_payers WHERE id = ?", id);
}

/** A payer that has left, and what it had settled. */
export type PastPayer = { measure: Measure; payer: string; settled: number };

/** The payer of this id that left; undefined if none did, or it was too long ago. */
export function pastPayer(sql: SqlStorage, id: string): PastPayer | undefined {
  return sql
    .exec<PastPayer>("SELECT measure, payer, settled FROM budget_past_payers WHERE id = ? ORDER BY left_at DESC", id)
    .toArray()[0];
}

/** What a payer that has left has settled since. */
export function settlePast(sql: SqlStorage, id: string, settled: number): void {
  sql.exec("UPDATE budget_past_payers SET settled = ? WHERE id = ?", settled, id);
}

/** A payer is back; gives what it had settled. */
export function comeBack(sql: SqlStorage, id: string): number {
  const settled = pastPayer(sql, id)?.settled ?? 0;
  sql.exec("DELETE FROM budget_past_payers WHERE id = ?", id);
  return settled;
}

/**
 * All payers of a measure that the ledger may not have counted; requests whose end was never reported are included if they
 * were reserved at or after `since`, ms.
 */
export function chargedPayers(sql: SqlStorage, measure: Measure, since: number): ChargedPayer[] {
  const rows = sql.exec<{ id: string; payer: string; charged: number; live: number }>(
    `SELECT id, payer, settled + coalesce(
       (SELECT sum(amount) FROM budget_reservations
        WHERE payer = budget_payers.id AND lapsed = 1 AND reserved_at >= ?2), 0) charged, 1 live
     FROM budget_payers WHERE measure = ?1
     UNION ALL
     SELECT id, payer, settled, 0 FROM budget_past_payers WHERE measure = ?1 AND settled > 0`,
    measure,
    since,
  );
  return [...rows].map(({ id, payer, charged, live }) => ({
    id,
    payer: JSON.parse(payer) as Payer,
    charged,
    live: live === 1,
  }));
}
