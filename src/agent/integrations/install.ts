import { eq, type SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { agents, integrationInstalls } from "../../kernel/db/schema/index.ts";
import { secretsContext } from "../../kernel/db/seal-contexts.ts";
import { type EgressRules, egressRules } from "../../kernel/egress/address.ts";
import { ApiError, conflict, invalidField } from "../../kernel/http/errors.ts";
import { whySettingsUnchanged } from "../../kernel/http/if-match.ts";
import { invalidFields } from "../../kernel/http/issues.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { type Authority, missingScope } from "../../kernel/scopes.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { CatalogIntegration } from "../catalog/types.ts";
import { SCOPES_TO_REDIRECT } from "../versions/may-change.ts";
import { isSecret, paramOf } from "./fields.ts";
import { faultOfHostParam, readHostParam } from "./hosts.ts";
import { openSecrets } from "./stored-secrets.ts";

type Install = typeof integrationInstalls.$inferSelect;
type Param = string | number | boolean | null;

/** The values to store. Null and an empty text remove the stored value. */
export interface Sent {
  params?: Record<string, Param> | undefined;
  secrets?: Record<string, string | null> | undefined;
}

interface Context {
  env: Pick<Env, "ENCRYPTION_KEYS" | "TOOL_HOSTS" | "PUBLIC_URL" | "ALLOWED_HOSTS">;
  store: AccountStore;
  caller: Authority;
  now: number;
  /** The revision on which the change is based; null for any. */
  ifMatch: number | null;
}

/** The maximum number of attempts if other installs interfere. */
const MAX_TRIES = 3;

/** The maximum number of secrets that an account names itself. */
const MAX_SECRETS = 50;

/**
 * Installs an integration, or changes its stored values: the sent values are merged with the stored ones by name.
 * Secrets belong to the hosts for which they were given: if a param that determines the host changes, only secrets sent
 * with it are kept. If an agent has an enabled tool that names the integration, then changed params, any secret, and
 * anything after an uninstall require the same scopes as attaching the tool. The same applies to an integration that
 * receives conversations.
 * @throws ApiError 400 for an unknown name or a param that names no host, 403, 412; VaultUnavailable
 */
export async function install(context: Context, integration: CatalogIntegration, sent: Sent): Promise<Install> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const installed = await tryInstall(context, integration, sent);
    if (installed) return installed;
    if (context.ifMatch !== null)
      throw await whySettingsUnchanged(context.store, integrationInstalls, isIts(integration), "integration");
  }
  throw conflict("changed_meanwhile", "another request is changing this integration's secrets; try again");
}

/**
 * Tries to install the integration. Returns null if the secrets changed after they were read, because the write would
 * be wrong.
 */
async function tryInstall({ env, store, caller, now, ifMatch }: Context, integration: CatalogIntegration, sent: Sent) {
  const { id } = integration;
  const inUse = isInUse(store, integration.name);
  const [before, using] = await store.read(
    store.first(integrationInstalls, { where: isIts(integration) }),
    store.count(agents, inUse),
  );
  refuseUnknown(integration, sent, before);
  const at = new Date(now).toISOString();
  const params = cleaned(sent.params ?? {});
  const isJudged = missingScope(SCOPES_TO_REDIRECT, caller.scopes) !== null;
  const redirects =
    isJudged && (!before?.installed_at || isAnyOther(before.params, params) || givesSecret(sent.secrets ?? {}));
  const isHeard = integration.hears === true;
  if (redirects && (isHeard || using > 0)) requireScopes(caller, SCOPES_TO_REDIRECT);
  refuseUnfit(integration, params, egressRules(env));
  const kept = leadElsewhere(integration, before?.params ?? {}, params) ? undefined : before;
  const sealed = await mergedSecrets(new Vault(env.ENCRYPTION_KEYS), { account: store.account, id }, kept, sent);
  const set = {
    installed_at: at,
    updated_at: at,
    params: sql`json_patch(${integrationInstalls.params}, ${JSON.stringify(params)})`,
    secrets: sealed.secrets,
    secret_names: sealed.secret_names,
  };
  const isAsRead = [
    sql`${integrationInstalls.secrets} IS ${before?.secrets ?? null}`,
    ...decidingParams(integration).map(({ name }) => hasParam(name, before?.params[name])),
    ...(isJudged ? asJudged(before, params) : []),
    ...(redirects ? [sql`NOT ${inUse}`] : []),
  ];
  const [, [row]] = await store.write(
    // Sent secrets are always audited as changed, because sealed values cannot be compared.
    { action: "install", ...auditedAs(integration), changes: changedFields({}, sent) },
    store.insertDefaults(integrationInstalls, { ...NOT_INSTALLED, id, created_at: at, updated_at: at }, ifMatch),
    subject(store.revise(integrationInstalls, set, all(isIts(integration), ...isAsRead), ifMatch)),
  );
  return row ?? null;
}

