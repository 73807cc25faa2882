import { CATALOG } from "../../catalog/index.ts";
import type { integrationInstalls, tools } from "../../db/schema/index.ts";
import { missingNames, storedNames } from "../../integrations/readiness.ts";
import type { SessionSnapshot } from "./session.ts";

type ToolRow = Pick<
  typeof tools.$inferSelect,
  "name" | "description" | "implementation_type" | "implementation_code" | "implementation_config" | "schema"
>;
export type Install = typeof integrationInstalls.$inferSelect;
type Installed = Pick<Install, "id" | "installed_at" | "params" | "secret_names">;
type Offered = Pick<SessionSnapshot, "tools" | "unavailable_tools">;

/** `{{integration.param_or_secret}}`, wherever it stands in a tool's configuration. */
const REFERENCE = /\{\{\s*([a-z]\w*)\.(\w+)\s*\}\}/g;

/** What the agent can use in a session, and what it has but cannot use, with the reason. */
export function toolsOf(rows: ToolRow[], installs: Installed[]): Offered {
  const offered: Offered = { tools: [], unavailable_tools: [] };
  for (const row of rows) {
    const reason = whyUnavailable(row, installs);
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

function whyUnavailable({ implementation_config }: ToolRow, installs: Installed[]): string | null {
  for (const [name, fields] of referencesOf(implementation_config)) {
    const reason = whyNotReady(name, fields, installs);
    if (reason !== null) return reason;
  }
  return null;
}

/** The integrations that a tool's configuration names, each with those of its params and secrets that it names. */
function referencesOf(config: Record<string, unknown>): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>();
  if (typeof config.integration === "string") references.set(config.integration, new Set());
  for (const [, name = "", field = ""] of JSON.stringify(config).matchAll(REFERENCE)) {
    references.set(name, (references.get(name) ?? new Set()).add(field));
  }
  return references;
}

function whyNotReady(name: string, fields: Set<string>, installs: Installed[]): string | null {
  const integration = CATALOG.integrations.find((known) => known.name === name);
  if (!integration) return `there is no integration ${name}`;
  const install = installs.find(({ id }) => id === integration.id);
  if (!install || install.installed_at === null) return `the integration ${name} is not installed`;
  const missing = new Set([...missingNames(integration, install), ...fields.difference(storedNames(install))]);
  return missing.size === 0 ? null : `the integration ${name} lacks ${[...missing].join(", ")}`;
}
