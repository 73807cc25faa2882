import { and, eq, sql } from "drizzle-orm";
import type { Install } from "../../../agent/tools/run/run-tool.ts";
import { asHeld, bodiesAt, byHash } from "../../../agent/versions/held-bodies.ts";
import { narrowerTool } from "../../../agent/versions/narrower.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import {
  agents,
  agentTools,
  agentVersions,
  integrationInstalls,
  tools,
  type VersionItem,
  versionBodies,
} from "../../../kernel/db/schema/index.ts";
import type { SessionVersion } from "../session/session-version.ts";

/** A tool in its current setup or in the conversation's version, with the integrations it may name. */
export interface FoundTool {
  tool: typeof tools.$inferSelect;
  installs: Install[];
}

interface Wanted {
  name: string;
  agent_id: string;
  /** The stored version of the conversation; null if it uses the saved configuration. */
  version: Pick<SessionVersion, "number"> | null;
}

const GONE = "the tool no longer exists";
const DETACHED = "the tool was detached from the agent";
const SWITCHED_OFF = "the tool was switched off for the agent";

/**
 * Returns a tool that an agent is about to use, or why it may no longer be used. A conversation with a stored version
 * uses that version's tool, but only if the published version has it too, and within that version's authority. Takes
 * one D1 round trip.
 */
export async function readTool(store: AccountStore, wanted: Wanted): Promise<FoundTool | { refused: string }> {
  const number = wanted.version?.number ?? null;
  return number === null ? readSaved(store, wanted) : readStored(store, wanted, number);
}

async function readSaved(store: AccountStore, { name, agent_id }: Wanted): Promise<FoundTool | { refused: string }> {
  const isAttachment = and(eq(agentTools.agent_id, agent_id), eq(agentTools.tool_name, name));
  const held = sql`SELECT body_hash FROM agent_tools WHERE account = ${store.account} AND agent_id = ${agent_id} AND tool_name = ${name}`;
  const [tool, attachment, bodies, installs] = await store.read(
    store.first(tools, { where: eq(tools.name, name) }),
    store.first(agentTools, { where: isAttachment, columns: ["enabled", "body_hash"] }),
    store.select(versionBodies, { where: bodiesAt(held) }),
    store.select(integrationInstalls),
  );
  if (!tool) return { refused: GONE };
  if (!attachment) return { refused: DETACHED };
  if (!attachment.enabled) return { refused: SWITCHED_OFF };
  return { tool: asHeld(tool, attachment.body_hash, byHash(bodies)), installs };
}

async function readStored(
  store: AccountStore,
  { name, agent_id }: Wanted,
  number: number,
): Promise<FoundTool | { refused: string }> {
  const { account } = store;
  const isOwn = sql`account = ${account} AND agent_id = ${agent_id}`;
  const published = sql`(SELECT published_version FROM agents WHERE account = ${account} AND id = ${agent_id} AND versioning = 'manual')`;
  const items = (column: string, numbers = sql`${number}`) =>
    sql`SELECT value ->> ${sql.raw(`'${column}'`)} FROM agent_versions, json_each(items) WHERE ${isOwn} AND number IN (${numbers}) AND value ->> 'kind' = 'tool'`;
  const held = sql`SELECT body_hash FROM agent_tools WHERE ${isOwn} AND body_hash IS NOT NULL`;
  const [agent, versions, bodies, rows, attachments, installs] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: ["versioning", "published_version"] }),
    store.select(agentVersions, {
      where: and(eq(agentVersions.agent_id, agent_id), sql`${agentVersions.number} IN (${number}, ${published})`),
      columns: ["number", "items"],
    }),
    store.select(versionBodies, {
      where: bodiesAt(sql`${items("hash", sql`${number}, ${published}`)} UNION ALL ${held}`),
    }),
    store.select(tools, { where: sql`${tools.id} IN (${items("id")})` }),
    store.select(agentTools, {
      where: eq(agentTools.agent_id, agent_id),
      columns: ["tool_name", "enabled", "body_hash"],
    }),
    store.select(integrationInstalls),
  );
  const itemOf = (of: number | null | undefined, isIt: (item: VersionItem) => boolean) =>
    versions.find((version) => version.number === of)?.items.find((item) => item.kind === "tool" && isIt(item));
  const bodyOf = byHash(bodies);
  const item = itemOf(number, ({ hash }) => bodyOf.get(hash)?.name === name);
  const tool = rows.find(({ id }) => id === item?.id);
  if (!item || !tool) return { refused: GONE };
  const inForce =
    agent?.versioning === "manual"
      ? asPublished(itemOf(agent.published_version, ({ id }) => id === tool.id))
      : attachments.find(({ tool_name }) => tool_name === tool.name);
  if (!inForce) return { refused: DETACHED };
  if (!inForce.enabled) return { refused: SWITCHED_OFF };
  const own = asHeld(tool, item.hash, bodyOf);
  return { tool: narrowerTool(own, asHeld(tool, inForce.body_hash, bodyOf)), installs };
}

/** Returns the published version's tool in the form of an attachment. */
function asPublished(item: VersionItem | undefined): { enabled: boolean; body_hash: string } | undefined {
  if (item === undefined) return undefined;
  const { settings, hash } = item;
  return { enabled: settings && "enabled" in settings ? settings.enabled : true, body_hash: hash };
}
