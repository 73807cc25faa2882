import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { changedFields, wasSet } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { apiKeys as apiKeyTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { mintSecret } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import * as contract from "./contract.ts";
import { expiryTime, InvalidExpiry } from "./expiry.ts";

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
  async ({ c, store, body, now, newId }) => {
    const account = await lookUps(c).account(store.account);
    const expiresAt = allowedExpiry(body.expiry, account?.max_key_expiry_days ?? null, now);
    const key = mintSecret(`sk_live_${store.account}`);
    const id = newId();
    const row = {
      id,
      name: body.name,
      last8: key.slice(-8),
      created_at: new Date(now).toISOString(),
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    };
    await store.write(
      { action: "create", resource: "api_key", resource_id: id },
      store.insert(apiKeyTable, { ...row, hash: await sha256Hex(key) }),
    );
    return { ...row, key };
  },
  async ({ store }, id) => {
    const [row] = await store.read(store.first(apiKeyTable, { where: eq(apiKeyTable.id, id) }));
    return row ? { ...row, key: null } : null;
  },
);

serve(apiKeys, contract.updateApiKey, async ({ store, params, body: { name, disabled }, now }) => {
  const set: { name?: string; disabled_at?: SQL | null } = {};
  if (name !== undefined) set.name = name;
  if (disabled !== undefined) set.disabled_at = disabled ? firstDisabled(now) : null;
  const isKey = eq(apiKeyTable.id, params.id);
  if (Object.keys(set).length === 0) {
    const [key] = await store.read(store.first(apiKeyTable, { where: isKey, columns: ["id"] }));
    if (!key) throw notFound("API key");
    return;
  }
  const changes = changedFields({ disabled: wasSet(apiKeyTable.disabled_at) }, { name, disabled });
  const entry = { action: "update", resource: "api_key", resource_id: params.id, changes };
  const [changed] = await store.write(entry, store.update(apiKeyTable, set, isKey));
  if (changed.length === 0) throw notFound("API key");
});

// The write itself checks for use, because a request with the key may arrive at this moment.
serve(apiKeys, contract.deleteApiKey, async ({ store, params, now }) => {
  const isKey = eq(apiKeyTable.id, params.id);
  const [changed] = await store.write(
    { action: "delete", resource: "api_key", resource_id: params.id },
    store.update(apiKeyTable, { disabled_at: firstDisabled(now) }, isKey),
    store.delete(apiKeyTable, all(isKey, isNull(apiKeyTable.last_used_at))),
  );
  if (changed.length === 0) throw notFound("API key");
});

/** Disabling a disabled key keeps the first time. */
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
