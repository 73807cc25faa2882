import { Maintenance } from "../../kernel/db/maintenance.ts";

/** Rows deleted at a time. */
const BATCH_ROWS = 5_000;

/** Deletes expired totals of days until none is left or `deadline` (ms) has passed. */
export async function deleteOldDays(env: Env, now: number, deadline: number): Promise<void> {
  const maintenance = new Maintenance(env.DB);
  while (Date.now() < deadline && (await maintenance.deleteOldDays(now, BATCH_ROWS)) === BATCH_ROWS);
}

/**
 * Deletes expired entries of the audit log from D1 until none is left or `deadline` (ms) has passed. Entries of acts are
 * deleted by the alarms of the ledger's volumes.
 */
export async function deleteOldAuditEntries(env: Env, now: number, deadline: number): Promise<void> {
  const maintenance = new Maintenance(env.DB);
  while (Date.now() < deadline && (await maintenance.deleteOldAuditEntries(now, BATCH_ROWS)) === BATCH_ROWS);
}
