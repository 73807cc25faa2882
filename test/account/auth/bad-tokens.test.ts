import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { publicKeySet, signToken } from "../../../src/kernel/secrets/tokens.ts";
import { BASE, consoleUser, tenant } from "../../support/client.ts";

/** Stands for everything that a handler could reach outside its own isolate. Any use of it is an error. */
const unreachable = new Proxy(
  {},
  {
    get: (_, name) => {
      throw new Error(`${String(name)} was reached for`);
    },
  },
);
const isolated = {
  ...env,
  RATE_LIMITS: "on",
  DB: unreachable,
  ACCOUNT_GATE: unreachable,
  PUBLIC_RATE: unreachable,
} as unknown as typeof env;

/** Sends a request that must not do any I/O. */
async function request(authorization: string, vars: Partial<Env> = {}) {
  const headers = { authorization, "x-account-id": "acme" };
  const incoming = new Request(`${BASE}/api/v1/agents`, { headers });
  const response = await app.fetch(incoming, { ...isolated, ...vars }, createExecutionContext());
  return [response.status, response.headers.get("x-error-code")];
}

const b64 = (value: unknown) => btoa(JSON.stringify(value)).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "");
const claims = (changes: Record<string, unknown> = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: "switchboard", aud: "console", sub: "ada", accounts: ["acme"], iat: now, exp: now + 600, ...changes };
};

describe("the status of an invalid token", () => {
  it("a token of an unknown form answers 400 without I/O", async () => {
    for (const header of [
      "",
      "Bearer",
      "Bearer ",
      "Basic YTpi",
      "Bearer nonsense",
      "Bearer pk_live_acme_abc",
      "Bearer eyJhbGciOiJub25lIn0",
      "Bearer eyJhbGciOiJub25lIn0.e30",
      "Bearer eyJ.e30.x.y",
      "Bearer sk_live_",
      "Bearer sk_live_acme",
      "Bearer sk_live_ACME_abc",
      "Bearer sk_live_acme_abc-def",
      `Bearer sk_live_${"a".repeat(16_384)}_a`,
      `Bearer ${"a".repeat(16_384)}`,
      "a".repeat(16_384),
    ]) {
      expect.soft(await request(header), header.slice(0, 60)).toEqual([400, "malformed_token"]);
    }
  });

  it("a key with a wrong checksum answers 401 without I/O", async () => {
    const key = mintSecret("sk_live_acme");
    const last = key.endsWith("a") ? "b" : "a";
    const keys = [
      key.slice(0, -1) + last,
      key.replace("acme", "acmf"),
      key.slice(0, -1),
      `${key}a`,
      `sk_live_acme_${"a".repeat(38)}`,
      `sk_live_acme_${"a".repeat(16_384)}`,
    ];
    for (const bad of keys) expect.soft(await request(`Bearer ${bad}`), bad).toEqual([401, "token_invalid"]);
  });

  it("a console token that is forged, unsigned, expired or for another purpose answers 401 without I/O", async () => {
    const good = (await consoleUser("acme")).headers.authorization?.slice("Bearer ".length) ?? "";
    const [head = "", body = "", signature = ""] = good.split(".");
    const { keys } = await publicKeySet(env.SIGNING_KEYS);
    const kid = keys[0]?.kid ?? "";
    const publicKey = new TextEncoder().encode(JSON.stringify(keys[0]));
    const make = (audience: "console" | "login" | "runtime", ago = 0) =>
      signToken(env.SIGNING_KEYS, audience, claims(), 3600, Date.now() - ago);
    const { privateKey } = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    const stranger = new SignJWT(claims()).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
    const bad = {
      "signature of another token": `${head}.${b64(claims({ sub: "mallory" }))}.${signature}`,
      "no signature": `${head}.${body}.`,
      "alg none": `${b64({ alg: "none" })}.${body}.`,
      "alg none with our kid": `${b64({ alg: "none", kid })}.${body}.${signature}`,
      "HS256 with the public key": await new SignJWT(claims())
        .setProtectedHeader({ alg: "HS256", kid })
        .sign(publicKey),
      "a stranger's key under our kid": await stranger,
      "an unknown kid": `${b64({ alg: "ES256", kid: "nobody" })}.${body}.${signature}`,
      "a key brought along": `${b64({ alg: "ES256", jwk: keys[0] })}.${body}.${signature}`,
      expired: await make("console", 3_600_000),
      "for a media runtime": await make("runtime"),
      "for a pending sign-in": await make("login"),
      "another issuer": `${head}.${b64(claims({ iss: "https://evil.example" }))}.${signature}`,
      "no issuer": `${head}.${b64(claims({ iss: undefined }))}.${signature}`,
      "a body that is a list": `${head}.${b64([])}.${signature}`,
      "a body that is not JSON": `${head}.eyJub3Q.${signature}`,
      "a header that is not JSON": `eyJub3Q.${body}.${signature}`,
      "16 KB of anything": `eyJ${"a".repeat(16_384)}.e30.x`,
      "8 KB of it": `${head}.${b64(claims({ pad: "x".repeat(5000) }))}.${signature}`,
    };
    for (const [what, token] of Object.entries(bad)) {
      expect.soft(await request(`Bearer ${token}`), what).toEqual([401, "token_invalid"]);
    }
  });

  it("a token of the embedded provider answers 401 without I/O if that provider is off", async () => {
    const good = (await consoleUser("acme")).headers.authorization ?? "";
    const oidc = { OIDC_ISSUER: "https://idp.example", OIDC_AUDIENCE: "api" };
    expect(await request(good, oidc)).toEqual([401, "token_invalid"]);
    expect(await request(good, { EMBEDDED_LOGIN: "off" })).toEqual([401, "token_invalid"]);
    const elsewhere = (await consoleUser("globex")).headers.authorization ?? "";
    expect(await request(elsewhere, { ...oidc, EMBEDDED_LOGIN: "on" })).toEqual([403, "account_mismatch"]);
  });

  it("a valid token for another account answers 403 without I/O", async () => {
    const { user } = await tenant();
    expect(await request(user.headers.authorization ?? "")).toEqual([403, "account_mismatch"]);
  });
});

describe("a half-configured provider", () => {
  it("admits no one, and names the misconfigured settings", async () => {
    const token = `Bearer ${b64({ alg: "RS256" })}.${b64(claims({ iss: "https://idp.example" }))}.AAAA`;
    for (const vars of [{ OIDC_ISSUER: "https://idp.example" }, { OIDC_ISSUER: "idp.example", OIDC_AUDIENCE: "a" }]) {
      expect(await request(token, vars)).toEqual([503, "identity_misconfigured"]);
    }
  });

  it.each([
    [{ OIDC_ISSUER: "https://idp.example" }, ["OIDC_CLIENT_ID", "OIDC_AUDIENCE"]],
    [{ OIDC_ISSUER: "idp.example", OIDC_AUDIENCE: "a" }, ["OIDC_ISSUER"]],
    [{ OIDC_ISSUER: "idp.example" }, ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_AUDIENCE"]],
  ])("a half-configured provider names every wrong setting at a sign-in: %j", async (vars, amiss) => {
    const request = new Request(`${BASE}/api/login?account=acme`, { redirect: "manual" });
    const answer = await app.fetch(request, { ...env, ...vars } as typeof env, createExecutionContext());
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "identity_misconfigured"]);
    const text = await answer.text();
    const settings = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_AUDIENCE"];
    expect(settings.filter((name) => text.includes(name))).toEqual(amiss);
  });
});
