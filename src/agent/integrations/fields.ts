import { CATALOG } from "../catalog/index.ts";
import type { CatalogField, CatalogIntegration } from "../catalog/types.ts";

/** The allowed names of secrets that an account names itself. */
const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export function integrationNamed(name: string): CatalogIntegration | undefined {
  return CATALOG.integrations.find((integration) => integration.name === name);
}

/** Returns the param of an integration with this name; undefined if there is none. */
export function paramOf({ params }: CatalogIntegration, name: string): CatalogField | undefined {
  return params.find((field) => field.name === name);
}

/**
 * Checks whether this is the name of a secret of the integration. Any name is, if the integration accepts all names.
 */
export function isSecret(integration: CatalogIntegration, name: string): boolean {
  if (integration.secrets.some((field) => field.name === name)) return true;
  return integration.any_secrets === true && SECRET_NAME.test(name) && !paramOf(integration, name);
}
