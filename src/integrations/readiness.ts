import type { CatalogIntegration } from "../catalog/types.ts";
import type { integrationInstalls } from "../db/schema/index.ts";

type Install = Pick<typeof integrationInstalls.$inferSelect, "installed_at" | "params" | "secret_names">;

/** The names of the params and secrets that are stored and not empty. */
export function storedNames({ params, secret_names }: Pick<Install, "params" | "secret_names">): Set<string> {
  const filled = Object.entries(params).filter(([, value]) => value !== null && value !== "");
  return new Set([...filled.map(([name]) => name), ...secret_names]);
}

/** The params and secrets that the integration cannot do without and that are not stored. */
export function missingNames({ params, secrets }: CatalogIntegration, install: Install): string[] {
  const stored = storedNames(install);
  return [...params, ...secrets].filter(({ name, required }) => required && !stored.has(name)).map(({ name }) => name);
}
