import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";

/**
 * The condition that some agent has a tool switched on that names the integration: as the tool is, as the agent holds it,
 * or as the version in force has it.
 */
export function isInUse({ account }: AccountStore, integration: string): SQL {
  // Whatever stands between the braces and the name. A text that only looks like a reference counts as one.
  const names = (config: SQL) =>
    sql`(${config} ->> 'integration' = ${integration} OR ${config} LIKE ${`%{{%${integration}.%`})`;
  const body = sql`(b.body -> 'implementation_config')`;
  const attached = sql`SELECT 1 FROM agent_tools AS l
    JOIN tools AS t ON t.account = l.account AND t.name = l.tool_name
    LEFT JOIN version_bodies AS b ON b.account = l.account AND b.hash = l.body_hash
    WHERE l.account = ${account} AND l.enabled AND ${names(sql`coalesce(${body}, t.implementation_config)`)}`;
  const published = sql`SELECT 1 FROM agents AS a
    JOIN agent_versions AS v ON v.account = a.account AND v.agent_id = a.id AND v.number = a.published_version
    JOIN json_each(v.items) AS i
    JOIN version_bodies AS b ON b.account = v.account AND b.hash = i.value ->> 'hash'
    WHERE a.account = ${account} AND a.versioning = 'manual' AND i.value ->> 'kind' = 'tool'
      AND coalesce(i.value ->> '$.settings.enabled', 1) AND ${names(body)}`;
  return sql`(EXISTS (${attached}) OR EXISTS (${published}))`;
}
