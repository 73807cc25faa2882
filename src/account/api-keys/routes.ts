import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns, changedFields, differsFrom, isTrue, wasSet } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, apiKeys as apiKeyTable, users, widgetKeys } from "../../kernel/db/schema/index.ts";
import type { AppEnv, Principal } from "../../kernel/http/context.ts";
import { ApiError, invalidField, notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { DEFAULT_KEY_SCOPES, missingScope, type Scope, withImplied } from "../../kernel/scopes.ts";
import { mintSecret } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { callerIsStill } from "../roles.ts";
import * as contract from "./contract.ts";

export const apiKeys = new OpenAPIHono<AppEnv>();

serve(apiKeys, contract.listApiKeys, async ({ store }) => {
  const [rows] = await store.read(
    store.select(apiKeyTable, { orderBy: [desc(apiKeyTable.created_at), desc(apiKeyTable.id)] }),
  );
  return rows;
});

serve(
  apiKeys,
  contract.createApiKey,
  async ({ c, store, principal, body, now, newId }) => {
    const limits = {
      scopes: ordered(body.scopes ?? DEFAULT_KEY_SCOPES),
      scopes_named: body.scopes !== undefined,
      unattended: body.unattended,
      agent_ids: inOrder(body.agent_ids),
      allowed_addresses: inOrder(body.allowed_addresses),
    };
    assertWithin(principal, limits.scopes);
    await assertAgents(store, limits.agent_ids);
    const account = await lookUps(c).account(store.account);
    const expiresAt = allowedExpiry(body.expiry, account?.max_key_expiry_days ?? null, now);
    const key = mintSecret(`sk_live_${store.account}`);
    const id = newId();
    const row = {
      id,
      name: body.name,
      last8: key.slice(-8),
      created_at: new Date(now).toISOString(),
      created_by: principal.subject,
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      ...limits,
    };
    const values = { ...row, hash: await sha256Hex(key) };
    const [stored] = await store.write(
      { action: "create", resource: "api_key", resource_id: id },
      store.insertIf(apiKeyTable, values, callerIsStill(principal)),
    );
    if (stored.length === 0) throw roleChanged();
    return { ...row, key };
  },
  async ({ store }, id) => {
    const [row] = await store.read(store.first(apiKeyTable, { where: eq(apiKeyTable.id, id) }));
    return row ? { ...row, key: null } : null;
  },
);

serve(apiKeys, contract.updateApiKey, async ({ store, principal, params, query, body, now }) => {
  const { name, disabled, unattended } = body;
  if (query.widget_keys === "disable" && disabled !== true)
    throw invalidField("widget_keys", "invalid_request", "disable requires disabled: true in the body");
  assertWithin(principal, body.scopes);
  await assertAgents(store, body.agent_ids);
  const set: KeyChanges = {};
  if (body.scopes !== undefined) {
    set.scopes = ordered(body.scopes);
    // Sending the scopes back unchanged does not count as choosing them.
    set.scopes_named = sql`(${apiKeyTable.scopes_named} OR ${differsFrom(apiKeyTable, { scopes: set.scopes })})`;
  }
  if (body.scopes_named === true) set.scopes_named = sql`1`;
  if (unattended !== undefined) set.unattended = unattended;
  if (body.agent_ids !== undefined) set.agent_ids = inOrder(body.agent_ids);
  if (body.allowed_addresses !== undefined) set.allowed_addresses = inOrder(body.allowed_addresses);
  if (name !== undefined) set.name = name;
  if (disabled !== undefined) set.disabled_at = disabled ? firstDisabled(now) : null;
  const isKey = all(mayBeChanged(principal, params.id), staysNamed(set, body.scopes_named));
  if (Object.keys(set).length === 0) {
    const [key] = await store.read(store.first(apiKeyTable, { where: isKey, columns: ["id"] }));
    if (!key) throw await whyNot(store, principal, params.id, body);
    return;
  }
  const { scopes, scopes_named, agent_ids, allowed_addresses } = set;
  const before = { disabled: wasSet(apiKeyTable.disabled_at), unattended: isTrue(apiKeyTable.unattended) };
  const changes = Object.assign(
    changedColumns(apiKeyTable, { name, scopes, scopes_named, agent_ids, allowed_addresses }),
    changedFields(before, { disabled, unattended }),
  );
  const made = widgetKeysOf(store, params.id, query.widget_keys, now);

  const entry = {
    action: "update",
    resource: "api_key",
    resource_id: params.id,
    changes: Object.assign(changes, made.changes),
  } as const;
  // The widget keys are also disabled if the key itself already was.
  const change =
    made.statements.length > 0
      ? store.update(apiKeyTable, set, isKey)
      : store.changeIfOther(apiKeyTable, set, {}, isKey);
  const [changed] = await store.write(entry, change, ...made.statements);
  if (changed.length === 0) throw await whyNot(store, principal, params.id, body);
});

// The write itself checks that the key is unused, because a request with the key may arrive at any moment.
serve(apiKeys, contract.deleteApiKey, async ({ store, principal, params, query, now }) => {
  const isKey = mayBeChanged(principal, params.id);
  const made = widgetKeysOf(store, params.id, query.widget_keys, now);
  const [changed] = await store.write(
    { action: "delete", resource: "api_key", resource_id: params.id, changes: made.changes },
    store.update(apiKeyTable, { disabled_at: firstDisabled(now) }, isKey),
    ...made.statements,
    store.delete(apiKeyTable, all(isKey, isNull(apiKeyTable.last_used_at))),
  );
  if (changed.length === 0) throw await whyNot(store, principal, params.id);
});

interface KeyChanges {
  name?: string;
  scopes?: Scope[];
  scopes_named?: SQL;
  unattended?: boolean;
  agent_ids?: string[] | null;
  allowed_addresses?: string[] | null;
  disabled_at?: SQL | null;
}

/** Returns the scopes with implied ones, sorted so that equal limits compare as equal. */
const ordered = (scopes: readonly Scope[]) => [...withImplied(scopes)];
const inOrder = (values: string[] | null) => values && [...new Set(values)].sort();

const roleChanged = () => new ApiError(403, "exceeds_own", "your role has changed in the meantime; try again");

const exceedsOwn = (scope: Scope) =>
  new ApiError(403, "exceeds_own", `you cannot grant or change the scope ${scope}, because you do not have it`);

/** Refuses scopes that the caller lacks. @throws ApiError 403 */
function assertWithin({ scopes }: Principal, given: readonly Scope[] = []): void {
  const missing = missingScope(given, scopes);
  if (missing !== null) throw exceedsOwn(missing);
}

/**
 * Returns the condition that the key has no scope that the caller lacks, and that the caller's authority is unchanged
 * since the request was admitted.
 */
function mayBeChanged(principal: Principal, id: string): SQL {
  return all(eq(apiKeyTable.id, id), isWithinScopes(principal), callerIsStill(principal));
}

/** Returns the condition that the key has no scope that the caller lacks. */
function isWithinScopes({ scopes }: Principal): SQL {
  const own = JSON.stringify(scopes);
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${apiKeyTable.scopes}) WHERE value NOT IN (SELECT value FROM json_each(${own})))`;
}

/**
 * Refuses `scopes_named: false` for a key whose scopes were chosen. For other keys the value is already false, and may
 * be sent back.
 */
function staysNamed({ scopes }: KeyChanges, named: boolean | undefined): SQL | undefined {
  if (named !== false) return undefined;
  const isOther = scopes === undefined ? sql`false` : differsFrom(apiKeyTable, { scopes });
  return sql`(NOT ${apiKeyTable.scopes_named} OR ${isOther})`;
}

/** Returns the error that explains why the caller cannot change this key. */
async function whyNot(
  store: AccountStore,
  { subject, role }: Principal,
  id: string,
  sent: { scopes_named?: boolean | undefined } = {},
): Promise<ApiError> {
  const [key, caller] = await store.read(
    store.first(apiKeyTable, { where: eq(apiKeyTable.id, id), columns: ["scopes_named"] }),
    store.first(users, { where: eq(users.id, subject), columns: ["role"] }),
  );
  if (caller?.role !== role) return roleChanged();
  if (key?.scopes_named && sent.scopes_named === false)
    return invalidField("scopes_named", "invalid_request", "cannot be undone: the key's scopes were named");
  return key ? new ApiError(403, "exceeds_own", "the key has a scope that you do not have") : notFound("API key");
}

/** @throws ApiError 400 if an agent does not belong to the account */
async function assertAgents(store: AccountStore, ids: string[] | null = null): Promise<void> {
  if (ids === null) return;
  const where = sql`${agents.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [rows] = await store.read(store.select(agents, { where, columns: ["id"] }));
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw invalidField("agent_ids", "not_found", `agent ${missing} not found`);
}

