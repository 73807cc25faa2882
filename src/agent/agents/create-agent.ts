import type { SQL } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { agentPrompts, agents } from "../../kernel/db/schema/index.ts";
import type { NewAgent } from "./contract.ts";
import type { AgentReader } from "./joined.ts";

interface Context {
  store: AccountStore;
  /** The actor that creates it. */
  created_by: string;
  now: number;
  newId: () => string;
}

/** Creates an agent. Its prompt becomes the first version; it has no FAQs, playbooks or tools yet. */
export async function createAgent(context: Context & AgentReader, fields: NewAgent) {
  const { row, statements } = newAgent(context, fields);
  const entry = { action: "create", resource: "agent", resource_id: row.id } as const;
  const [, , inServiceOf] = await context.store.write(entry, ...statements, context.inService.ofNew(row));
  return { ...row, faqs: [], playbooks: [], knowledge: [], tools: [], left_out: [], in_service: inServiceOf(row.id) };
}

/**
 * Returns a new agent's row and the statements that create it, to be combined with others in one atomic write. If
 * `condition` does not hold, the whole write fails with a ReferenceViolation.
 */
export function newAgent({ store, created_by, now, newId }: Context, fields: NewAgent, condition?: SQL) {
  const id = newId();
  const active_prompt_id = uuidv7({ msecs: now });
  const created_at = new Date(now).toISOString();
  const row = {
    ...fields,
    id,
    active_prompt_id,
    published_version: null,
    created_by,
    created_at,
    updated_at: created_at,
  };
  const { system_prompt } = fields;
  const prompt = { id: active_prompt_id, agent_id: id, version: 1, system_prompt, created_by, created_at };
  const agent = condition ? store.insertIf(agents, row, condition) : store.insert(agents, row);
  const statements: [Write<unknown>, Write<unknown>] = [agent, store.insert(agentPrompts, prompt)];
  return { row, statements };
}
