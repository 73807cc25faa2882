import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { admitRuntime } from "../../../src/conversation/runtime/session/admit-runtime.ts";
import { readPartyToken, readRuntimeToken } from "../../../src/conversation/runtime/session/session-token.ts";
import type { AppEnv } from "../../../src/kernel/http/context.ts";
import { renderError } from "../../../src/kernel/http/errors.ts";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { shortId, signToken } from "../../../src/kernel/secrets/tokens.ts";
import { call, tenant } from "../../support/client.ts";
import { claimsOf, introspect, page, type Session, visitorToken, widgetTenant } from "../../support/widget.ts";
import { sessionOf } from "../agent-sessions/support.ts";
import { callToken, carrierToken, identityOf, outcomeOf } from "./support.ts";

const claims = { sub: crypto.randomUUID(), account: "acme", agent_id: crypto.randomUUID() };
const CARRIERS = { sub: shortId(claims.sub), account: "acme", agent: shortId(claims.agent_id) };
const asRuntime = (token: string, now = Date.now()) => readRuntimeToken(env.SIGNING_KEYS, token, now);
const asParty = (token: string, now = Date.now()) => readPartyToken(env.SIGNING_KEYS, token, now);
/** Returns whom a token identifies, and checks that it is valid for only one of the two kinds. */
async function read(token: string, now = Date.now()) {
  const [runtime, party] = [await asRuntime(token, now), await asParty(token, now)];
  if ("refused" in runtime) return party;
  expect(party).toEqual({ refused: "invalid" });
  return runtime;
}
const HOUR_MS = 3_600_000;

/** An endpoint for runtimes that returns who authenticated. */
const door = new Hono<AppEnv>()
  .use(async (c, next) => {
    c.set("now", Number(c.req.header("x-now") ?? Date.now()));
    c.set("requestId", "");
    await next();
  })
  .get("/", async (c) => {
    await admitRuntime(c, { access: "runtime", scope: ["runtime"] });
    return c.json(c.get("runtime"));
  })
  .onError((error, c) => renderError(error, c));

/** Returns the endpoint's response. Only signatures are checked: there is neither a database nor an object. */
async function authenticate(headers: Record<string, string>, vars: Record<string, unknown> = {}) {
  const bindings = { RATE_LIMITS: "off", SIGNING_KEYS: env.SIGNING_KEYS, ...vars };
  const response = await door.request("/", { headers }, bindings as unknown as Env, createExecutionContext());
  const code = response.headers.get("x-error-code");
  return code === null ? ((await response.json()) as object) : `${response.status} ${code}`;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function foreignKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const [{ kid } = { kid: "" }] = JSON.parse(env.SIGNING_KEYS) as { kid: string }[];
  return JSON.stringify([{ ...(await exportJWK(privateKey)), kid }]);
}

