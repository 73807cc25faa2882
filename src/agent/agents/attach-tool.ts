import { eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, agentTools, tools, versionBodies } from "../../kernel/db/schema/index.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { jsonBytes } from "../../kernel/http/fields.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { hasRoom, noRoom } from "../attached-texts.ts";
import { seenBy } from "../items.ts";
import { type RuntimeSettings, readinessOfTool } from "../tools/readiness.ts";
import { toolBody } from "../versions/content.ts";
import { asHeld, bodiesAt, byHash } from "../versions/held-bodies.ts";
import { scopesToUse } from "../versions/may-change.ts";
import { changing } from "../versions/publish.ts";
import { installReads } from "./joined.ts";

interface Context {
  env: RuntimeSettings;
  store: AccountStore;
  caller: Authority;
  now: number;
}

interface Attachment {
  agent_id: string;
  tool_name: string;
  enabled: boolean;
  config: Record<string, unknown>;
}

/** The maximum number of attempts if the tool or its attachment changes in the meantime. */
const TRIES = 5;

/** Attaches a tool to an agent, or changes its settings there. @throws ApiError 403, 404, 409 */
export async function attachTool(context: Context, attachment: Attachment) {
  for (let tries = 0; tries < TRIES; tries++) {
    const attached = await tryToAttach(context, attachment);
    if (attached) return attached;
  }
  throw changing();
}

/** Returns the attached tool; null if the tool or its attachment changed after the decision. */
async function tryToAttach({ env, store, caller, now }: Context, attachment: Attachment) {
  const { agent_id, tool_name, enabled, config } = attachment;
  const { account } = store;
  const isLink = all(eq(agentTools.agent_id, agent_id), eq(agentTools.tool_name, tool_name));
  const link = (picked: SQL) =>
    sql`SELECT ${picked} FROM agent_tools WHERE account = ${account} AND agent_id = ${agent_id} AND tool_name = ${tool_name}`;
  const [agent, tool, before, bodies, installs] = await store.read(
    store.first(agents, { where: eq(agents.id, agent_id), columns: ["id"] }),
    store.first(tools, { where: all(eq(tools.name, tool_name), seenBy(caller, store, tools)) }),
    store.first(agentTools, { where: isLink }),
    store.select(versionBodies, { where: bodiesAt(link(sql`body_hash`)) }),
    installReads(store),
  );
  if (!agent) throw notFound("agent");
  if (!tool) throw notFound("tool");
  const held = before && { id: tool.id, body: toolBody(asHeld(tool, before.body_hash, byHash(bodies))) };
  requireScopes(
    caller,
    scopesToUse(held ? [Object.assign(held, { enabled: before.enabled })] : [], [
      { id: tool.id, body: toolBody(tool), enabled },
    ]),
  );
  const settings = before ? JSON.stringify([Number(before.enabled), before.body_hash]) : null;
  const isAsRead = sql`EXISTS (SELECT 1 FROM tools WHERE account = ${account} AND id = ${tool.id} AND revision = ${tool.revision})
    AND (${link(sql`json_array(enabled, body_hash)`)}) IS ${settings}`;
  const more = jsonBytes(config);
  const room = hasRoom(store, "tool", { agent: agent_id, item: tool.id, more });
  // Settings that do not grow are accepted even if the agent has no room.
  const growsNot = sql`EXISTS (${link(sql`1`)} AND body_hash IS NULL AND octet_length(config) >= ${more})`;
  const at = new Date(now).toISOString();
  const row = { agent_id, tool_name, enabled, config, position: 0, body_hash: null, created_at: at, updated_at: at };
  const changes = before && changedFields(before, { enabled, config });
  const [{ meta }, after, full] = await store.write(
    { action: "set_tool", resource: "agent", resource_id: agent_id, changes },
    store.upsertMany(agentTools, [row], {
      target: [agentTools.account, agentTools.agent_id, agentTools.tool_name],
      columns: ["enabled", "config", "body_hash", "updated_at"],
      only: () => sql`${isAsRead} AND (${room} OR ${growsNot})`,
    }),
    store.first(agentTools, { where: isLink }),
    store.count(agents, all(eq(agents.id, agent_id), sql`NOT (${room} OR ${growsNot})`)),
  );
  if (full > 0) throw noRoom("tool_name", "the");
  if (meta.changes === 0 || !after) return null;
  return Object.assign({}, after, readinessOfTool(tool, installs, env));
}
