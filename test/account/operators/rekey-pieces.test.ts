import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { rekey } from "../../../src/account/operators/rekey.ts";
import { credentialsContext } from "../../../src/kernel/db/seal-contexts.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { tenant } from "../../support/client.ts";

const key = (id: string) => `${id}:${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

/** Stores this many credentials that are sealed with the vault's first key. */
async function store(account: string, vault: Vault, n: number, name: string): Promise<void> {
  const rows = [];
  for (let i = 0; i < n; i++) {
    const id = `${name}-${String(i).padStart(5, "0")}`;
    rows.push([id, await vault.seal({ token: id }, credentialsContext(account, id))]);
  }
  for (let from = 0; from < n; from += 2_000) {
    await env.DB.prepare(
      `INSERT INTO telephony_providers (account, id, provider, label, credentials, credential_keys, created_at)
       SELECT ?, value ->> 0, 'twilio', value ->> 0, value ->> 1, '[]', '2026-01-01' FROM json_each(?)`,
    )
      .bind(account, JSON.stringify(rows.slice(from, from + 2_000)))
      .run();
  }
}

/** Returns the database, with a function that counts its queries. */
function counted(): { d1: D1Database; queries: () => number } {
  let n = 0;
  const prepare = (query: string) => {
    n++;
    return env.DB.prepare(query);
  };
  const d1 = { prepare, batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements) };
  return { d1: d1 as unknown as D1Database, queries: () => n };
}

describe("resealing", () => {
  it("stops at the limits of one call and returns how much is left, until everything is resealed", async () => {
    const { account } = await tenant({ quotas: { credentials: 10_000 } });
    const [old, fresh, gone] = [key("kx2"), key("k_2_longer"), key("k3")];
    await store(account, new Vault(gone), 150, "gone");
    await store(account, new Vault(old), 520, "old");
    const rotated = new Vault(`${fresh},${old},${env.ENCRYPTION_KEYS}`);
    const { d1, queries } = counted();
    const limits = { queries: 500, rows: 400 };
    expect(await rekey({ DB: d1, ACCOUNT_GATE: env.ACCOUNT_GATE }, rotated, limits)).toEqual({
      resealed: 400,
      failed: 150,
      left: 120,
    });
    expect(queries()).toBeLessThan(50);
    expect(await rekey({ DB: d1, ACCOUNT_GATE: env.ACCOUNT_GATE }, rotated, limits)).toEqual({
      resealed: 120,
      failed: 150,
      left: 0,
    });
    expect(await rekey({ DB: d1, ACCOUNT_GATE: env.ACCOUNT_GATE }, rotated, limits)).toEqual({
      resealed: 0,
      failed: 150,
      left: 0,
    });
    const { results } = await env.DB.prepare(
      "SELECT id, credentials FROM telephony_providers WHERE id LIKE 'old-%5'",
    ).run<{ id: string; credentials: string }>();
    expect(results).toHaveLength(52);
    const after = new Vault(fresh);
    for (const { id, credentials } of results)
      expect(await after.open(credentials, credentialsContext(account, id))).toEqual({ token: id });
  });
});