const NOT_INSTALLED = { installed_at: null, params: {}, secrets: null, secret_names: [], revision: OF_DEFAULTS };

/** Returns the audit log's names of an integration. They are only in the catalogue. */
export const auditedAs = ({ id, display_name }: CatalogIntegration) => ({
  resource: "integration" as const,
  resource_id: id,
  resource_name: display_name,
});

const isIts = ({ id }: CatalogIntegration) => eq(integrationInstalls.id, id);

/** Returns the params that determine to which hosts secrets are sent. */
const decidingParams = ({ params }: CatalogIntegration) => params.filter(({ host }) => host !== undefined);

/** Returns the condition that a param is still stored as it was read. */
const hasParam = (name: string, value: unknown) =>
  sql`json_extract(${integrationInstalls.params}, ${`$.${name}`}) IS json_extract(${JSON.stringify(value ?? null)}, '$')`;

/** Checks whether any of these params differs from the stored one. */
const isAnyOther = (before: Install["params"], sent: Install["params"]): boolean =>
  Object.entries(sent).some(([name, value]) => (before[name] ?? null) !== value);

/**
 * Checks whether a secret is given. A secret determines the vendor's account that tools use, and so who receives what
 * they send. Sealed secrets are not compared, so a repeated secret counts too.
 */
const givesSecret = (secrets: Record<string, string | null>): boolean =>
  Object.values(cleaned(secrets)).some((value) => value !== null);

/** Returns the conditions that everything on which the decision was based is unchanged. */
function asJudged(before: Install | undefined, sent: Install["params"]): SQL[] {
  const params = Object.keys(sent).map((name) => hasParam(name, before?.params[name]));
  return [sql`${integrationInstalls.installed_at} IS ${before?.installed_at ?? null}`, ...params];
}

/**
 * Checks whether secrets would be sent to other hosts with these params than with the stored ones. A param that had no
 * value before doesn't count.
 */
function leadElsewhere(integration: CatalogIntegration, before: Install["params"], sent: Install["params"]): boolean {
  return decidingParams(integration).some(({ name, host }) => {
    const [was, is] = [before[name], sent[name]];
    if (host === undefined || is === undefined || was === undefined || was === null || was === "") return false;
    if (integration.hears) return is !== was;
    const [from, to] = [readHostParam(host, was), readHostParam(host, is)];
    return !("value" in from && "value" in to && from.value === to.value);
  });
}

/** Refuses params that lead to no host of the vendor. @throws ApiError 400 naming each of them */
function refuseUnfit(integration: CatalogIntegration, params: Install["params"], rules: EgressRules): void {
  const faults = decidingParams(integration).flatMap(({ name, host }) => {
    const value = params[name];
    if (host === undefined || value === undefined || value === null) return [];
    const message = faultOfHostParam(host, value, rules);
    return message === null ? [] : [{ field: `params.${name}`, code: "invalid_host", message }];
  });
  if (faults.length > 0) throw invalidFields(faults, "invalid_host");
}