/**
 * Returns the statements that disable an API key's widget keys, to run after the one that disables or deletes the key,
 * and the change for the audit entry.
 */
function widgetKeysOf(store: AccountStore, id: string, wanted: "keep" | "disable", now: number) {
  const at = new Date(now).toISOString();
  if (wanted === "keep") return { changes: {}, statements: [] };
  const theirs = all(eq(widgetKeys.created_by, id), isNull(widgetKeys.disabled_at));
  const names = sql`(SELECT json_group_array(${widgetKeys.name}) FROM ${widgetKeys} WHERE ${widgetKeys.account} = ${store.account} AND ${theirs})`;
  return {
    changes: { disabled_widget_keys: { from: null, to: names } },
    statements: [store.update(widgetKeys, { disabled_at: at }, all(theirs, sql`changes() > 0`))],
  };
}

/** Keeps the time at which a disabled key was disabled first. */
function firstDisabled(now: number): SQL {
  return sql`coalesce(${apiKeyTable.disabled_at}, ${new Date(now).toISOString()})`;
}

function allowedExpiry(expiry: string | undefined, maxDays: number | null, now: number): number | null {
  try {
    return expiryTime(expiry, maxDays, now);
  } catch (error) {
    if (error instanceof InvalidExpiry) throw invalidField("expiry", "invalid_expiry", error.message, error.message);
    throw error;
  }
}

