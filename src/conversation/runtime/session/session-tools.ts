import type { Installed } from "../../../agent/integrations/readiness.ts";
import { effectOf, maxRunsOf } from "../../../agent/tools/effect.ts";
import { checkSchema } from "../../../agent/tools/run/arguments.ts";
import { type BindingParty, bindArguments, unboundSchema } from "../../../agent/tools/run/bind.ts";
import { modelSchema } from "../../../agent/tools/run/model-schema.ts";
import { whyUnavailable } from "../../../agent/tools/run/secret-hosts.ts";
import type { integrationInstalls, tools } from "../../../kernel/db/schema/index.ts";
import type { SessionSnapshot } from "./session.ts";

type ToolRow = Pick<
  typeof tools.$inferSelect,
  | "name"
  | "description"
  | "implementation_type"
  | "implementation_code"
  | "implementation_config"
  | "schema"
  | "effect"
  | "max_runs"
  | "bind"
>;
export type Install = typeof integrationInstalls.$inferSelect;
type Offered = Pick<SessionSnapshot, "tools" | "unavailable_tools">;

/** Returns the tools that the agent can use in a session with this party, and the unavailable ones with the reason. */
export function toolsOf(rows: ToolRow[], installs: Installed[], party: BindingParty): Offered {
  const offered: Offered = { tools: [], unavailable_tools: [] };
  for (const row of rows) {
    const fault = checkSchema(row.schema);
    const reason = fault === null ? whyUnavailable(row.implementation_config, installs) : `its schema: ${fault}`;
    const bound = bindArguments(row.bind, party);
    if (reason !== null) offered.unavailable_tools.push({ name: row.name, reason });
    else if ("refused" in bound) offered.unavailable_tools.push({ name: row.name, reason: bound.refused });
    else offered.tools.push(toolOf(row, bound.values));
  }
  return offered;
}

function toolOf(row: ToolRow, bound: Record<string, string>): SessionSnapshot["tools"][number] {
  const { name, description, schema, bind } = row;
  const parameters = unboundSchema(modelSchema(schema), bind);
  const [effect, max_runs] = [effectOf(row), maxRunsOf(row)];
  if (row.implementation_type === "http") return { name, description, parameters, effect, max_runs, runs: "platform" };
  const code = row.implementation_code;
  const tool = { name, description, parameters, effect, max_runs, runs: "runtime" as const, code };
  return Object.keys(bound).length === 0 ? tool : Object.assign(tool, { bound });
}
