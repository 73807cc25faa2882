import type { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { limitsOf } from "../../account/meter/key-limits.ts";
import { allowlistEntry, InvalidOrigin } from "../../account/visitors/origins.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns, changedFields, wasSet } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, widgetKeys as keyTable, type widgetKeys } from "../../kernel/db/schema/index.ts";
import { widgetKeyContext } from "../../kernel/db/seal-contexts.ts";
import type { AppEnv, Bindings, Principal } from "../../kernel/http/context.ts";
import { ApiError, conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import type { InServiceOf } from "../../kernel/http/in-service.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { serve } from "../../kernel/http/serve.ts";
import { mintSecret } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { Vault, VaultUnavailable } from "../../kernel/secrets/vault.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { invalidateConfig } from "./config-cache.ts";
import { exceedsDefault, isRaised, limitChanges, withLimits } from "./key-limits.ts";
import * as contract from "./keys-contract.ts";
import { pinnedToOwn } from "./own-keys.ts";

/** Mounts the routes of widget keys: which pages may show the widget, and which agent answers there. */
export function mountKeyRoutes(app: OpenAPIHono<AppEnv>): void {
  serve(app, contract.listWidgetKeys, async ({ store, inService, principal }) => {
    const newestFirst = [desc(keyTable.created_at), desc(keyTable.id)];
    const where = pinnedToOwn(principal);
    const [rows, inServiceOf] = await store.read(
      store.select(keyTable, { where, orderBy: newestFirst }),
      inService(where && agentsOf(store, where)),
    );
    return rows.map((row) => shown(row, inServiceOf));
  });

  serve(
    app,
    contract.createWidgetKey,
    async ({ env, store, inService, principal, body, now, newId }) => {
      const domain_allowlist = await readAllowlist(body.domain_allowlist);
      const limits = limitChanges(body.limits ?? {});
      if (exceedsDefault(limits)) requireScopes(principal, ["manage"]);
      if (body.agent_id) await requireAgent(store, body.agent_id);
      const key = mintSecret(`pk_live_${store.account}`);
      const row = {
        id: newId(),
        name: body.name,
        agent_id: body.agent_id,
        domain_allowlist,
        limits: Object.fromEntries(limits.map(({ name, limit }) => [name, limit])),
        last8: key.slice(-8),
        created_at: new Date(now).toISOString(),
        created_by: principal.subject,
      };
      const [hash, sealed_key] = await Promise.all([sha256Hex(key), sealKey(env, store.account, row.id, key)]);
      const [, inServiceOf] = await store.write(
        { action: "create", resource: "widget_key", resource_id: row.id },
        store.insert(keyTable, { ...row, hash, sealed_key }),
        inService(agentsOf(store, eq(keyTable.id, row.id))),
      );
      return Object.assign(shown(row, inServiceOf), { key });
    },
    async ({ store, inService }, id) => {
      const isIt = eq(keyTable.id, id);
      const [row, inServiceOf] = await store.read(
        store.first(keyTable, { where: isIt }),
        inService(agentsOf(store, isIt)),
      );
      return row ? Object.assign(shown(row, inServiceOf), { key: null }) : null;
    },
  );

  serve(app, contract.revealWidgetKey, async ({ env, store, params: { id: resource_id } }) => {
    const ledger = new Ledger({ env, store });
    const [row] = await ledger.read(store.first(keyTable, { where: eq(keyTable.id, resource_id) }));
    if (!row) throw notFound("widget key");
    await ledger.note(store.act({ action: "reveal", resource: "widget_key", resource_id, resource_name: row.name }));
    return { id: row.id, key: await openKey(env, row) };
  });

  serve(app, contract.updateWidgetKey, async ({ store, principal, params, body, now }) => {
    const { disabled, domain_allowlist, limits, ...rest } = body;
    const set: Parameters<typeof store.update<typeof keyTable>>[1] = {
      ...rest,
      ...(domain_allowlist && { domain_allowlist: await readAllowlist(domain_allowlist) }),
      ...(disabled !== undefined && { disabled_at: disabled ? firstDisabled(now) : null }),
    };
    const limitsSet = limitChanges(limits ?? {});
    if (limitsSet.length > 0) set.limits = withLimits(limitsSet);
    if (rest.agent_id) await requireAgent(store, rest.agent_id);
    const isKey = all(eq(keyTable.id, params.id), pinnedToOwn(principal));
    if (Object.keys(set).length === 0) {
      const [key] = await store.read(store.first(keyTable, { where: isKey, columns: ["id"] }));
      if (!key) throw notFound("widget key");
      return;
    }
    const { name, agent_id, domain_allowlist: origins, limits: limitsAfter } = set;
    const changes = Object.assign(
      changedColumns(keyTable, { name, agent_id, domain_allowlist: origins, limits: limitsAfter }),
      changedFields({ disabled: wasSet(keyTable.disabled_at) }, { disabled }),
    );
    const entry = { action: "update", resource: "widget_key", resource_id: params.id, changes } as const;
    // Checked in the write, because the present limits and pin may change at this moment.
    const mayRaise = principal.scopes.includes("manage");
    const mayChange = all(
      isKey,
      mayRaise || limitsSet.length === 0 ? undefined : sql`NOT (${isRaised(limitsSet)})`,
      keepsPin(principal, rest.agent_id),
    );
    const [changed] = await store.write(entry, store.changeIfOther(keyTable, set, {}, mayChange));
    if (changed.length === 0) {
      const [key] = await store.read(store.first(keyTable, { where: isKey, columns: ["agent_id"] }));
      if (!key) throw notFound("widget key");
      const isPinKept = rest.agent_id === undefined || rest.agent_id === key.agent_id;
      if (principal.agentIds !== null && !isPinKept) throw pinned();
      requireScopes(principal, ["manage"]);
    }
    await invalidateConfig(changed);
  });

  serve(app, contract.deleteWidgetKey, async ({ store, principal, params, now }) => {
    const isKey = all(eq(keyTable.id, params.id), pinnedToOwn(principal));
    const [changed] = await store.write(
      { action: "delete", resource: "widget_key", resource_id: params.id },
      store.update(keyTable, { disabled_at: firstDisabled(now) }, isKey),
      store.delete(keyTable, all(isKey, isNull(keyTable.last_used_at))),
    );
    if (changed.length === 0) throw notFound("widget key");
    await invalidateConfig(changed);
  });
}

/** Returns a row as the API shows it. */
function shown<T extends { id: string; agent_id: string | null; limits: Record<string, number | null> }>(
  row: T,
  inServiceOf: InServiceOf,
) {
  return Object.assign({}, row, {
    in_service: row.agent_id === null ? null : inServiceOf(row.agent_id, { widgetKey: row.id }),
    limits: limitsOf(row.limits),
    expires_at: null,
  });
}

/** Returns the ids of the agents to which these keys are pinned. */
function agentsOf(store: AccountStore, where: SQL): SQL {
  return sql`SELECT agent_id FROM widget_keys WHERE account = ${store.account} AND ${where}`;
}

/** Returns the condition that the pin is unchanged, for an API key limited to agents; undefined for other callers. */
function keepsPin({ agentIds }: Principal, agentId: string | null | undefined) {
  return agentIds === null || agentId === undefined ? undefined : sql`${keyTable.agent_id} IS ${agentId}`;
}

const pinned = () =>
  new ApiError(
    403,
    "agent_not_allowed",
    "this API key is limited to agents and cannot change the agent of a widget key",
  );

async function requireAgent(store: AccountStore, id: string): Promise<void> {
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, id), columns: ["id"] }));
  if (!agent) throw invalidField("agent_id", "unknown_agent", "no such agent");
}