/** Merges stored and sent secrets and seals them as one. The stored ones are opened only if some are kept. */
async function mergedSecrets(
  vault: Vault,
  { account, id }: Pick<Install, "account" | "id">,
  before: Install | undefined,
  sent: Sent,
): Promise<Pick<Install, "secrets" | "secret_names">> {
  const { secrets = null, secret_names = [] } = before ?? {};
  const changes = cleaned(sent.secrets ?? {});
  if (Object.keys(changes).length === 0) return { secrets, secret_names };
  const stays = secret_names.some((name) => !Object.hasOwn(changes, name));
  const opened = stays ? await openSecrets(vault, { account, id, secrets }) : {};
  const merged = filled({ ...opened, ...changes });
  const names = Object.keys(merged);
  if (names.length > MAX_SECRETS)
    throw invalidField("secrets", "too_many", `must not be more than ${MAX_SECRETS}, including those that are stored`);
  return {
    secrets: names.length === 0 ? null : await vault.seal(merged, secretsContext(account, id)),
    secret_names: names,
  };
}

/**
 * Refuses unknown names, except to remove stored values. @throws ApiError 400 with the unknown names and the known ones
 */
function refuseUnknown(integration: CatalogIntegration, sent: Sent, before: Install | undefined): void {
  const { name, ...asks } = integration;
  const unknown = (["params", "secrets"] as const).flatMap((kind) => {
    const stored = kind === "params" ? Object.keys(before?.params ?? {}) : (before?.secret_names ?? []);
    const has = (field: string) => (kind === "secrets" ? isSecret : paramOf)(integration, field);
    return Object.entries(cleaned(sent[kind] ?? {}))
      .filter(([field, value]) => !has(field) && !(value === null && stored.includes(field)))
      .map(([field]) => `${kind}.${field}`);
  });
  if (unknown.length === 0) return;
  const fields = (["params", "secrets"] as const).flatMap((kind) => asks[kind].map((field) => `${kind}.${field.name}`));
  const own = asks.any_secrets ? ["secrets of your own names (lowercase letters, digits and underscores)"] : [];
  const requested = [...fields, ...own].join(", ") || "nothing";
  const sentence = `${name} has no field ${unknown.join(", ")}; its fields are ${requested}`;
  const errors = unknown.map((field) => ({ field, code: "unknown", message: "is unknown" }));
  throw new ApiError(400, "unknown_fields", sentence, {}, errors);
}

/** Trims pasted texts. An empty one becomes null. */
function cleaned<T extends Param>(values: Record<string, T>): Record<string, T | string | null> {
  const clean = (value: T) => (typeof value === "string" ? value.trim() || null : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, clean(value)]));
}

function filled<T>(values: Record<string, T | null>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/**
 * Returns the condition that an agent has an enabled tool that names the integration: in the tool itself, in the text
 * that the agent uses, or in the version in force.
 */
function isInUse({ account }: AccountStore, integration: string): SQL {
  // Matches anything between the braces and the name; a text that only looks like a reference counts as one.
  const names = (config: SQL) =>
    sql`(${config} ->> 'integration' = ${integration} OR ${config} LIKE ${`%{{%${integration}.%`})`;
  const body = sql`(b.body -> 'implementation_config')`;
  const attached = sql`SELECT 1 FROM agent_tools AS l
    JOIN tools AS t ON t.account = l.account AND t.name = l.tool_name
    LEFT JOIN version_bodies AS b ON b.account = l.account AND b.hash = l.body_hash
    WHERE l.account = ${account} AND l.enabled AND ${names(sql`coalesce(${body}, t.implementation_config)`)}`;
  const published = sql`SELECT 1 FROM agents AS a
    JOIN agent_versions AS v ON v.account = a.account AND v.agent_id = a.id AND v.number = a.published_version
    JOIN json_each(v.items) AS i
    JOIN version_bodies AS b ON b.account = v.account AND b.hash = i.value ->> 'hash'
    WHERE a.account = ${account} AND a.versioning = 'manual' AND i.value ->> 'kind' = 'tool'
      AND coalesce(i.value ->> '$.settings.enabled', 1) AND ${names(body)}`;
  return sql`(EXISTS (${attached}) OR EXISTS (${published}))`;
}