/** The lifetime in days of a key created without an expiry. */
const DEFAULT_DAYS = 365;

/** Thrown if an expiry is not allowed. The message is for the caller. */
export class InvalidExpiry extends Error {}

/**
 * Returns when a key expires (ms); null if never. `expiry` is `never`, `<n>d` or a future ISO 8601 time. The default is
 * a year, or the account's maximum if that is shorter. @throws InvalidExpiry
 */
export function expiryTime(expiry: string | undefined, maxDays: number | null, now: number): number | null {
  const latest = maxDays === null ? null : now + maxDays * DAY_MS;
  if (expiry === undefined) return now + Math.min(DEFAULT_DAYS, maxDays ?? DEFAULT_DAYS) * DAY_MS;
  const at = parse(expiry, now);
  if (latest !== null && (at === null || at > latest)) {
    throw new InvalidExpiry(`expiry: must be at most ${maxDays}d for this account`);
  }
  return at;
}

function parse(expiry: string, now: number): number | null {
  if (expiry === "never") return null;
  const [, days] = /^([1-9]\d{0,4})d$/.exec(expiry) ?? [];
  if (days) return now + Number(days) * DAY_MS;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(expiry);
  // The check is needed because Date.parse reads 30 February as 1 or 2 March.
  const isDay = z.iso.date().safeParse(expiry.slice(0, 10)).success;
  const at = isTime && isDay ? Date.parse(expiry) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidExpiry("expiry: must be never, a number of days such as 90d, or an ISO 8601 time");
  if (at <= now) throw new InvalidExpiry("expiry: must be in the future");
  return at;
}
