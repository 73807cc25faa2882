import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestRate } from "../../src/account-gate/request-rate.ts";
import { app } from "../../src/app.ts";
import { network } from "../../src/http/rate-limits.ts";
import { BASE, tenant } from "../support/client.ts";

/** A binding that lets `limit` requests of a key through. */
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

/** The service with rate limits on and bindings of two requests a minute. */
function limited(overrides: Record<string, unknown> = {}) {
  const bindings = { PUBLIC_RATE: binding(2), LOGIN_RATE: binding(2) };
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
    "count %s by the client's address",
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

  it("count sign-ins by the client's address, before anything is looked up", async () => {
    const { send } = limited({ DB: undefined });
    for (const path of ["/api/login", "/api/login/callback"]) expect((await send(path)).status).toBe(404);
    expect(await send("/api/login")).toEqual(REFUSED);
    expect(await send("/api/login/callback")).toEqual(REFUSED);
    expect(await send("/api/login", {}, { account: "acme", email: "a@b.example", password: "x" })).toEqual(REFUSED);
  });

  it("count passwords tried at one user from many addresses", async () => {
    const { send, LOGIN_RATE } = limited();
    const attempt = (address: string, email: string) =>
      send("/api/login", { "cf-connecting-ip": address }, { account: "acme", email, password: "guess" });
    expect((await attempt("198.51.100.1", "owner@acme.example")).status).toBe(401);
    expect((await attempt("198.51.100.2", "OWNER@acme.example")).status).toBe(401);
    expect(await attempt("198.51.100.3", "owner@acme.example")).toEqual(REFUSED);
    expect((await attempt("198.51.100.3", "other@acme.example")).status).toBe(401);
    expect(LOGIN_RATE.counts.get("acme/owner@acme.example")).toBe(3);
  });

  it("are all off with RATE_LIMITS=off", async () => {
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

describe("what counts as one client", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001::1:2:3:4:5:6", "2001:0:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s is %s", (address, expected) => {
    expect(network(address)).toBe(expected);
  });
});

describe("a key's requests a minute", () => {
  it("are the limit in each minute, each key for itself, and the wait ends with the minute", () => {
    const asks = fc.array(fc.record({ key: fc.constantFrom("a", "b"), after: fc.nat(20_000) }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), asks, (limit, steps) => {
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

  it("must be limited by a number", () => {
    for (const limit of ["", "many", "0", "-1"]) expect(() => new RequestRate(Number(limit))).toThrow(RangeError);
  });
});
