import { CATALOG } from "../catalog/index.ts";
import type { CatalogField, CatalogIntegration } from "../catalog/types.ts";

/** The allowed names of an account's own secrets. */
const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export function integrationNamed(name: string): CatalogIntegration | undefined {
  return CATALOG.integrations.find((integration) => integration.name === name);
}

/** Returns a param of an integration; undefined if it has none of this name. */
export function paramOf({ params }: CatalogIntegration, name: string): CatalogField | undefined {
  return params.find((field) => field.name === name);
}

/** Checks whether a name is that of a secret: one that the integration asks for, or any if it accepts all names. */
export function isSecret(integration: CatalogIntegration, name: string): boolean {
  if (integration.secrets.some((field) => field.name === name)) return true;
  return integration.any_secrets === true && SECRET_NAME.test(name) && !paramOf(integration, name);
}
