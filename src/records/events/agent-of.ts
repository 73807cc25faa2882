/** Returns the agent that an event's data is about; null if it is about no agent or about all of them. */
export function agentOf({ agent_id, scope, scope_id }: Record<string, unknown>): string | null {
  const id = scope === "agent" ? scope_id : agent_id;
  return typeof id === "string" ? id : null;
}
