import { CATALOG } from "../../catalog/index.ts";
import { type Installed, whyNotReady } from "../../integrations/readiness.ts";
import { parseTemplate, textsIn } from "./template.ts";

/** The integrations that a tool's configuration names, each with those of its params and secrets that it names. */
export function referencesOf(config: Record<string, unknown>): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>();
  if (typeof config.integration === "string") references.set(config.integration, new Set());
  for (const part of textsIn(config).flatMap(parseTemplate)) {
    if (part.kind !== "reference") continue;
    references.set(part.integration, (references.get(part.integration) ?? new Set()).add(part.field));
  }
  return references;
}

/** What a configuration names that the catalogue does not have, as `integration` or `integration.field`. */
export function unknownReferences(config: Record<string, unknown>): string[] {
  return [...referencesOf(config)].flatMap(([name, fields]) => {
    const integration = CATALOG.integrations.find((one) => one.name === name);
    if (!integration) return [name];
    const has = new Set([...integration.params, ...integration.secrets].map((field) => field.name));
    return [...fields].filter((field) => !has.has(field)).map((field) => `${name}.${field}`);
  });
}

/** Why a tool with this configuration cannot be used with what the account has installed, null where it can. */
export function whyUnavailable(config: Record<string, unknown>, installs: Installed[]): string | null {
  return whyNotReady(referencesOf(config), installs);
}
