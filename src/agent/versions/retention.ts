import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { Maintenance } from "../../kernel/db/maintenance.ts";
import { agentVersions, versionBodies } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { heldHashes } from "./held-bodies.ts";
import { KEPT_OF_AGENT, USED_AGAIN_MS } from "./limits.ts";
import { isHeld } from "./record-version.ts";

/** The number of rows deleted at a time. */
const BATCH_ROWS = 200;
/** The hour of the day (UTC) in which expired versions are deleted. */
const HOUR = 3;

/**
 * Deletes unneeded versions, and bodies without references, once a day until `deadline` (ms). A failure of one account
 * does not stop the others.
 */
export async function deleteOldVersions(env: Env, now: number, deadline: number): Promise<void> {
  if (new Date(now).getUTCHours() !== HOUR) return;
  for (const { name, retention_days } of await new Maintenance(env.DB).withVersions()) {
    if (Date.now() >= deadline) return;
    const store = accountStore(env, name, { actor: "system:retention", request_id: "" });
    try {
      if (retention_days !== null) await deleteVersions(store, now - retention_days * DAY_MS, deadline);
      await deleteBodies(store, deadline);
    } catch (error) {
      logError("retention", error, { account: name });
    }
  }
}

/**
 * Deletes the versions that no conversation has used since the day of `before` (ms). Keeps versions that are or were
 * published, that a campaign is pinned to, or that are among their agent's latest.
 */
async function deleteVersions(store: AccountStore, before: number, deadline: number): Promise<void> {
  const { account } = store;
  const unused = new Date(before - USED_AGAIN_MS).toISOString();
  const isLate = sql`v.number > (SELECT max(number) FROM agent_versions WHERE account = ${account} AND agent_id = v.agent_id) - ${KEPT_OF_AGENT}`;
  const going = sql`SELECT agent_id, number FROM agent_versions AS v WHERE v.account = ${account} AND v.used_at < ${unused}
    AND v.published_at IS NULL AND NOT ${isLate} AND NOT ${isHeld(account)} LIMIT ${BATCH_ROWS}`;
  await inBatches(
    store,
    agentVersions,
    sql`(${agentVersions.agent_id}, ${agentVersions.number}) IN (${going})`,
    deadline,
  );
}

/** Deletes the bodies to which no version or attachment refers. */
async function deleteBodies(store: AccountStore, deadline: number): Promise<void> {
  const { account } = store;
  const needed = sql`SELECT value ->> 'hash' FROM agent_versions, json_each(items) WHERE account = ${account} UNION ALL ${heldHashes(account)}`;
  const going = sql`SELECT hash FROM version_bodies WHERE account = ${account} AND hash NOT IN (${needed}) LIMIT ${BATCH_ROWS}`;
  await inBatches(store, versionBodies, sql`${versionBodies.hash} IN (${going})`, deadline);
}

async function inBatches(
  store: AccountStore,
  table: typeof agentVersions | typeof versionBodies,
  where: SQL,
  deadline: number,
): Promise<void> {
  for (;;) {
    const [gone] = await store.record(store.delete(table, where));
    if (gone.length < BATCH_ROWS || Date.now() >= deadline) return;
  }
}