/** Keeps the time at which the key was first disabled. */
function firstDisabled(now: number) {
  return sql`coalesce(${keyTable.disabled_at}, ${new Date(now).toISOString()})`;
}

/**
 * Returns the allowlist in stored form: canonical and without duplicates. @throws ApiError 400 that says what to write
 */
async function readAllowlist(entries: string[]): Promise<string[]> {
  const isPublicSuffix = entries.some((entry) => entry.includes("*")) ? await publicSuffixTest() : () => false;
  try {
    return [...new Set(entries.map((entry) => allowlistEntry(entry, isPublicSuffix)))];
  } catch (error) {
    if (error instanceof InvalidOrigin) throw invalidField("domain_allowlist", "invalid_origin", error.message);
    throw error;
  }
}

/**
 * The public suffix list. It is large, so it is loaded on first use and then kept. No request waits for another
 * request's load.
 */
let suffixes: typeof import("tldts") | null = null;

/** Returns a function that checks whether a host is a public suffix, including private ones (github.io, vercel.app). */
async function publicSuffixTest(): Promise<(host: string) => boolean> {
  suffixes ??= await import("tldts");
  const { getPublicSuffix } = suffixes;
  return (host) => {
    // A host name may end with a dot.
    const name = host.replace(/\.+$/, "");
    return getPublicSuffix(name, { allowPrivateDomains: true }) === name;
  };
}

type KeyRow = Pick<typeof widgetKeys.$inferSelect, "account" | "id" | "sealed_key">;

/**
 * Seals the key, so that it can be shown again. Returns null if sealing is unavailable, because a key works without it.
 */
async function sealKey(env: Bindings, account: string, id: string, key: string): Promise<string | null> {
  try {
    return await new Vault(env.ENCRYPTION_KEYS).seal(key, widgetKeyContext(account, id));
  } catch (error) {
    if (error instanceof VaultUnavailable) return null;
    throw error;
  }
}

/** Returns the key itself. @throws ApiError 409 if it was not stored; VaultUnavailable if it cannot be opened */
async function openKey(env: Bindings, { account, id, sealed_key }: KeyRow): Promise<string> {
  if (sealed_key === null)
    throw conflict("key_not_stored", "this widget key was created without a copy that can be shown; create a new one");
  return String(await new Vault(env.ENCRYPTION_KEYS).open(sealed_key, widgetKeyContext(account, id)));
}
