/**
 * Returns a condition that a column has one of these agents, with the value of its placeholder. The statement is the
 * same for any number of agents.
 */
export function oneOfAgents(column: string, agentIds: readonly string[]): [sql: string, value: string] {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(agentIds)];
}
