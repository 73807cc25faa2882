import { Maintenance } from "../../kernel/db/maintenance.ts";

/** Entries of the audit log deleted at a time. */
const BATCH_ENTRIES = 5_000;

/** Deletes entries of the audit log that are older than their account keeps them, as far as it gets until `deadline` (ms). */
export async function deleteOldAuditEntries(env: Env, now: number, deadline: number): Promise<void> {
  const maintenance = new Maintenance(env.DB);
  while (Date.now() < deadline && (await maintenance.deleteOldAuditEntries(now, BATCH_ENTRIES)) === BATCH_ENTRIES);
}
