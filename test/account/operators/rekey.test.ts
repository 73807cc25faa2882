import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rekey } from "../../../src/account/operators/rekey.ts";
import { app } from "../../../src/app.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { BASE, type Client, operator, tenant } from "../../support/client.ts";
import { operatorsLog } from "../audit-log/support.ts";

const PROVIDERS = "/api/v1/telephony/providers";
const REKEY = "/api/admin/v1/rekey";
const credentials = { account_sid: "AC1", auth_token: "a-token" };

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM telephony_providers"),
    env.DB.prepare("DELETE FROM integration_installs"),
    env.DB.prepare("DELETE FROM second_factors"),
    env.DB.prepare("UPDATE widget_keys SET sealed_key = NULL"),
  ]);
});
afterEach(() => vi.restoreAllMocks());

/** Sends a request to the service with other encryption keys. */
async function post<T = unknown>(keys: string, client: Client, path: string, body?: unknown) {
  const headers = { ...client.headers, "content-type": "application/json" };
  const request = new Request(BASE + path, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
  const response = await app.fetch(request, { ...env, ENCRYPTION_KEYS: keys }, createExecutionContext());
  return { status: response.status, body: await response.json<T>() };
}

/** Creates an account with carrier credentials and the secrets of an integration, sealed with these keys. */
async function sealedUnder(keys: string) {
  const { server, account } = await tenant();
  const created = await post<{ id: string }>(keys, server, PROVIDERS, { provider: "twilio", credentials });
  const { integrations } = (await server.get<{ integrations: { id: string }[] }>("/api/v1/integrations")).body;
  const integration = integrations[0]?.id ?? "";
  const install = `/api/v1/integrations/${integration}/install`;
  expect((await post(keys, server, install, { secrets: { access_token: "s3cret" } })).status).toBe(200);
  return { server, account, provider: created.body.id, integration };
}

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const sealed = async () =>
  (await env.DB.prepare("SELECT credentials FROM telephony_providers").first<string>("credentials")) ?? "";

describe("the rotation of encryption keys", () => {
  it("a second rotation leaves all values sealed with the newest key", async () => {
    const [first = "", second = "", third = ""] = env.PRINTED_KEYS;
    const owners = [await sealedUnder(first), await sealedUnder(first)];
    const rounds: [keys: string, resealed: number][] = [
      [`${second},${first}`, 4],
      [`${third},${second}`, 6],
    ];
    for (const [keys, resealed] of rounds) {
      const done = await post(keys, await operator(), REKEY);
      expect(done).toEqual({ status: 200, body: { resealed, failed: 0, left: 0 } });
      // What is stored between two rotations is sealed with the key in use at that time.
      owners.push(await sealedUnder(keys));
    }
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ status: "active" }));
    for (const { server, account, provider, integration } of owners) {
      const verified = await post(third, server, `${PROVIDERS}/${provider}/verify`);
      expect(verified.body).toMatchObject({ ok: true });
      const secrets = await env.DB.prepare("SELECT secrets FROM integration_installs WHERE account = ?")
        .bind(account)
        .first<string>("secrets");
      const context = { account, table: "integrations", id: integration };
      expect(await new Vault(third).open(secrets ?? "", context)).toEqual({ access_token: "s3cret" });
      const before = await post(`${second},${first}`, server, `${PROVIDERS}/${provider}/verify`);
      expect(before.status).toBe(503);
    }
    expect((await post(third, await operator(), REKEY)).body).toEqual({ resealed: 0, failed: 0, left: 0 });
  });

  it("a rotation is refused with a sentence if two keys have one id", async () => {
    const refused = await post(`k1:${key(1)},K1:${key(2)}`, await operator(), REKEY);
    expect(refused).toEqual({ status: 503, body: expect.stringMatching(/^encryption is not available: .*K1/) });
  });
});

