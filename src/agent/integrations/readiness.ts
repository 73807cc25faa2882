import type { integrationInstalls } from "../../kernel/db/schema/index.ts";
import type { CatalogIntegration } from "../catalog/types.ts";
import { integrationNamed } from "./fields.ts";
import { readHostParam } from "./hosts.ts";

/** The fields of an install that determine whether it is ready, without the values of secrets. */
export type Installed = Pick<
  typeof integrationInstalls.$inferSelect,
  "id" | "installed_at" | "params" | "secret_names"
>;

/** Whether an account can use an integration, what is missing, and a sentence with the reason if it cannot. */
export interface Readiness {
  ready: boolean;
  /** The required params and secrets that are not stored. */
  missing: string[];
  reason: string | null;
}

/**
 * Returns the state of an integration in an account. `needs` lists params and secrets that are needed in addition to
 * the required ones.
 */
export function readinessOf(
  integration: CatalogIntegration,
  install: Installed | undefined,
  needs: ReadonlySet<string> = new Set(),
): Readiness {
  const { name, auth, params, secrets, checks } = integration;
  const stored = install ? storedNames(install) : new Set<string>();
  const missing = [...params, ...secrets]
    .filter((field) => field.required && !stored.has(field.name))
    .map((field) => field.name);
  const not = (reason: string): Readiness => ({ ready: false, missing, reason });
  if (auth !== "token") {
    return not(`the integration ${name} cannot be connected yet${"none" in checks ? `: ${checks.none}` : ""}`);
  }
  if (!install || install.installed_at === null) return not(`the integration ${name} is not installed`);
  const lacks = new Set([...missing, ...needs.difference(stored)]);
  if (lacks.size > 0) return not(`the integration ${name} lacks ${[...lacks].join(", ")}`);
  // Earlier releases stored any text, so stored params are checked again.
  for (const field of params) {
    const value = install.params[field.name];
    const read = field.host && stored.has(field.name) ? readHostParam(field.host, value) : null;
    if (read && "fault" in read) return not(`the integration ${name} cannot be used: ${field.name} ${read.fault}`);
  }
  return { ready: true, missing, reason: null };
}

/** Returns why something that refers to these integrations and fields cannot be used; null if it can. */
export function whyNotReady(
  references: ReadonlyMap<string, ReadonlySet<string>>,
  installs: Installed[],
): string | null {
  for (const [name, fields] of references) {
    const integration = integrationNamed(name);
    if (!integration) return `there is no integration named ${name}`;
    const install = installs.find(({ id }) => id === integration.id);
    const { reason } = readinessOf(integration, install, fields);
    if (reason !== null) return reason;
  }
  return null;
}

/** Returns the names of the params and secrets that are stored and not empty. */
function storedNames({ params, secret_names }: Installed): Set<string> {
  const filled = Object.entries(params).filter(([, value]) => value !== null && value !== "");
  return new Set([...filled.map(([name]) => name), ...secret_names]);
}
