import { type SQL, sql } from "drizzle-orm";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import type { Authority } from "../../kernel/scopes.ts";

/** Widget keys that lead to the caller's agents, as a condition; none for a caller who is not limited to agents. */
export function leadsToOwn({ agentIds }: Pick<Authority, "agentIds">): SQL | undefined {
  if (agentIds === null) return undefined;
  return sql`${widgetKeys.agent_id} IN (SELECT value FROM json_each(${JSON.stringify(agentIds)}))`;
}
