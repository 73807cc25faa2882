import { eq, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { AccountStore } from "../db/account-store.ts";
import { changedFields, oldValue } from "../db/audit-changes.ts";
import { agentPrompts, agents } from "../db/schema/index.ts";
import type { AgentChanges } from "./contract.ts";
import { agentRow, changeAgent } from "./joined.ts";

interface Context {
  store: AccountStore;
  /** Who changes it. */
  created_by: string;
  now: number;
}

/** Changes an agent; a system prompt that is another becomes its next version, and the active one. @throws ApiError 404 */
export async function updateAgent({ store, created_by, now }: Context, id: string, changes: AgentChanges) {
  const before = await agentRow(store, id);
  // Of the status the old value is told: as the row has it at that moment.
  const was = Object.assign({}, before, { status: oldValue(agents.status) });
  const entry = { action: "update", resource: "agent", resource_id: id, changes: changedFields(was, changes) };
  const at = new Date(now).toISOString();
  const isAgent = eq(agents.id, id);
  const { system_prompt } = changes;
  if (system_prompt === undefined || system_prompt === before.system_prompt) {
    return changeAgent(store, entry, store.update(agents, { ...changes, updated_at: at }, isAgent));
  }
  const promptId = uuidv7({ msecs: now });
  const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM agent_prompts WHERE account = ${store.account} AND agent_id = ${id})`;
  const prompt = { id: promptId, agent_id: id, version, system_prompt, created_by, created_at: at };
  const set = { ...changes, active_prompt_id: promptId, updated_at: at };
  return changeAgent(store, entry, store.update(agents, set, isAgent), [store.insert(agentPrompts, prompt)]);
}
