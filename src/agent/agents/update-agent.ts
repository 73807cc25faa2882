import { eq, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { Write } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { mergedJson } from "../../kernel/db/merged-json.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { agentPrompts, agents } from "../../kernel/db/schema/index.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { changing } from "../versions/publish.ts";
import type { AgentChanges } from "./contract.ts";
import { type AgentReader, tryChange } from "./joined.ts";
import { judgeChanges } from "./judge-changes.ts";

interface Context extends AgentReader {
  caller: Authority;
  /** The actor that changes it. */
  created_by: string;
  now: number;
}

interface AgentUpdate {
  id: string;
  changes: AgentChanges;
  /** The revision on which the change is based; null for any. */
  ifMatch: number | null;
}

/** The maximum number of attempts if others change the agent in the meantime. */
const TRIES = 5;

/**
 * Changes an agent. A different system prompt becomes the next prompt version and the active one. The decision is part
 * of the write, which checks that the agent is unchanged.
 * @throws ApiError 403, 404, 409, 412
 */
export async function updateAgent(context: Context, update: AgentUpdate) {
  const { store, caller } = context;
  const { id, changes, ifMatch } = update;
  for (let tries = 0; tries < TRIES; tries++) {
    const isJudged = await judgeChanges(store, caller, id, changes);
    const { agent, isChanged } = await tryToUpdate(context, update, isJudged);
    if (isChanged) return agent;
    if (ifMatch !== null && agent.revision !== ifMatch) throw await changedMeanwhile(store, "agent", agent);
  }
  throw changing();
}

/**
 * Changes the agent if `isJudged` holds and it has the revision. Returns the agent as it is afterwards.
 * @throws ApiError 404
 */
async function tryToUpdate(
  { env, store, inService, created_by, now }: Context,
  { id, changes, ifMatch }: AgentUpdate,
  isJudged: SQL | undefined,
) {
  const at = new Date(now).toISOString();
  const isAgent = all(eq(agents.id, id), isJudged);
  const { analysis, phrases, ...columns } = changes;
  type Set = Parameters<typeof store.reviseIfOther<typeof agents>>[1];
  const set: Set = { ...columns };
  const marks: Set = { updated_at: at };
  const changed = changedColumns(agents, columns);
  for (const [column, given] of [["analysis", analysis] as const, ["phrases", phrases] as const]) {
    if (given === undefined) continue;
    const merged = mergedJson(agents[column], given);
    set[column] = merged;
    changed[column] = sql`${agents[column]} IS NOT ${merged}`;
  }
  const before: Write<unknown>[] = [];
  const { system_prompt } = changes;
  if (system_prompt !== undefined) {
    const promptId = uuidv7({ msecs: now });
    const isAnother = sql`${agents.system_prompt} IS NOT ${system_prompt}`;
    const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM agent_prompts WHERE account = ${store.account} AND agent_id = ${id})`;
    const prompt = {
      id: promptId,
      agent_id: id,
      version,
      system_prompt,
      created_by,
      created_at: at,
    };
    const isChanged = all(isAgent, isRevision(agents, ifMatch), isAnother);
    before.push(store.insertSelected(agentPrompts, agents, isChanged, prompt));
    marks.active_prompt_id = sql`iif(${isAnother}, ${promptId}, ${agents.active_prompt_id})`;
  }
  const entry = { action: "update", resource: "agent", resource_id: id, changes: changed } as const;
  const change = store.reviseIfOther(agents, set, marks, isAgent, ifMatch);
  return tryChange({ env, store, inService }, entry, change, before);
}
