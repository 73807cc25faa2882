import { and, eq, type SQL, sql } from "drizzle-orm";
import { type AccountStore, mapped, type Read, type Write } from "../../kernel/db/account-store.ts";
import { agents, agentVersions, versionBodies } from "../../kernel/db/schema/index.ts";
import type { FoundAgent } from "./content-reads.ts";
import { USED_AGAIN_MS, VERSIONS_BY_PLAN } from "./limits.ts";
import type { Manifest } from "./manifest.ts";

interface Context {
  store: AccountStore;
  /** The creator of the version, if its content is new. */
  created_by: string;
  /** The current time, ms. */
  now: number;
}

/** Checks whether the last recorded use of a version is recent. */
export function isFresh({ used_at }: { used_at: string }, now: number): boolean {
  return now - Date.parse(used_at) < USED_AGAIN_MS;
}

/** Looks up the version number of this content without recording a use; null if a use must be recorded. */
export function knownVersion({ recent }: Pick<FoundAgent, "recent">, hash: string, now: number): number | null {
  const found = recent.find((version) => version.hash === hash);
  return found && isFresh(found, now) ? found.number : null;
}

export async function noteUse(
  store: AccountStore,
  { agent_id, number }: { agent_id: string; number: number },
  now: number,
): Promise<void> {
  const isIt = and(eq(agentVersions.agent_id, agent_id), eq(agentVersions.number, number)) ?? sql`false`;
  await store.record(store.update(agentVersions, { used_at: new Date(now).toISOString() }, isIt));
}

/**
 * Records a use of a content. Stores it as a new version if no version has it. Returns the version's number; null if
 * the agent was deleted.
 */
export async function useVersion(context: Context, agent_id: string, manifest: Manifest): Promise<number | null> {
  const { store } = context;
  const writes = versionWrites(context, agent_id, manifest);
  const [, , , , number] = await store.record(...writes, numberOf(store, agent_id, manifest.hash));
  return number;
}

/**
 * Returns the writes that store a content as a version, or record a use of the version that has it. SQL determines the
 * number, so that two concurrent uses get the same one. Nothing is written unless `isMeant` is true of the agent.
 */
export function versionWrites(
  { store, created_by, now }: Context,
  agent_id: string,
  { hash, fields, items, bodies }: Manifest,
  isMeant: SQL = sql`true`,
): [bodies: Write<unknown>, version: Write<unknown>, overQuota: Write<unknown>, use: Write<unknown>] {
  const at = new Date(now).toISOString();
  const rows = Array.from(bodies, ([bodyHash, body]) => ({ hash: bodyHash, body, created_at: at }));
  const isThere = sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${agents.id} = ${agent_id} AND ${isMeant})`;
  const number = sql`(SELECT coalesce(max(number), 0) + 1 FROM agent_versions WHERE account = ${store.account} AND agent_id = ${agent_id})`;
  const version = {
    agent_id,
    number,
    hash,
    fields,
    items,
    note: null,
    created_by,
    created_at: at,
    published_at: null,
    published_by: null,
    used_at: at,
  };
  return [
    store.upsertMany(versionBodies, rows, {
      target: [versionBodies.account, versionBodies.hash],
      columns: ["created_at"],
      when: sql`false`,
      only: () => isThere,
    }),
    store.insertIf(agentVersions, version, isThere),
    store.delete(agentVersions, sql`changes() > 0 AND ${overQuota(store.account, hash)}`),
    store.update(
      agentVersions,
      { used_at: at },
      and(isVersion(agent_id, hash), sql`${agentVersions.used_at} < ${at}`, isThere) ?? sql`false`,
    ),
  ];
}

/** Returns a read of the number of the agent's version with this content, for the same batch. */
export function numberOf(store: AccountStore, agent_id: string, hash: string): Read<number | null> {
  const version = store.first(agentVersions, { where: isVersion(agent_id, hash), columns: ["number"] });
  return mapped(version, (row) => row?.number ?? null);
}

export function isVersion(agent_id: string, hash: string): SQL {
  return and(eq(agentVersions.agent_id, agent_id), eq(agentVersions.hash, hash)) ?? sql`false`;
}

/** Returns the condition that the version in the row `v` is in force, or that an open campaign is pinned to it. */
export function isHeld(account: string): SQL {
  return sql`(EXISTS (SELECT 1 FROM agents WHERE account = ${account} AND id = v.agent_id AND published_version = v.number)
    OR EXISTS (SELECT 1 FROM campaigns WHERE account = ${account} AND agent_id = v.agent_id AND agent_version = v.number AND status NOT IN ('stopped', 'completed')))`;
}

/**
 * Returns the condition for versions beyond the account's quota. Versions that were never published go first, then the
 * least recently used. A held version, an agent's latest, and the one with this hash are never selected.
 */
function overQuota(account: string, hash: string): SQL {
  const most = sql`(SELECT coalesce(quotas ->> 'versions', ${JSON.stringify(VERSIONS_BY_PLAN)} ->> plan) FROM accounts WHERE name = ${account})`;
  const tooMany = sql`max(0, (SELECT count(*) FROM agent_versions WHERE account = ${account}) - ${most})`;
  const isLatest = sql`v.number = (SELECT max(number) FROM agent_versions WHERE account = ${account} AND agent_id = v.agent_id)`;
  const going = sql`SELECT agent_id, number FROM agent_versions AS v WHERE v.account = ${account} AND v.hash <> ${hash} AND NOT ${isLatest} AND NOT ${isHeld(account)}
    ORDER BY published_at IS NOT NULL, used_at, number LIMIT ${tooMany}`;
  return sql`(${agentVersions.agent_id}, ${agentVersions.number}) IN (${going})`;
}
