import { eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { agents, agentTools, type tools } from "../../kernel/db/schema/index.ts";

type Link = Pick<typeof agentTools.$inferSelect, "tool_name" | "enabled" | "body_hash">;
type Tool = Pick<typeof tools.$inferSelect, "name" | "revision">;

/** An id that no agent has, because ids are UUIDs. */
const NO_AGENT = "";

/** An agent's row as it was read, and its tools in the form of `toolsAsRead`. */
interface AsRead {
  row: { id: string; revision: number };
  tools: string;
}

/**
 * Returns the JSON with which `isAsRead` compares an agent's tools: each tool's settings and revision, sorted by name.
 */
export function toolsAsRead(links: Link[], rows: Tool[]): string {
  const revisions = new Map(rows.map(({ name, revision }) => [name, revision]));
  const each = links.flatMap(({ tool_name, enabled, body_hash }) => {
    const revision = revisions.get(tool_name);
    return revision === undefined ? [] : [[tool_name, Number(enabled), body_hash, revision] as const];
  });
  return JSON.stringify(each.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the condition that an agent's row and tools are unchanged since they were read, so that the change that is
 * written is the one that was approved.
 */
export function isAsRead({ account }: AccountStore, { row, tools }: AsRead): SQL {
  const found = sql`SELECT l.tool_name, l.enabled, l.body_hash, t.revision FROM agent_tools AS l
    JOIN tools AS t ON t.account = l.account AND t.name = l.tool_name
    WHERE l.account = ${account} AND l.agent_id = ${row.id} ORDER BY l.tool_name`;
  const now = sql`(SELECT json_group_array(json_array(tool_name, enabled, body_hash, revision)) FROM (${found}))`;
  return all(eq(agents.id, row.id), isRevision(agents, row.revision), sql`${now} = ${tools}`);
}

/**
 * Returns the first write of a batch that depends on an agent as it was read: if the agent or its tools have changed,
 * the whole batch fails with a ReferenceViolation. Needed if the batch itself changes what `isAsRead` compares.
 */
export function refuseUnlessAsRead(store: AccountStore, read: AsRead, at: string): Write<unknown> {
  const isIt = sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${isAsRead(store, read)})`;
  const row = { agent_id: NO_AGENT, tool_name: "", enabled: false, config: {}, position: 0, body_hash: null };
  return store.insertIf(agentTools, Object.assign(row, { created_at: at, updated_at: at }), sql`NOT ${isIt}`);
}
