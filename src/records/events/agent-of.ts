/** The agent whose events an event's data is among; null for what is of no agent, or of all. */
export function agentOf({ agent_id, scope, scope_id }: Record<string, unknown>): string | null {
  const id = scope === "agent" ? scope_id : agent_id;
  return typeof id === "string" ? id : null;
}
