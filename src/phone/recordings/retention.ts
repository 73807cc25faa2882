import { asc, inArray, lt, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { LookUps } from "../../kernel/db/look-ups.ts";
import { calls, recordings } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { audioKey } from "./audio-store.ts";

/** Recordings deleted at a time: R2's limit per call. */
const BATCH_ROWS = 1_000;

/** Deletes recordings that are older than their account keeps them. One account's failure does not stop the others. */
export async function deleteOldRecordings(env: Env, now: number): Promise<void> {
  const accounts = await new LookUps(env.DB).withOldRecordings(now);
  for (const { name, recording_retention_days } of accounts) {
    const store = accountStore(env, name, { actor: "system:retention", request_id: "" });
    try {
      await deleteBefore(env.RECORDINGS, store, new Date(now - recording_retention_days * DAY_MS).toISOString());
    } catch (error) {
      logError("retention", error, { account: name });
    }
  }
}

async function deleteBefore(bucket: R2Bucket, store: AccountStore, before: string): Promise<void> {
  for (;;) {
    const [old] = await store.read(
      store.select(recordings, {
        where: lt(recordings.created_at, before),
        columns: ["id", "call_id"],
        orderBy: [asc(recordings.created_at), asc(recordings.id)],
        limit: BATCH_ROWS,
      }),
    );
    if (old.length === 0) return;
    await bucket.delete(old.map(({ id }) => audioKey(store.account, id)));
    const gone = among(old.map(({ id }) => id));
    const theirs = inArray(calls.id, among(old.map(({ call_id }) => call_id)));
    await store.record(
      store.delete(recordings, inArray(recordings.id, gone)),
      store.update(calls, { recording_id: null }, all(theirs, inArray(calls.recording_id, gone))),
    );
    if (old.length < BATCH_ROWS) return;
  }
}

function among(values: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
