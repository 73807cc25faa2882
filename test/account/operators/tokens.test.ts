import { env } from "cloudflare:workers";
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { call, consoleUser, newUser, operator, tenant } from "../../support/client.ts";

const AGENTS = "/api/v1/agents";
const HOUR = 3_600_000;
const requestAgents = (authorization: string | undefined, headers: Record<string, string> = {}) =>
  call("GET", AGENTS, { headers: { ...headers, ...(authorization !== undefined && { authorization }) } });
const requestAs = (account: string, token: string) => requestAgents(`Bearer ${token}`, { "x-account-id": account });
const claims = (account: string) => ({ sub: "u1", accounts: [account] });
const tokenFor = async (account: string, now = Date.now()) => issueConsoleToken(env, await newUser(account), now);

describe("an Authorization header", () => {
  it("gets a 401 with a challenge if it is missing", async () => {
    const answer = await requestAgents(undefined);
    expect([answer.status, answer.code]).toEqual([401, "token_missing"]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each([
    ["another scheme", "Basic YWNtZTpzZWNyZXQ="],
    ["no scheme", "sk_live_acme_x"],
    ["no token", "Bearer"],
    ["neither shape", "Bearer hello"],
    ["a widget key", `Bearer ${mintSecret("pk_live_acme")}`],
    ["a key without an account", "Bearer sk_live_abc"],
    ["a key of an impossible account", "Bearer sk_live_Acme_abc"],
    ["a token of two parts", "Bearer eyJhbGciOiJFUzI1NiJ9.e30"],
    ["two tokens", `Bearer ${mintSecret("sk_live_acme")} eyJ`],
    ["16 KB of text", `Bearer ${"x".repeat(16_384)}`],
    ["16 KB of key", `Bearer sk_live_${"a".repeat(16_384)}_x`],
  ])("an Authorization header with %s is malformed", async (_, header) => {
    const answer = await requestAgents(header, { "x-account-id": "acme" });
    expect([answer.status, answer.code]).toEqual([400, "malformed_token"]);
  });

  it("an Authorization header is checked before X-Account-ID", async () => {
    expect((await requestAgents("Bearer eyJhbGciOiJFUzI1NiJ9.e30.x")).status).toBe(401);
    expect((await requestAgents("Bearer hello")).code).toBe("malformed_token");
  });

  it("may have its scheme in any case", async () => {
    const { key } = await tenant();
    expect((await requestAgents(`bearer ${key.key}`)).status).toBe(200);
  });
});

describe("API keys", () => {
  it("an API key that is unknown, garbled, or of no account answers 401", async () => {
    const { account, key } = await tenant();
    const garbled = key.key.slice(0, -1) + (key.key.endsWith("a") ? "b" : "a");
    for (const token of [mintSecret(`sk_live_${account}`), garbled, `${key.key}x`, mintSecret("sk_live_nobody-here")]) {
      const answer = await requestAgents(`Bearer ${token}`);
      expect([answer.status, answer.code]).toEqual([401, "token_invalid"]);
    }
  });

  it("a revoked API key answers 403, and a deleted one 401", async () => {
    const { user, key } = await tenant();
    const spare = (await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "spare" })).body;
    await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true });
    expect((await requestAgents(`Bearer ${key.key}`)).code).toBe("key_revoked");
    await user.delete(`/api/v1/api-keys/${spare.id}`);
    expect((await requestAgents(`Bearer ${spare.key}`)).code).toBe("token_invalid");
  });

  it("open only their own account", async () => {
    const [{ server, account }, other] = [await tenant(), await tenant()];
    expect((await server.get(AGENTS, { "x-account-id": account })).status).toBe(200);
    const crossed = await server.get(AGENTS, { "x-account-id": other.account });
    expect([crossed.status, crossed.code]).toEqual([403, "account_mismatch"]);
  });

  it("an API key with another account's name in the prefix is refused", async () => {
    const [{ key, account }, other] = [await tenant(), await tenant()];
    expect((await requestAgents(`Bearer ${key.key.replace(account, other.account)}`)).status).toBe(401);
  });

  it("work for an account whose name contains underscores", async () => {
    const name = `a_b-c_${crypto.randomUUID().slice(0, 8)}`;
    await (await operator()).post("/api/admin/v1/accounts", { name });
    const created = await (await consoleUser(name)).post<{ key: string }>("/api/v1/api-keys", { name: "k" });
    expect((await requestAgents(`Bearer ${created.body.key}`)).status).toBe(200);
  });
});

