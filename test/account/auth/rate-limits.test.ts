import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestRate } from "../../../src/account/gate/request-rate.ts";
import { app } from "../../../src/app.ts";
import { network } from "../../../src/kernel/http/rate-limits.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { BASE, tenant } from "../../support/client.ts";
import { person } from "../../support/person.ts";

/** Returns a rate limit binding that admits `limit` requests per key. */
function binding(limit: number) {
  const counts = new Map<string, number>();
  return {
    counts,
    async limit({ key }: { key: string }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  };
}

/** Returns a service with rate limits on, and bindings of two requests per minute. */
function limited(overrides: Record<string, unknown> = {}) {
  const bindings = { PUBLIC_RATE: binding(2), FAILED_RATE: binding(2) };
  const send = async (path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const request = new Request(BASE + path, {
      ...init,
      headers: { "cf-connecting-ip": "198.51.100.7", "content-type": "application/json", ...headers },
    });
    const all = { ...env, RATE_LIMITS: "on", ...bindings, ...overrides };
    const response = await app.fetch(request, all as typeof env, createExecutionContext());
    const refusal = [response.headers.get("x-error-code"), response.headers.get("retry-after")];
    return { status: response.status, refusal };
  };
  return { ...bindings, send };
}

const REFUSED = { status: 429, refusal: ["rate_limited", "60"] };

describe("rate limits", () => {
  it.each(["/api/accounts", "/api/accounts/validate/acme", "/.well-known/jwks.json"])(
    "requests for %s are limited by the client's address",
    async (path) => {
      const { send, PUBLIC_RATE } = limited();
      expect([(await send(path)).status, (await send(path)).status]).toEqual([200, 200]);
      expect(await send(path)).toEqual(REFUSED);
      expect((await send(path, { "cf-connecting-ip": "198.51.100.8" })).status).toBe(200);
      expect([...PUBLIC_RATE.counts]).toEqual([
        ["198.51.100.7", 3],
        ["198.51.100.8", 1],
      ]);
    },
  );

  it("count sign-ins at a provider by the client's address, before any look-up", async () => {
    for (const path of ["/api/login", "/api/login/callback"]) {
      const { send } = limited({ DB: undefined });
      expect([(await send(path)).status, (await send(path)).status]).toEqual([404, 404]);
      expect(await send(path)).toEqual(REFUSED);
    }
  });

  it("count invalid keys and tokens by the client's address, and then refuse without a look-up", async () => {
    const { user, key } = await tenant();
    const { send, FAILED_RATE } = limited();
    const from = (address: string, token: string) =>
      send("/api/v1/agents", { "cf-connecting-ip": address, authorization: `Bearer ${token}` });
    const [one, another] = ["192.0.2.1", "192.0.2.2"];
    const unknown = mintSecret(`sk_live_${user.headers["x-account-id"]}`);
    const forged = "eyJhbGciOiJFUzI1NiJ9.e30.x";
    expect([(await from(one, unknown)).status, (await from(one, forged)).status]).toEqual([401, 401]);
    expect(await from(one, unknown)).toMatchObject({ status: 429 });
    expect(FAILED_RATE.counts.get(`authentication ${one} `)).toBe(3);
    // From now on nothing is counted or looked up, not even for a valid key. Other addresses are not affected.
    expect(await from(one, key.key)).toMatchObject({ status: 429 });
    expect(FAILED_RATE.counts.get(`authentication ${one} `)).toBe(3);
    expect((await from(another, key.key)).status).toBe(200);
  });

  it("count no failure for a revoked key, an ended session or a missing token", async () => {
    const { user, key, account } = await tenant();
    const { send, FAILED_RATE } = limited();
    await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true });
    const { client } = await person(account);
    await client.post("/api/logout");
    for (let i = 0; i < 3; i++) {
      expect((await send("/api/v1/agents", { authorization: `Bearer ${key.key}` })).status).toBe(403);
      expect((await send("/api/v1/agents", client.headers)).status).toBe(401);
      expect((await send("/api/v1/agents")).status).toBe(401);
    }
    expect(FAILED_RATE.counts.size).toBe(0);
  });

  it("RATE_LIMITS=off turns all rate limits off", async () => {
    const { user } = await tenant();
    const { send, ...bindings } = limited({ RATE_LIMITS: "off" });
    for (let i = 0; i < 4; i++) {
      expect((await send("/api/accounts")).status).toBe(200);
      expect((await send("/api/login")).status).toBe(404);
      expect((await send("/api/v1/agents", user.headers)).status).toBe(200);
    }
    expect(Object.values(bindings).map(({ counts }) => counts.size)).toEqual([0, 0]);
  });
});

describe("the address that counts as one client", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001::1:2:3:4:5:6", "2001:0:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("the address %s counts as %s", (address, expected) => {
    expect(network(address)).toBe(expected);
  });
});

describe("a key's requests a minute", () => {
  it("each key has its own limit of requests a minute, whose wait ends with the minute", () => {
    const requests = fc.array(fc.record({ key: fc.constantFrom("a", "b"), after: fc.nat(20_000) }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), requests, (limit, steps) => {
        const rate = new RequestRate(limit);
        const seen = new Map<string, number>();
        let now = 0;
        for (const { key, after } of steps) {
          now += after;
          const minute = Math.floor(now / 60_000);
          const n = (seen.get(`${key} ${minute}`) ?? 0) + 1;
          seen.set(`${key} ${minute}`, n);
          expect(rate.count(key, now)).toBe(n > limit ? (minute + 1) * 60_000 - now : 0);
        }
      }),
    );
  });

  it("require a limit that is a positive number", () => {
    for (const limit of ["", "many", "0", "-1"]) expect(() => new RequestRate(Number(limit))).toThrow(RangeError);
  });
});