describe("a session's token", () => {
  it("identifies its call, and whether a runtime or a carrier holds it", async () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const call = { ...claims, campaign_id: crypto.randomUUID() };
    const session = {
      kind: "call",
      call_id: call.sub,
      key: call.sub,
      campaign_id: call.campaign_id,
      account: "acme",
      agent_id: call.agent_id,
      issued_at: 0,
      expires_at: now + 2 * HOUR_MS,
    };
    expect(await read(await callToken(call, now), now)).toEqual({
      trust: "runtime",
      session,
      api_key_id: null,
      disclosed: false,
    });
    expect(await read(await callToken(claims, now), now)).toMatchObject({ session: { campaign_id: null } });
    for (const spoken of [
      { disclosed: false, announced: false, greeted: false },
      { disclosed: true, announced: false, greeted: false },
      { disclosed: true, announced: true, greeted: false },
      { disclosed: true, announced: true, greeted: true },
    ]) {
      const token = await carrierToken(call, spoken, now);
      expect(await read(token, now)).toEqual({ trust: "carrier", session, spoken, signs: false });
      expect(await asRuntime(token, now)).toEqual({ refused: "invalid" });
    }
  });

  it("identifies its visitor's sign-in, however often it was refreshed", async () => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    const { fam } = claimsOf(first.access_token);
    const renewed = (await page().refresh(first.refresh_token)).body;
    const user = (await page(null).exchange(await visitorToken(created, "user-7"))).body;
    for (const { access_token } of [first, renewed]) {
      const { iat, iat_ms, exp } = claimsOf(access_token) as { iat: number; iat_ms: number; exp: number };
      expect(Math.floor(iat_ms / 1000)).toBe(iat);
      const session = {
        kind: "widget",
        visitor: first.visitor,
        key: fam,
        key_id: created.widgetKey.id,
        origin: "https://shop.example",
        made_by: null,
        account: created.account,
        agent_id: created.agentId,
        issued_at: iat_ms,
        expires_at: exp * 1000,
      };
      expect(await read(access_token)).toEqual({ trust: "participant", session });
      expect(await asRuntime(access_token)).toEqual({ refused: "invalid" });
    }
    expect(await read(user.access_token)).toMatchObject({
      session: { visitor: { id: "user-7", type: "user" }, origin: null },
    });
    const { fam: _, ...familyless } = claimsOf(first.access_token) as Record<string, string> & { sub: string };
    const incomplete = await signToken(env.SIGNING_KEYS, "visitor", familyless, 60, Date.now());
    expect(await read(incomplete)).toEqual({ refused: "invalid" });
  });

  it("a session's token is refused if it is forged, expired, incomplete or issued for another purpose", async () => {
    const now = Date.now();
    const created = await widgetTenant();
    const session = (await page().guest(created.widgetKey.key)).body;
    const [head = "", , signature = ""] = (await callToken(claims)).split(".");
    const body = btoa(JSON.stringify({ ...claims, aud: "runtime", iss: "switchboard", exp: now })).replace(/=+$/, "");
    const sign = (audience: "runtime" | "carrier" | "console" | "login", given: object, keys = env.SIGNING_KEYS) =>
      signToken(keys, audience, given as { sub: string }, 60, now);
    const bad = {
      "a body of one's own": `${head}.${body}.${signature}`,
      "no signature": `${head}.${body}.`,
      "a stranger's key under our kid": await sign("runtime", claims, await foreignKeys()),
      "a stranger's visitor": await signToken(
        await foreignKeys(),
        "visitor",
        claimsOf(session.access_token) as { sub: string },
        60,
        now,
      ),
      "a console session": await sign("console", claims),
      "a pending sign-in": await sign("login", claims),
      "a refresh token": session.refresh_token,
      "a visitor token": await visitorToken(created),
      "no call": await sign("runtime", { ...claims, sub: "user-7" }),
      "no account": await sign("runtime", { ...claims, account: undefined }),
      "no agent": await sign("runtime", { ...claims, agent_id: undefined }),
      "an invalid campaign": await sign("runtime", { ...claims, campaign: "x/../y" }),
      "too long": await sign("runtime", { ...claims, pad: "x".repeat(8192) }),
      "a carrier on no call": await sign("carrier", { ...CARRIERS, sub: claims.sub }),
      "a carrier of no account": await sign("carrier", { ...CARRIERS, account: undefined }),
      "a carrier with no agent": await sign("carrier", { ...CARRIERS, agent: undefined }),
      "a carrier with a runtime's claims": await sign("carrier", claims),
      "a carrier's token that is too long": await sign("carrier", { ...CARRIERS, pad: "x".repeat(8192) }),
      garbage: "eyJ.x.y",
      nothing: "",
    };
    for (const [what, token] of Object.entries(bad)) {
      expect.soft(await asRuntime(token), what).toEqual({ refused: "invalid" });
      expect.soft(await asParty(token), what).toEqual({ refused: "invalid" });
    }
    expect(await asRuntime(await callToken(claims, now - 3 * HOUR_MS))).toEqual({ refused: "expired" });
    expect(await asParty(await carrierToken(claims, undefined, now - 3 * HOUR_MS))).toEqual({ refused: "expired" });
    expect(await asParty(session.access_token, now + HOUR_MS)).toEqual({ refused: "expired" });
  });
});

