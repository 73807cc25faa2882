import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE } from "../../support/client.ts";
import { AUDIENCE, provider, send } from "../../support/provider.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const TAKEN = 403;

describe("a provider's metadata and keys", () => {
  it("a provider's metadata and keys are read once for many tokens, by discovery", async () => {
    const { status, fetched } = await provider();
    expect([await status(), await status(), await status({ sub: "bob" })]).toEqual([TAKEN, TAKEN, TAKEN]);
    expect(fetched).toEqual(["/.well-known/openid-configuration", "/jwks"]);
  });

  it("are found for an issuer with a trailing slash, even if the configuration omits the slash", async () => {
    const issuer = `https://${crypto.randomUUID()}.example`;
    const { status } = await provider({ issuer, claimedIssuer: `${issuer}/` });
    expect(await status()).toBe(TAKEN);
    expect(await status({ iss: issuer })).toBe(401);
  });

  it("limit the algorithms to those that are both announced and supported", async () => {
    for (const alg of ["RS256", "RS512", "PS256", "PS384", "ES256", "ES384", "ES512", "EdDSA"]) {
      expect.soft(await (await provider({ alg, algorithms: [alg, "HS256"] })).status(), alg).toBe(TAKEN);
      expect.soft(await (await provider({ alg, algorithms: ["none", "HS256"] })).status(), alg).toBe(401);
    }
    expect(await (await provider({ alg: "ES384", algorithms: ["ES256"] })).status()).toBe(401);
  });

  it("are not used to accept other kinds of token as console tokens", async () => {
    const { status } = await provider();
    for (const typ of ["JWT", "at+jwt", "AT+JWT", "application/at+jwt"]) {
      expect.soft(await status({}, { typ }), typ).toBe(TAKEN);
    }
    for (const typ of ["logout+jwt", "dpop+jwt", "secevent+jwt"]) expect.soft(await status({}, { typ }), typ).toBe(401);
  });

  it("are refused unless they name the requested issuer and arrive over TLS", async () => {
    expect(
      await (await provider({ claimedIssuer: "https://evil.example" })).status({ iss: "https://evil.example" }),
    ).toBe(401);
    const evil = await provider();
    evil.answers[`${evil.base}/.well-known/openid-configuration`] = { issuer: "https://evil.example", jwks_uri: "x" };
    expect(await evil.status()).toBe(503);
    const plain = await provider({ issuer: `http://${crypto.randomUUID()}.example` });
    expect(await plain.status()).toBe(503);
    expect(plain.fetched).toEqual([]);
  });

  it("a sign-in answers 503 while the provider's keys cannot be read, and works again afterwards", async () => {
    const { status, answers, base } = await provider();
    const good = answers[`${base}/jwks`];
    const start = Date.now();
    for (const [i, bad] of [
      new Response("<html>", { headers: { "content-type": "text/html" } }),
      new Response("no", { status: 404 }),
      new Response("no", { status: 502 }),
      { keys: "none" },
    ].entries()) {
      vi.useFakeTimers({ toFake: ["Date"], now: start + i * 10_000 });
      answers[`${base}/jwks`] = bad;
      expect.soft(await status(), String(i)).toBe(503);
    }
    answers[`${base}/jwks`] = good;
    expect(await status()).toBe(503);
    vi.setSystemTime(start + 60_000);
    expect(await status()).toBe(TAKEN);
  });

  it("a provider's metadata stays usable during its outage, and its keys for ten minutes", async () => {
    const { status, answers, base } = await provider();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    expect(await status()).toBe(TAKEN);
    answers[`${base}/.well-known/openid-configuration`] = new Response("down", { status: 503 });
    vi.setSystemTime(start + 3_600_000);
    expect(await status()).toBe(TAKEN);
    answers[`${base}/jwks`] = new Response("down", { status: 503 });
    vi.setSystemTime(start + 3_600_000 + 599_000);
    expect(await status()).toBe(TAKEN);
    expect(await status({}, { kid: "2" })).toBe(503);
    expect(await status()).toBe(TAKEN);
    vi.setSystemTime(start + 3_600_000 + 600_000);
    expect(await status()).toBe(503);
  });
});

describe("a key that the provider started to use", () => {
  const named = async (rotated: string) => {
    const who = await provider();
    const { keys } = who.answers[`${who.base}/jwks`] as { keys: object[] };
    const reads = () => who.fetched.filter((path) => path === "/jwks").length;
    return {
      ...who,
      reads,
      rotate: () => Object.assign(who.answers, { [`${who.base}/jwks`]: { keys: [{ ...keys[0], kid: rotated }] } }),
    };
  };

  it("a new key of the provider answers 503 with Retry-After while the keys were read just now", async () => {
    const { status, request, reads, rotate } = await named("2");
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    expect(await status()).toBe(TAKEN);
    rotate();
    vi.setSystemTime(start + 4_999);
    const early = await request({}, { kid: "2" });
    expect([early.status, early.headers.get("x-error-code")]).toEqual([503, "identity_unavailable"]);
    const wait = Number(early.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(5);
    expect(reads()).toBe(1);
    vi.setSystemTime(start + 4_999 + wait * 1_000);
    expect(await status({}, { kid: "2" })).toBe(TAKEN);
    expect(reads()).toBe(2);
  });

  it("a new key is told from a made-up one by reading the keys once, however many requests there are", async () => {
    const { status, reads } = await named("2");
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    expect(await status()).toBe(TAKEN);
    for (let second = 0; second < 20; second++) {
      vi.setSystemTime(start + second * 1_000);
      for (const kid of ["x", "y", "z"]) expect([401, 503]).toContain(await status({}, { kid: kid + second }));
      expect(await status()).toBe(TAKEN);
    }
    expect(reads()).toBe(4);
    vi.setSystemTime(start + 60_000);
    expect(await status({}, { kid: "nobody" })).toBe(401);
    expect(await status({}, { kid: "nobody" })).toBe(503);
    expect(reads()).toBe(5);
  });
});

describe("a sign-in over HTTPS", () => {
  it("keeps its cookie to this host and to TLS", async () => {
    const { vars } = await provider();
    const response = await send("/api/login?account=acme", vars);
    expect(response.status).toBe(302);
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-switchboard-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.searchParams.get("tenant")).toBe("1");
    expect(location.searchParams.get("redirect_uri")).toBe(`${BASE}/api/login/callback`);
    // Without OIDC_CLIENT_ID the audience is used as the client, and no API is requested.
    expect(location.searchParams.get("client_id")).toBe(AUDIENCE);
    expect(location.searchParams.has("resource")).toBe(false);
  });

  it("returns to the same address however it was started", async () => {
    const { vars } = await provider();
    const response = await send("/hub-api/api/login", vars);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.searchParams.get("redirect_uri")).toBe(`${BASE}/api/login/callback`);
  });
});

describe("the headers of sign-in pages", () => {
  it("keep responses out of caches, frames and other origins, and browsers on TLS", async () => {
    const secured = await send("/api/v1/agents", {});
    expect(Object.fromEntries(secured.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "www-authenticate": "Bearer",
    });
    const plain = await send("/api/v1/agents", {}, {}, "http://localhost:8787");
    expect(plain.headers.has("strict-transport-security")).toBe(false);
    expect((await send("/.well-known/jwks.json", {})).headers.get("cache-control")).toBe("public, max-age=300");
  });
});