describe("widget keys", () => {
  it("a rotation reseals widget keys, which can be shown afterwards", async () => {
    const { user, account } = await tenant();
    const [old, keys] = [`old:${key(1)}`, `new:${key(2)},old:${key(1)}`];
    const created = await post<{ id: string; key: string }>(old, user, "/api/v1/widget-keys", { name: "shop" });
    expect((await post(keys, await operator(), REKEY)).body).toEqual({ resealed: 1, failed: 0, left: 0 });
    const { id } = created.body;
    const sealed = await env.DB.prepare("SELECT sealed_key FROM widget_keys WHERE id = ?").bind(id).first("sealed_key");
    const context = { account, table: "widget_keys", id };
    expect(await new Vault(`new:${key(2)}`).open(String(sealed), context)).toBe(created.body.key);
  });
});

describe("a re-encryption", () => {
  afterEach(repair);
  const entries = async () => operatorsLog(await operator(), "action=reencrypt");

  it("does not begin if it cannot be recorded", async () => {
    await sealedUnder(`old:${key(1)}`);
    const [before, keys] = [await sealed(), `new:${key(2)},old:${key(1)}`];
    await breakD1("service-admin", ["audit_log"], ["INSERT"]);
    expect((await post(keys, await operator(), REKEY)).status).toBe(500);
    expect(await sealed()).toBe(before);
    await repair();
    expect((await post(keys, await operator(), REKEY)).body).toMatchObject({ resealed: 2 });
    const [entry] = await entries();
    const to = (n: number) => ({ from: null, to: n });
    expect(entry?.changes).toEqual({ resealed: to(2), failed: to(0), left: to(0) });
  });

  it("an interrupted re-encryption is recorded without counts", async () => {
    await sealedUnder(`old:${key(1)}`);
    const n = (await entries()).length;
    await env.DB.exec(
      "CREATE TRIGGER away BEFORE UPDATE ON integration_installs BEGIN SELECT RAISE(ABORT, 'away'); END",
    );
    expect((await post(`new:${key(2)},old:${key(1)}`, await operator(), REKEY)).status).toBe(500);
    await env.DB.exec("DROP TRIGGER away");
    const after = await entries();
    expect([after.length, after[0]?.changes]).toEqual([n + 1, null]);
  });
});

describe("resealing", () => {
  it.each([
    ["a character is another", "k_1", "kx1"],
    ["one is longer", "k1", "k1-old"],
  ])("resealing recognizes values by their key's id if %s", async (_, id, old) => {
    await sealedUnder(`${old}:${key(1)}`);
    const keys = `${id}:${key(2)},${old}:${key(1)}`;
    expect((await post(keys, await operator(), REKEY)).body).toEqual({ resealed: 2, failed: 0, left: 0 });
    expect(await sealed()).toMatch(new RegExp(`^v1\\.${id}\\.`));
  });

  it("keeps values sealed with an id that differs only in case", async () => {
    await sealedUnder(`K1:${key(1)}`);
    expect(await rekey(env, new Vault(`k1:${key(2)}`))).toEqual({ resealed: 0, failed: 2, left: 0 });
  });

  it("counts values only where they were written", async () => {
    await sealedUnder(`old:${key(1)}`);
    const before = await sealed();
    await env.DB.exec("CREATE TRIGGER busy BEFORE UPDATE ON telephony_providers BEGIN SELECT RAISE(IGNORE); END");
    const keys = new Vault(`new:${key(2)},old:${key(1)}`);
    expect(await rekey(env, keys)).toEqual({ resealed: 1, failed: 0, left: 1 });
    expect(await sealed()).toBe(before);
    await env.DB.exec("DROP TRIGGER busy");
    expect(await rekey(env, keys)).toEqual({ resealed: 1, failed: 0, left: 0 });
  });

  it("opens the new value before it replaces the old one", async () => {
    await sealedUnder(`old:${key(1)}`);
    const before = await sealed();
    const keys = new Vault(`new:${key(2)},old:${key(1)}`);
    const { seal } = keys;
    vi.spyOn(keys, "seal").mockImplementation(async (value, context) =>
      (await seal.call(keys, value, context)).slice(0, -8),
    );
    expect(await rekey(env, keys)).toEqual({ resealed: 0, failed: 2, left: 0 });
    expect(await sealed()).toBe(before);
  });
});
