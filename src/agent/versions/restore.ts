import { eq, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { type AccountStore, ReferenceViolation, UniqueViolation, type Write } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { agentPrompts, agents } from "../../kernel/db/schema/index.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { type AgentReader, tryChange } from "../agents/joined.ts";
import { refuseUnlessAsRead } from "./as-read.ts";
import { contentReads, foundAgent } from "./content-reads.ts";
import { assertMayChange, namesIntegration } from "./may-change.ts";
import { changing } from "./publish.ts";
import { itemReads, restoredItems, restoreWrites } from "./restore-items.ts";

interface Context extends AgentReader {
  caller: Authority;
  /** The actor that restores the version, in the form of the audit log's actors. */
  actor: string;
  now: number;
}

interface Restoration {
  id: string;
  number: number;
  /** The revision on which the change is based; null for any. */
  ifMatch: number | null;
}

const NOT_ITS_OWN =
  "the version contains an item that was deleted or that none of this API key's agents has, and the key may " +
  "not restore it";

/** The maximum number of attempts if others change the agent in the meantime. */
const TRIES = 5;

/**
 * Makes a version the agent's draft again, in one write that depends on the agent as it was read. If others change the
 * agent in the meantime, it starts again. @throws ApiError 403, 404, 409, 412
 */
export async function restoreVersion(context: Context, restoration: Restoration) {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const agent = await tryToRestore(context, restoration);
      if (agent) return agent;
    } catch (error) {
      // An item was created or deleted after it was read, or the agent or one of its tools has changed.
      if (!(error instanceof UniqueViolation || error instanceof ReferenceViolation)) throw error;
    }
  }
  throw changing();
}

async function tryToRestore(
  { env, store, inService, caller, actor, now }: Context,
  { id, number, ifMatch }: Restoration,
) {
  const [tools, playbooks, faqs, documents, ...found] = await store.read(
    ...itemReads(store, { agent_id: id, number, caller }),
    ...contentReads(store, id, [number]),
  );
  const current = foundAgent(found);
  if (!current) throw notFound("agent");
  const version = current.versions.get(number);
  if (!version) throw notFound("agent version");
  const { row, draft } = current;
  const { content } = version;
  assertMayChange(caller, draft, content);
  const items = restoredItems(version.row.items, content, [tools, playbooks, faqs, documents]);
  if (items.created + items.gone > 0 && caller.agentIds !== null)
    throw new ApiError(403, "agent_not_allowed", NOT_ITS_OWN);
  // Creating a tool that uses an integration requires `connect`, even if the tool was disabled for the agent.
  const created = items.tools.filter(({ name }) => name === null);
  if (created.some(({ item: { body } }) => namesIntegration(body))) requireScopes(caller, ["connect"]);
  const at = new Date(now).toISOString();
  // The agent must still be as it was read, because the decision was based on that.
  const isAsRead = all(eq(agents.id, id), isRevision(agents, ifMatch), isRevision(agents, row.revision));
  const whileRead = sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${isAsRead})`;
  const { prompts, active_prompt_id } = promptWrites(
    { store, actor, at, now },
    id,
    content.fields.system_prompt,
    whileRead,
  );
  const set = Object.assign({}, content.fields, { active_prompt_id, updated_at: at });
  const changes = changedColumns(agents, content.fields);
  const guard = refuseUnlessAsRead(store, current, at);
  const before = [guard, ...restoreWrites(store, { agent_id: id, at, whileRead }, items), ...prompts];
  const entry = { action: "restore_version", resource: "agent", resource_id: id, changes } as const;
  const { agent, isChanged } = await tryChange(
    { env, store, inService },
    entry,
    store.revise(agents, set, isAsRead, null),
    before,
  );
  if (!isChanged && ifMatch !== null && agent.revision !== ifMatch) throw await changedMeanwhile(store, "agent", agent);
  return isChanged ? agent : null;
}

/**
 * Returns the writes that make a text the agent's active prompt: an earlier prompt version with that text, otherwise a
 * new one.
 */
function promptWrites(
  { store, actor, at, now }: { store: AccountStore; actor: string; at: string; now: number },
  agent_id: string,
  system_prompt: string,
  whileRead: SQL,
): { prompts: Write<unknown>[]; active_prompt_id: SQL } {
  const ofText = sql`FROM agent_prompts WHERE account = ${store.account} AND agent_id = ${agent_id} AND system_prompt = ${system_prompt}`;
  const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM agent_prompts WHERE account = ${store.account} AND agent_id = ${agent_id})`;
  const prompt = {
    id: uuidv7({ msecs: now }),
    agent_id,
    version,
    system_prompt,
    created_by: actor,
    created_at: at,
  };
  const isMissing = sql`${whileRead} AND NOT EXISTS (SELECT 1 ${ofText})`;
  return {
    prompts: [store.insertIf(agentPrompts, prompt, isMissing)],
    // The active prompt if it has the text, otherwise the newest prompt that has.
    active_prompt_id: sql`(SELECT id ${ofText} ORDER BY id = ${agents.active_prompt_id} DESC, version DESC LIMIT 1)`,
  };
}
