import type { CatalogIntegration } from "../../catalog/types.ts";
import { integrationNamed, isSecret, paramOf } from "../../integrations/fields.ts";
import { mayReceive, readHostParam, secretOrigins, shownHosts, shownOrigin } from "../../integrations/hosts.ts";
import { type Installed, whyNotReady } from "../../integrations/readiness.ts";
import { splitUrl } from "./config.ts";
import { referencesOf } from "./references.ts";
import { parseTemplate } from "./template.ts";

type Params = Record<string, unknown>;
type Stored = Pick<Installed, "id" | "params">;

/** A sentence about a secret that a tool would send to a host for which it was not given; null if there is none. */
export type SecretHostFault = string | null;

/**
 * Checks, as far as possible before a tool runs, whether it would send a secret to a host other than its integration's.
 * Params of the host that are not stored yet are compared by name.
 */
export function secretHostFault(config: Record<string, unknown>, installs: readonly Stored[]): SecretHostFault {
  if (typeof config.url !== "string") return null;
  const paramsOf = (integration: CatalogIntegration) => installs.find(({ id }) => id === integration.id)?.params ?? {};
  const target = targetOf(config.url, paramsOf);
  for (const { integration, secret } of secretsIn(config)) {
    const params = paramsOf(integration);
    const isAllowed = target.isResolved
      ? mayReceive(integration, params, target.origin)
      : integration.hosts.some((host) => namedTemplate(integration, host) === target.origin);
    if (!isAllowed) return faultOf(integration, secret, target.origin, params);
  }
  return null;
}

/** Checks the same for a request's actual address, with all values filled in. */
export function sentSecretFault(
  config: Record<string, unknown>,
  address: string,
  installs: readonly Stored[],
): SecretHostFault {
  const { origin } = new URL(address);
  for (const { integration, secret } of secretsIn(config)) {
    const params = installs.find(({ id }) => id === integration.id)?.params ?? {};
    if (!secretOrigins(integration, params).includes(origin)) return faultOf(integration, secret, origin, params);
  }
  return null;
}

/** Checks whether a configuration uses a secret. Only then do stored params decide where the tool may send requests. */
export function hasSecrets(config: Record<string, unknown>): boolean {
  return secretsIn(config).length > 0;
}

/** Returns why a tool with this configuration cannot be used with the account's integrations; null if it can. */
export function whyUnavailable(config: Record<string, unknown>, installs: Installed[]): string | null {
  return whyNotReady(referencesOf(config), installs) ?? secretHostFault(config, installs);
}

function secretsIn(config: Record<string, unknown>): { integration: CatalogIntegration; secret: string }[] {
  return [...referencesOf(config)].flatMap(([name, fields]) => {
    const integration = integrationNamed(name);
    if (!integration) return [];
    return [...fields].filter((field) => isSecret(integration, field)).map((secret) => ({ integration, secret }));
  });
}

/** Returns the target of an address: its origin, or the template of its host if one of its params is not stored. */
function targetOf(url: string, paramsOf: (integration: CatalogIntegration) => Params) {
  const { base, scheme, host } = splitUrl(url);
  let isResolved = true;
  const text = parseTemplate(base ?? host)
    .map((part) => {
      if (part.kind === "text") return part.text;
      const value = part.kind === "reference" ? valueOfParam(part.integration, part.field, paramsOf) : null;
      if (value === null) isResolved = false;
      return value ?? (part.kind === "reference" ? `{${part.integration}.${part.field}}` : `{${part.name}}`);
    })
    .join("");
  const address = base === null ? `${scheme}://${text}` : text;
  if (isResolved && URL.canParse(address)) return { isResolved, origin: new URL(address).origin };
  // An invalid address matches no host. It is reported elsewhere.
  return { isResolved: false, origin: base === null ? address.toLowerCase() : text };
}

function valueOfParam(name: string, field: string, paramsOf: (integration: CatalogIntegration) => Params) {
  const integration = integrationNamed(name);
  if (!integration) return null;
  const value = paramsOf(integration)[field];
  const rule = paramOf(integration, field)?.host;
  if (rule === undefined) return typeof value === "string" && value !== "" ? value : null;
  const read = readHostParam(rule, value);
  return "value" in read ? read.value : null;
}

/**
 * Returns a host template in the form that tools use while params are unknown:
 * `https://{zendesk.subdomain}.zendesk.com`.
 */
function namedTemplate({ name }: CatalogIntegration, host: string): string {
  const named = host.replace(/\{(\w+)\}/, (_, param: string) => `{${name}.${param}}`);
  return host === "{base_url}" ? named : `https://${named}`;
}

function faultOf(integration: CatalogIntegration, secret: string, origin: string, params: Params): string {
  const allowed = shownHosts(integration, params).join(", ");
  return `the secret ${integration.name}.${secret} must not be sent to ${shownOrigin(origin).slice(0, 200)}; it may only go to ${allowed}`;
}
