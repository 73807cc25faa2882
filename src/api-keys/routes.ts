import { OpenAPIHono } from "@hono/zod-openapi";
import { desc } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { apiKeys as apiKeyTable } from "../db/schema/index.ts";
import { accountGate } from "../durable/objects.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { invalid, notFound } from "../http/errors.ts";
import { mintSecret } from "../secrets/api-key.ts";
import { sha256Hex } from "../secrets/hashing.ts";
import * as contract from "./contract.ts";
import { expiryTime, InvalidExpiry } from "./expiry.ts";

export const apiKeys = new OpenAPIHono<AppEnv>();

serve(apiKeys, contract.listApiKeys, async ({ store }) => {
  const [rows] = await store.read(
    store.select(apiKeyTable, { orderBy: [desc(apiKeyTable.created_at), desc(apiKeyTable.id)] }),
  );
  return rows;
});

serve(apiKeys, contract.createApiKey, async ({ c, store, body, now }) => {
  const account = await c.get("lookUps").account(store.account);
  const expiresAt = allowedExpiry(body.expiry, account?.max_key_expiry_days ?? null, now);
  const key = mintSecret(`sk_live_${store.account}`);
  const id = uuidv7({ msecs: now });
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
});

// The gate makes these changes itself: it is what answers whether a key is good, so it must be the first to know.
serve(apiKeys, contract.updateApiKey, async ({ c, env, principal, params, body }) => {
  const gate = accountGate(env, principal.account);
  if (!(await gate.updateKey(params.id, body, c.get("author")))) throw notFound("API key");
});

serve(apiKeys, contract.deleteApiKey, async ({ c, env, principal, params }) => {
  const gate = accountGate(env, principal.account);
  if (!(await gate.deleteKey(params.id, c.get("author")))) throw notFound("API key");
});

function allowedExpiry(expiry: string | undefined, maxDays: number | null, now: number): number | null {
  try {
    return expiryTime(expiry, maxDays, now);
  } catch (error) {
    if (error instanceof InvalidExpiry) throw invalid(error.message, "invalid_expiry");
    throw error;
  }
}
