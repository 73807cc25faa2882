import { integrationNamed, isSecret, paramOf } from "../../integrations/fields.ts";
import { parseTemplate, textsIn } from "./template.ts";

/** Returns the integrations that a tool's configuration names, each with the params and secrets that it uses. */
export function referencesOf(config: Record<string, unknown>): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>();
  if (typeof config.integration === "string") references.set(config.integration, new Set());
  for (const part of textsIn(config).flatMap(parseTemplate)) {
    if (part.kind !== "reference") continue;
    references.set(part.integration, (references.get(part.integration) ?? new Set()).add(part.field));
  }
  return references;
}

/** Returns the references that the catalogue does not have, as `integration` or `integration.field`. */
export function unknownReferences(config: Record<string, unknown>): string[] {
  return [...referencesOf(config)].flatMap(([name, fields]) => {
    const integration = integrationNamed(name);
    if (!integration) return [name];
    const exists = (field: string) => paramOf(integration, field) !== undefined || isSecret(integration, field);
    return [...fields].filter((field) => !exists(field)).map((field) => `${name}.${field}`);
  });
}
