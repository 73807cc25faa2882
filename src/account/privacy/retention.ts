import { Maintenance } from "../../kernel/db/maintenance.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { Ledger } from "../../records/ledger/ledger.ts";

/** Rows deleted at a time. */
const BATCH_ROWS = 5_000;

/**
 * Has calls deleted that are older than their account keeps them, once a day (UTC) and after every change of that, as
 * far as it gets until `deadline` (ms). One account's failure does not stop the others.
 */
export async function deleteOldCalls(env: Env, now: number, deadline: number): Promise<void> {
  const maintenance = new Maintenance(env.DB);
  const today = new Date(now).toISOString().slice(0, 10);
  for (const { account, calls_days } of await maintenance.withOldCalls(today)) {
    if (Date.now() >= deadline) return;
    const store = accountStore(env, account, { actor: "system:retention", request_id: "" });
    try {
      await new Ledger({ env, store }).deleteCallsBefore(now - calls_days * DAY_MS);
      await maintenance.oldCallsDeleted(account, calls_days, today);
    } catch (error) {
      logError("retention", error, { account });
    }
  }
}

/** Deletes expired totals of days until none is left or `deadline` (ms) has passed. */
export async function deleteOldDays(env: Env, now: number, deadline: number): Promise<void> {
  try {
    const maintenance = new Maintenance(env.DB);
    while (Date.now() < deadline && (await maintenance.deleteOldDays(now, BATCH_ROWS)) === BATCH_ROWS);
  } catch (error) {
    logError("retention", error);
  }
}

/**
 * Deletes expired entries of the audit log from D1 until none is left or `deadline` (ms) has passed. Entries of acts are
 * deleted by the alarms of the ledger's volumes.
 */
export async function deleteOldAuditEntries(env: Env, now: number, deadline: number): Promise<void> {
  try {
    const maintenance = new Maintenance(env.DB);
    while (Date.now() < deadline && (await maintenance.deleteOldAuditEntries(now, BATCH_ROWS)) === BATCH_ROWS);
  } catch (error) {
    logError("retention", error);
  }
}
