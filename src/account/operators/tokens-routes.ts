import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq } from "drizzle-orm";
import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import { OPERATOR_ACCOUNT, operatorTokens as tokenTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { OPERATOR_SCOPES } from "../../kernel/scopes.ts";
import { mintSecret, OPERATOR_TOKEN_PREFIX } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { DAY_MS } from "../../kernel/time.ts";
import * as contract from "./tokens-contract.ts";

export const operatorTokens = new OpenAPIHono<AppEnv>();

const storeOf = (c: Context<AppEnv>) => openStore(c, OPERATOR_ACCOUNT, c.get("author"));

serve(operatorTokens, contract.listOperatorTokens, async ({ c }) => {
  const store = storeOf(c);
  const orderBy = [desc(tokenTable.created_at), desc(tokenTable.id)];
  const [tokens] = await store.read(store.select(tokenTable, { orderBy }));
  return { tokens, total: tokens.length };
});

serve(operatorTokens, contract.createOperatorToken, async ({ c, principal, body, now }) => {
  const { name, scopes, allowed_addresses, expires_in_days } = body;
  const accounts = body.accounts && [...new Set(body.accounts)].sort();
  if (accounts !== null) {
    if (scopes.includes("metrics"))
      throw invalidField("accounts", "not_allowed", "cannot be combined with metrics, which covers all accounts");
    await assertTenants(c, accounts);
  }
  const token = mintSecret(OPERATOR_TOKEN_PREFIX);
  const row = {
    id: uuidv7({ msecs: now }),
    name,
    last8: token.slice(-8),
    scopes: OPERATOR_SCOPES.filter((scope) => scopes.includes(scope)),
    accounts,
    allowed_addresses: [...new Set(allowed_addresses)].sort(),
    created_at: new Date(now).toISOString(),
    created_by: principal.subject,
    expires_at: new Date(now + expires_in_days * DAY_MS).toISOString(),
  };
  const store = storeOf(c);
  await store.write(
    { action: "create", resource: "operator_token", resource_id: row.id },
    store.insert(tokenTable, Object.assign({ hash: await sha256Hex(token) }, row)),
  );
  return Object.assign({ token }, row);
});

serve(operatorTokens, contract.deleteOperatorToken, async ({ c, params: { id } }) => {
  const store = storeOf(c);
  const [deleted] = await store.write(
    { action: "delete", resource: "operator_token", resource_id: id },
    store.delete(tokenTable, eq(tokenTable.id, id)),
  );
  if (deleted.length === 0) throw notFound("operator token");
});

/** @throws ApiError 400 if one of the names does not belong to a customer's account */
async function assertTenants(c: Context<AppEnv>, names: string[]): Promise<void> {
  const found = new Set((await lookUps(c).named(names)).map(({ name }) => name));
  const missing = names.find((name) => name === OPERATOR_ACCOUNT || !found.has(name));
  if (missing !== undefined) throw invalidField("accounts", "not_found", `account ${missing} not found`);
}
