import { type SQL, sql } from "drizzle-orm";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import type { Authority } from "../../kernel/scopes.ts";

/** Returns the condition for widget keys that the caller may use: all, or those pinned to an API key's agents. */
export function pinnedToOwn({ agentIds }: Pick<Authority, "agentIds">): SQL {
  if (agentIds === null) return sql`true`;
  return sql`${widgetKeys.agent_id} IN (SELECT value FROM json_each(${JSON.stringify(agentIds)}))`;
}
