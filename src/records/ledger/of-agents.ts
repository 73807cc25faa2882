/** The condition that a column holds one of these agents, with the value of its mark: however many, it is one statement. */
export function oneOfAgents(column: string, agentIds: readonly string[]): [sql: string, value: string] {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(agentIds)];
}
