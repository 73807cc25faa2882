import { CATALOG } from "../catalog/index.ts";
import type { CatalogField, CatalogIntegration } from "../catalog/types.ts";

/** Names that secrets of one's own may have. */
const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** The integration that tools' configurations call so. */
export function integrationNamed(name: string): CatalogIntegration | undefined {
  return CATALOG.integrations.find((integration) => integration.name === name);
}

/** A param of an integration, undefined if it has none of this name. */
export function paramOf({ params }: CatalogIntegration, name: string): CatalogField | undefined {
  return params.find((field) => field.name === name);
}

/** Whether a name is that of a secret: one it asks for, or of one's own where it takes any. */
export function isSecret(integration: CatalogIntegration, name: string): boolean {
  if (integration.secrets.some((field) => field.name === name)) return true;
  return integration.any_secrets === true && SECRET_NAME.test(name) && !paramOf(integration, name);
}