describe("console tokens", () => {
  it("require X-Account-ID with an account of the user", async () => {
    const [{ account }, other] = [await tenant(), await tenant()];
    const token = await tokenFor(account);
    expect((await requestAs(account, token)).status).toBe(200);
    expect((await requestAgents(`Bearer ${token}`)).code).toBe("account_required");
    expect((await requestAs("Not A Name", token)).code).toBe("invalid_account");
    expect((await requestAs("a".repeat(64), token)).code).toBe("invalid_account");
    const crossed = await requestAs(other.account, token);
    expect([crossed.status, crossed.code]).toEqual([403, "account_mismatch"]);
  });

  it("an operator's console token does not open regular endpoints", async () => {
    const { user } = await tenant();
    const admin = await (await operator()).get(AGENTS);
    expect([admin.status, admin.code]).toEqual([403, "forbidden"]);
    expect((await user.get(AGENTS, { "x-account-id": "service-admin" })).status).toBe(403);
  });

  it("a console token expires", async () => {
    const { account } = await tenant();
    expect((await requestAs(account, await tokenFor(account, Date.now() - 0.9 * HOUR))).status).toBe(200);
    expect((await requestAs(account, await tokenFor(account, Date.now() - 1.1 * HOUR))).status).toBe(401);
  });

  it("a console token for another purpose, unsigned, forged or altered is refused", async () => {
    const { account } = await tenant();
    const good = await tokenFor(account);
    const [head = "", body = "", signature = ""] = good.split(".");
    const encode = (value: unknown) => base64url.encode(JSON.stringify(value));
    const header = JSON.parse(new TextDecoder().decode(base64url.decode(head)));
    const payload = JSON.parse(new TextDecoder().decode(base64url.decode(body)));
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const forge = (extra: object) =>
      new SignJWT(payload).setProtectedHeader({ ...header, ...extra, alg: "ES256" }).sign(privateKey);
    const secret = new TextEncoder().encode(env.SIGNING_KEYS);
    const forged = {
      "another audience": await signToken(env.SIGNING_KEYS, "runtime", claims(account), 3600, Date.now()),
      "alg none": `${encode({ ...header, alg: "none" })}.${body}.`,
      "alg none with a signature": `${encode({ ...header, alg: "none" })}.${body}.${signature}`,
      "alg HS256": await new SignJWT(payload).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret),
      "another key under our kid": await forge({}),
      "a key of their own in the header": await forge({ jwk: await exportJWK(publicKey) }),
      "an unknown kid": await forge({ kid: "k2" }),
      "another payload": `${head}.${encode({ ...payload, accounts: [account, "globex"] })}.${signature}`,
      "no signature": `${head}.${body}.`,
      "a cut signature": good.slice(0, -4),
      "16 KB of payload": `${head}.${"A".repeat(16_384)}.${signature}`,
      "no JSON in it": `${head}.AAAA.${signature}`,
    };
    for (const [what, token] of Object.entries(forged)) {
      const answer = await requestAs(account, token);
      expect([what, answer.status, answer.code]).toEqual([what, 401, "token_invalid"]);
    }
    expect((await requestAs(account, good)).status).toBe(200);
  });

  it("a console token without accounts or a subject is refused", async () => {
    const { account } = await tenant();
    for (const odd of [{ sub: "u1" }, { sub: "u1", accounts: account }, { sub: "", accounts: [account] }]) {
      const token = await signToken(env.SIGNING_KEYS, "console", odd, 3600, Date.now());
      expect((await requestAs(account, token)).status).toBe(401);
    }
  });

  it("a console token of an unknown account is refused", async () => {
    const stranger = await consoleUser("never-made");
    const answer = await stranger.get(AGENTS);
    expect([answer.status, answer.code]).toEqual([403, "account_closed"]);
  });
});
