import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { MINUTE_MS } from "../../../src/kernel/time.ts";
import { BASE, tenant } from "../../support/client.ts";

let addresses = 0;

/** Returns a function that requests the service, with rate limits on, from a new address. */
function from(address = `203.0.113.${++addresses}`) {
  const counts = new Map<string, number>();
  const FAILED_RATE = {
    async limit({ key }: { key: string }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= 60 };
    },
  };
  return async (headers: Record<string, string>, vars: Record<string, unknown> = {}) => {
    const request = new Request(`${BASE}/api/v1/agents`, { headers: { "cf-connecting-ip": address, ...headers } });
    const bindings = { ...env, RATE_LIMITS: "on", FAILED_RATE, ...vars };
    const response = await app.fetch(request, bindings as unknown as typeof env, createExecutionContext());
    return { status: response.status, code: response.headers.get("x-error-code"), headers: response.headers };
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** Makes everything unreachable: the database, the objects and the counters. */
const NO_IO = { DB: undefined, ACCOUNT_GATE: undefined, FAILED_RATE: undefined };

// Failures are counted per minute of the clock, and the minute must not end within a test.
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS }));
afterEach(() => vi.useRealTimers());

describe("invalid tokens", () => {
  it.each([
    ["unknown keys", (account: string) => bearer(mintSecret(`sk_live_${account}`))],
    ["keys of unknown accounts", () => bearer(mintSecret(`sk_live_nobody-${crypto.randomUUID().slice(0, 8)}`))],
    ["keys with a wrong checksum", (account: string) => bearer(`sk_live_${account}_${"x".repeat(38)}`)],
    [
      "forged console tokens",
      (account: string) => ({ ...bearer("eyJhbGciOiJFUzI1NiJ9.e30.x"), "x-account-id": account }),
    ],
  ])(
    "invalid tokens are counted by address, %s, and refused before anything is looked up after sixty a minute",
    async (_, headers) => {
      const { account } = await tenant();
      const ask = from();
      for (let i = 0; i < 60; i++) expect((await ask(headers(account))).status).toBe(401);
      expect((await ask(headers(account))).code).toBe("rate_limited");
      const refused = await ask(headers(account), NO_IO);
      expect([refused.status, refused.code]).toEqual([429, "rate_limited"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    },
  );

  it("block no other address, and no recently admitted caller at the same address", async () => {
    const { account, server, user } = await tenant();
    const ask = from();
    for (const { headers } of [server, user]) expect((await ask(headers)).status).toBe(200);
    for (let i = 0; i < 61; i++) await ask(bearer(mintSecret(`sk_live_${account}`)));
    for (const { headers } of [server, user]) expect((await ask(headers)).status).toBe(200);
    const { server: stranger } = await tenant();
    expect((await ask(stranger.headers)).code).toBe("rate_limited");
    expect((await from()(stranger.headers)).status).toBe(200);
  });

  it("do not count against clients without a token, or with a malformed one", async () => {
    const ask = from();
    for (let i = 0; i < 70; i++) {
      expect((await ask({})).code).toBe("token_missing");
      expect((await ask(bearer("hello"))).code).toBe("malformed_token");
    }
  });
});
