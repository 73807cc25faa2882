import { type SQL, sql } from "drizzle-orm";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import type { Authority } from "../../kernel/scopes.ts";

/** The widget keys that the caller may use: all, or for an API key limited to agents those pinned to one of them. */
export function pinnedToOwn({ agentIds }: Pick<Authority, "agentIds">): SQL {
  if (agentIds === null) return sql`true`;
  return sql`${widgetKeys.agent_id} IN (SELECT value FROM json_each(${JSON.stringify(agentIds)}))`;
}
