import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { AccountMeter } from "../../../src/account/meter/account-meter.ts";
import { LookUps } from "../../../src/kernel/db/look-ups.ts";
import { accountEvents, accountMeter } from "../../../src/kernel/durable/objects.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { AccountEvents } from "../../../src/records/events/account-events.ts";
import { Client, operator, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { spyIn } from "../../support/spy-in.ts";

const AGENTS = "/api/v1/agents";
const bearer = (key: string) => new Client({ authorization: `Bearer ${key}` });
const gateOf = (account: string) => env.ACCOUNT_GATE.getByName(account);

/** A spy on the gate's look-ups of keys. Each look-up is one D1 round trip. */
let verifications: MockInstance<LookUps["findKey"]>;

beforeEach(() => {
  verifications = vi.spyOn(LookUps.prototype, "findKey");
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Moves only the clock. Timers and storage continue unchanged. */
function travelTo(time: number): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(time);
}

describe("the account's gate", () => {
  it("checks neither live access nor webhooks of a new account, which has none", async () => {
    const name = `new-${crypto.randomUUID().slice(0, 8)}`;
    const checks = spyIn(accountMeter(env, name), AccountMeter, "accessChanged");
    const notices = spyIn(accountEvents(env, name), AccountEvents, "webhooksChanged");
    const founder = await operator();
    expect((await founder.post("/api/admin/v1/accounts", { name, plan: "scale" })).status).toBe(201);
    await founder.patch(`/api/admin/v1/accounts/${name}`, { disabled: true });
    await vi.waitFor(() => expect(checks).toHaveBeenCalled());
    expect([checks, notices].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it("reads D1 once for a key within 30 s, even for concurrent requests, and again afterwards", async () => {
    const { server } = await tenant();
    const start = Date.now();
    travelTo(start);
    const first = await Promise.all(Array.from({ length: 25 }, () => server.get(AGENTS)));
    expect(first.map(({ status }) => status)).toEqual(Array(25).fill(200));
    expect(verifications).toHaveBeenCalledTimes(1);
    travelTo(start + 29_999);
    await server.get(AGENTS);
    expect(verifications).toHaveBeenCalledTimes(1);
    travelTo(start + 30_000);
    await server.get(AGENTS);
    expect(verifications).toHaveBeenCalledTimes(2);
  });

  it("reads D1 once for a key that does not exist or was deleted", async () => {
    const { account, user } = await tenant();
    const created = await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "never used" });
    expect((await user.delete(`/api/v1/api-keys/${created.body.id}`)).status).toBe(204);
    for (const key of [created.body.key, mintSecret(`sk_live_${account}`)]) {
      verifications.mockClear();
      for (let i = 0; i < 3; i++) expect((await bearer(key).get(AGENTS)).status).toBe(401);
      expect(verifications).toHaveBeenCalledTimes(1);
    }
  });

  it("refuses a key from the moment it expires, even if it was just verified", async () => {
    const { user } = await tenant();
    const at = Date.now() + 86_400_000;
    const expiry = new Date(at).toISOString();
    const { body } = await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "short", expiry });
    travelTo(at - 1);
    expect((await bearer(body.key).get(AGENTS)).status).toBe(200);
    travelTo(at);
    const refused = await bearer(body.key).get(AGENTS);
    expect([refused.status, refused.code]).toEqual([401, "token_invalid"]);
    expect(verifications).toHaveBeenCalledTimes(1);
  });

  it("does not record attempts with an expired key as use", async () => {
    const { user } = await tenant();
    const at = Date.now() + 60_000;
    const expiry = new Date(at).toISOString();
    const { body } = await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "late", expiry });
    travelTo(at);
    expect((await bearer(body.key).get(AGENTS)).status).toBe(401);
    vi.useRealTimers();
    const list = await user.get<{ id: string; last_used_at: string | null }[]>("/api/v1/api-keys");
    expect(list.body.find(({ id }) => id === body.id)?.last_used_at).toBeNull();
    expect((await user.delete(`/api/v1/api-keys/${body.id}`)).status).toBe(204);
    expect((await user.get<{ id: string }[]>("/api/v1/api-keys")).body.map(({ id }) => id)).not.toContain(body.id);
  });

  it("loses nothing important when it is evicted", async () => {
    const { account, user, server, key } = await tenant();
    expect((await server.get(AGENTS)).status).toBe(200);
    await evict(gateOf(account));
    expect((await server.get(AGENTS)).status).toBe(200);
    await evict(gateOf(account));
    expect((await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true })).status).toBe(204);
    await evict(gateOf(account));
    expect([(await server.get(AGENTS)).code, (await server.get(AGENTS)).code]).toEqual(["key_revoked", "key_revoked"]);
    await evict(gateOf(account));
    expect((await user.delete(`/api/v1/api-keys/${key.id}`)).status).toBe(204);
    const [kept] = (await user.get<{ id: string; disabled_at: string }[]>("/api/v1/api-keys")).body;
    expect(kept).toMatchObject({ id: key.id, disabled_at: expect.any(String) });
  });

  it("either keeps a key that is used during its deletion, or never admits it", async () => {
    const { user } = await tenant();
    for (let round = 0; round < 10; round++) {
      const { body } = await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: `race ${round}` });
      const [used] = await Promise.all([bearer(body.key).get(AGENTS), user.delete(`/api/v1/api-keys/${body.id}`)]);
      const after = await bearer(body.key).get(AGENTS);
      const kept = (await user.get<{ id: string }[]>("/api/v1/api-keys")).body.some(({ id }) => id === body.id);
      expect(after.status).toBe(kept ? 403 : 401);
      if (used.status === 200) expect(kept).toBe(true);
    }
  });

  it("records a key's last use at most once a minute", async () => {
    const { user, server, key } = await tenant();
    const lastUse = async () =>
      (await user.get<{ id: string; last_used_at: string }[]>("/api/v1/api-keys")).body.find(({ id }) => id === key.id)
        ?.last_used_at;
    const start = Date.now();
    for (const [after, recorded] of [
      [0, 0],
      [31_000, 0],
      [62_000, 62_000],
    ] as const) {
      travelTo(start + after);
      expect((await server.get(AGENTS)).status).toBe(200);
      expect(await lastUse()).toBe(new Date(start + recorded).toISOString());
    }
  });

  it("closes and opens with its account on the next request", async () => {
    const { account, server } = await tenant();
    const admin = await operator();
    expect((await server.get(AGENTS)).status).toBe(200);
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: true });
    expect((await server.get(AGENTS)).code).toBe("account_closed");
    await admin.patch(`/api/admin/v1/accounts/${account}`, { disabled: false });
    expect((await server.get(AGENTS)).status).toBe(200);
  });
});
