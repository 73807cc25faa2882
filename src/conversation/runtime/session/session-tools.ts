import type { Installed } from "../../../agent/integrations/readiness.ts";
import { whyUnavailable } from "../../../agent/tools/run/references.ts";
import type { integrationInstalls, tools } from "../../../kernel/db/schema/index.ts";
import type { SessionSnapshot } from "./session.ts";

type ToolRow = Pick<
  typeof tools.$inferSelect,
  "name" | "description" | "implementation_type" | "implementation_code" | "implementation_config" | "schema"
>;
export type Install = typeof integrationInstalls.$inferSelect;
type Offered = Pick<SessionSnapshot, "tools" | "unavailable_tools">;

/** What the agent can use in a session, and what it has but cannot use, with the reason. */
export function toolsOf(rows: ToolRow[], installs: Installed[]): Offered {
  const offered: Offered = { tools: [], unavailable_tools: [] };
  for (const row of rows) {
    const reason = whyUnavailable(row.implementation_config, installs);
    if (reason === null) offered.tools.push(toolOf(row));
    else offered.unavailable_tools.push({ name: row.name, reason });
  }
  return offered;
}

function toolOf({ name, description, schema, implementation_type, implementation_code }: ToolRow) {
  const parameters = Object.keys(schema).length === 0 ? { type: "object", properties: {} } : schema;
  return implementation_type === "python"
    ? { name, description, parameters, runs: "runtime" as const, code: implementation_code }
    : { name, description, parameters, runs: "platform" as const };
}
