import { Maintenance } from "../../kernel/db/maintenance.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { audioKey } from "./audio-store.ts";

/** Recordings deleted at a time: R2's limit per call. */
const BATCH_ROWS = 1_000;

/**
 * Deletes recordings that are older than their account keeps them, until `deadline` (ms): the next run goes on. One
 * account's failure does not stop the others.
 */
export async function deleteOldRecordings(env: Env, now: number, deadline: number): Promise<void> {
  for (const { name, recording_retention_days } of await new Maintenance(env.DB).olderThanRecordings(now)) {
    if (Date.now() >= deadline) return;
    const store = accountStore(env, name, { actor: "system:retention", request_id: "" });
    const before = now - recording_retention_days * DAY_MS;
    try {
      await deleteBefore(env.RECORDINGS, new Ledger({ env, store }), name, before);
    } catch (error) {
      logError("retention", error, { account: name });
    }
  }
}

async function deleteBefore(bucket: R2Bucket, ledger: Ledger, account: string, at: number): Promise<void> {
  const before = new Date(at).toISOString();
  for (const day of await ledger.days()) {
    if (day > before) return;
    const volume = ledger.volume(day);
    for (;;) {
      const ids = await volume.recordingsBefore(before, BATCH_ROWS);
      if (ids.length === 0) break;
      await bucket.delete(ids.map((id) => audioKey(account, id)));
      await volume.removeRecordings(ids);
    }
  }
}