describe("authentication of runtimes", () => {
  it("accepts calls' tokens even if the request names another account", async () => {
    const session = { kind: "call", call_id: claims.sub, account: "acme" };
    const headers = { ...bearer(await callToken(claims)), "x-account-id": "globex" };
    expect(await authenticate(headers)).toMatchObject({ trust: "runtime", session });
  });

  it("accepts neither a participant nor a carrier as a runtime", async () => {
    const created = await widgetTenant();
    const { access_token } = (await page().guest(created.widgetKey.key)).body;
    const tester = await sessionOf(created.user, created.agentId);
    for (const token of [access_token, tester.access_token, await carrierToken(claims)]) {
      expect.soft(await authenticate(bearer(token))).toBe("403 not_a_runtime");
      // Sending the same token twice does not authenticate a runtime either.
      expect.soft(await authenticate({ ...bearer(token), "x-visitor-token": token })).toBe("403 not_a_runtime");
      expect.soft(await authenticate(bearer(`${token.slice(0, -8)}AAAAAAAA`))).toBe("401 token_invalid");
    }
  });

  it("returns 401 without a token and 400 for a malformed one", async () => {
    expect(await authenticate({})).toBe("401 token_missing");
    const token = await callToken(claims);
    for (const authorization of [
      "",
      "Bearer",
      "Basic YTpi",
      token,
      "Bearer nonsense",
      "Bearer pk_live_a_b",
      "Bearer eyJ.e30.x.y",
    ])
      expect.soft(await authenticate({ authorization }), authorization).toBe("400 malformed_token");
  });

  it("returns 401 for tokens of every other endpoint group", async () => {
    const created = await widgetTenant();
    const session = (await page().guest(created.widgetKey.key)).body;
    const { user, server } = created;
    expect(await authenticate(user.headers)).toBe("401 token_invalid");
    expect(await authenticate(server.headers)).toBe("401 session_token_required");
    expect(await authenticate(bearer(mintSecret("sk_live_acme")))).toBe("401 session_token_required");
    expect(await authenticate(bearer(session.refresh_token))).toBe("401 token_invalid");
    expect(await authenticate(bearer(await visitorToken(created)))).toBe("401 token_invalid");
    const before = Date.now() - 3 * HOUR_MS;
    expect(await authenticate(bearer(await callToken(claims, before)))).toBe("401 token_invalid");
    expect(await authenticate(bearer(await carrierToken(claims, undefined, before)))).toBe("401 token_invalid");
  });

  it("does not cache a token beyond its expiry", async () => {
    const now = Date.now();
    const token = await callToken(claims, now);
    const at = (time: number) => authenticate({ ...bearer(token), "x-now": String(time) });
    expect(await at(now + 2 * HOUR_MS - 5_000)).toMatchObject({ trust: "runtime" });
    expect(await at(now + 2 * HOUR_MS + 5_000)).toBe("401 token_invalid");
  });

  it("blocks an address that keeps guessing, but not tokens verified before", async () => {
    const existing = await callToken(claims);
    const counted: string[] = [];
    const FAILED_RATE = { limit: async ({ key }: { key: string }) => ({ success: counted.push(key) <= 60 }) };
    const from = (token: string) =>
      authenticate({ ...bearer(token), "cf-connecting-ip": "203.0.113.99" }, { RATE_LIMITS: "on", FAILED_RATE });
    expect(await from(existing)).toMatchObject({ trust: "runtime" });
    for (let i = 0; i < 60; i++) expect(await from(`eyJ.${i}.x`)).toBe("401 token_invalid");
    expect(await from("eyJ.x.x")).toBe("429 rate_limited");
    expect(await from(await callToken({ ...claims, agent_id: "new" }))).toBe("429 rate_limited");
    expect(counted).toHaveLength(61);
    expect(await from(existing)).toMatchObject({ trust: "runtime" });
    expect(await from(mintSecret("sk_live_acme"))).toBe("401 session_token_required");
  });
});

describe("a session's token at other endpoints", () => {
  it("other endpoints refuse a session's token", async () => {
    const created = await widgetTenant();
    const { account, agentId } = created;
    const token = await callToken({ sub: crypto.randomUUID(), account, agent_id: agentId });
    const { access_token } = (await page().guest(created.widgetKey.key)).body;
    for (const sent of [token, access_token]) {
      const headers = { ...bearer(sent), "x-account-id": account };
      for (const path of [
        "/api/v1/agents",
        "/api/v1/calls",
        "/api/v1/conversations",
        `/api/v1/conversations/${crypto.randomUUID()}/events`,
        "/api/v1/api-keys",
        "/api/admin/v1/accounts",
      ])
        expect.soft((await call("GET", path, { headers })).code, path).toBe("token_invalid");
      expect((await call("POST", "/api/logout", { headers })).status).toBe(401);
      expect((await page().exchange(sent)).status).toBe(400);
      expect((await page().refresh(sent)).status).toBe(400);
    }
    expect(await introspect(created, token)).toEqual({ active: false, reason: "invalid" });
  });

  it("a session's token reaches nothing of another account", async () => {
    const [mine, theirs] = [await widgetTenant(), await tenant()];
    const { access_token } = (await page().guest(mine.widgetKey.key)).body as Session;
    const identity = await identityOf(access_token);
    expect(await outcomeOf(identity)).toBe("ok");
    expect(await outcomeOf({ ...identity, account: theirs.account })).toBe("403 key_disabled");
  });
});
