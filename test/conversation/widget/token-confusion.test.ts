import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { type Audience, signToken } from "../../../src/kernel/secrets/tokens.ts";
import { call, newUser } from "../../support/client.ts";
import { claimsOf, introspect, page, visitorToken, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { sessionOf } from "../agent-sessions/support.ts";

const [ownKey] = JSON.parse(env.SIGNING_KEYS) as (JWK & { kid: string })[];
if (!ownKey) throw new Error("no signing key");

const encode = (value: unknown) =>
  btoa(JSON.stringify(value)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Signs a JWT with the key `jwk`. */
async function sign(claims: JWTPayload, jwk: JWK, header: { kid?: string; alg?: string } = {}): Promise<string> {
  const alg = header.alg ?? "ES256";
  const key = alg === "HS256" ? new TextEncoder().encode(JSON.stringify(jwk)) : await importJWK(jwk, alg);
  return new SignJWT(claims).setProtectedHeader({ kid: ownKey?.kid ?? "", ...header, alg }).sign(key);
}

async function foreignKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return exportJWK(privateKey);
}

interface Door {
  /** The required purpose of a token. */
  takes: Audience;
  /** Whether the endpoint accepts the token. */
  opens: (token: string) => Promise<boolean>;
}

/** Returns every endpoint that accepts a token of the service, with its answer to a wrong one. */
function doors(created: WidgetTenant): Door[] {
  const opened = async (answer: Promise<{ status: number }>, refusal: number) => {
    const { status } = await answer;
    if (status !== 200 && status !== refusal) throw new Error(`answered ${status}`);
    return status === 200;
  };
  const headers = (token: string) => ({ authorization: `Bearer ${token}`, "x-account-id": created.account });
  return [
    { takes: "console", opens: (token) => opened(call("GET", "/api/v1/agents", { headers: headers(token) }), 401) },
    {
      takes: "console",
      opens: (token) => opened(call("GET", "/api/v1/api-keys", { headers: headers(token) }), 401),
    },
    { takes: "visitor-token", opens: (token) => opened(page().exchange(token), 400) },
    { takes: "visitor-refresh", opens: (token) => opened(page().refresh(token), 400) },
    { takes: "visitor", opens: async (token) => (await introspect(created, token)).visitor_type === "guest" },
    { takes: "tester", opens: async (token) => (await introspect(created, token)).visitor_type === "user" },
  ];
}

/** Creates one valid token for each purpose, with as many claims as possible. */
async function goodTokens(created: WidgetTenant, now = Date.now()): Promise<Record<Audience, string>> {
  const session = (await page().guest(created.widgetKey.key)).body;
  const identity = claimsOf(session.refresh_token) as JWTPayload & { sub: string };
  const claims = { ...identity, accounts: [created.account] };
  const user = await newUser(created.account);
  return {
    carrier: await signToken(env.SIGNING_KEYS, "carrier", claims, 900, now),
    console: await issueConsoleToken(env, user, now),
    "console-refresh": await signToken(env.SIGNING_KEYS, "console-refresh", claims, 900, now),
    "event-stream": await signToken(env.SIGNING_KEYS, "event-stream", claims, 60, now),
    login: await signToken(env.SIGNING_KEYS, "login", claims, 900, now),
    runtime: await signToken(env.SIGNING_KEYS, "runtime", claims, 900, now),
    "sign-in-ticket": await signToken(env.SIGNING_KEYS, "sign-in-ticket", claims, 900, now),
    tester: (await sessionOf(created.user, created.agentId)).access_token,
    transfer: await signToken(env.SIGNING_KEYS, "transfer", claims, 900, now),
    visitor: session.access_token,
    "visitor-refresh": session.refresh_token,
    "visitor-token": await visitorToken(created),
  };
}

/** Returns the claims of a valid token for the purpose. */
async function goodClaims(created: WidgetTenant, purpose: Audience): Promise<JWTPayload> {
  return claimsOf((await goodTokens(created))[purpose]);
}

const PURPOSES: Audience[] = ["console", "visitor-token", "visitor-refresh", "visitor", "tester"];

describe("token confusion", () => {
  it("accepts each purpose only at its own endpoint", async () => {
    const created = await widgetTenant();
    const tokens = await goodTokens(created);
    for (const [purpose, token] of Object.entries(tokens)) {
      for (const door of doors(created).filter(({ takes }) => takes !== purpose)) {
        expect([purpose, door.takes, await door.opens(token)]).toEqual([purpose, door.takes, false]);
      }
    }
    for (const door of doors(created)) {
      expect([door.takes, await door.opens(tokens[door.takes])]).toEqual([door.takes, true]);
    }
  });

  it("refuses another purpose's audience beside its own claims", async () => {
    const created = await widgetTenant();
    const claims = await goodClaims(created, "visitor-refresh");
    for (const door of doors(created)) {
      for (const aud of ["visitors", "", "runtime", "switchboard"]) {
        const token = await sign({ ...claims, accounts: [created.account], aud }, ownKey);
        expect([door.takes, aud, await door.opens(token)]).toEqual([door.takes, aud, false]);
      }
    }
  });

  it.each(PURPOSES)("a forged %s token is refused", async (purpose) => {
    const created = await widgetTenant();
    const claims = await goodClaims(created, purpose);
    const foreign = await foreignKey();
    const unsigned = `${encode({ alg: "none", typ: "JWT", kid: ownKey.kid })}.${encode(claims)}.`;
    const good = await sign(claims, ownKey);
    const [head = "", , signature = ""] = good.split(".");
    const { d, ...publicPart } = ownKey;
    const { exp, ...everlasting } = claims;
    const { sub, ...nobody } = claims;
    const forgeries: Record<string, string> = {
      "alg none": unsigned,
      "alg none with a signature": `${unsigned}${signature}`,
      "alg NoNe": `${encode({ alg: "NoNe", kid: ownKey.kid })}.${encode(claims)}.${signature}`,
      "signed with another key under our kid": await sign(claims, foreign),
      "signed with an unknown kid": await sign(claims, foreign, { kid: "other" }),
      "HS256 keyed with our public key": await sign(claims, publicPart, { alg: "HS256" }),
      "signature cut off": `${head}.${encode(claims)}.`,
      "claims changed under a good signature": `${head}.${encode({ ...claims, sub: "root" })}.${signature}`,
      "wrong issuer": await sign({ ...claims, iss: "https://idp.example" }, ownKey),
      "no issuer": await sign({ ...claims, iss: undefined as never }, ownKey),
      "no expiry": await sign(everlasting, ownKey),
      "no subject": await sign(nobody, ownKey),
      "not before a time ahead": await sign({ ...claims, nbf: Math.floor(Date.now() / 1000) + 3600 }, ownKey),
      expired: await sign({ ...claims, exp: Math.floor(Date.now() / 1000) }, ownKey),
    };
    for (const door of doors(created).filter(({ takes }) => takes === purpose)) {
      for (const [kind, token] of Object.entries(forgeries)) {
        expect([kind, await door.opens(token)]).toEqual([kind, false]);
      }
      expect(await door.opens(good)).toBe(true);
    }
  });

  it.each(["visitor", "visitor-refresh", "visitor-token"] as const)(
    "a %s token with invalid claims is refused",
    async (purpose) => {
      const created = await widgetTenant();
      const other = await widgetTenant();
      const claims = await goodClaims(created, purpose);
      const [door] = doors(created).filter(({ takes }) => takes === purpose);
      for (const change of [
        { account: other.account },
        { key_id: other.widgetKey.id },
        { key_id: undefined },
        { account: 7 },
        ...(purpose === "visitor-token" ? [] : [{ agent_id: other.agentId }, { visitor_type: "operator" }]),
        ...(purpose === "visitor" ? [] : [{ jti: undefined }]),
      ]) {
        const token = await sign({ ...claims, ...change } as JWTPayload, ownKey);
        expect([change, await door?.opens(token)]).toEqual([change, false]);
      }
    },
  );

  it("distinguishes an expired session from an unknown one", async () => {
    const created = await widgetTenant();
    const claims = await goodClaims(created, "visitor");
    const seconds = Math.floor(Date.now() / 1000);
    for (const exp of [seconds - 3600, seconds - 1]) {
      expect(await introspect(created, await sign({ ...claims, exp }, ownKey))).toEqual({
        active: false,
        reason: "expired",
      });
    }
    const forged = await sign({ ...claims, exp: seconds - 3600 }, await foreignKey());
    expect(await introspect(created, forged)).toEqual({ active: false, reason: "invalid" });
    expect(await introspect(created, "garbage")).toEqual({ active: false, reason: "invalid" });
  });

  it("answers oversized and broken tokens without a 5xx", async () => {
    const created = await widgetTenant();
    const huge = `eyJ${"a".repeat(16_384)}`;
    for (const token of [
      huge,
      "..",
      "a.b.c",
      "eyJ.eyJ.",
      "\u0000",
      "é".repeat(100),
      `${encode({ alg: "ES256" })}.x.y`,
    ]) {
      for (const path of ["exchange", "refresh"]) {
        const answer = await page().post(`auth/${path}`, { visitor_token: token, refresh_token: token });
        expect(answer.status).toBe(400);
      }
      const requests = await created.server.post("/api/v1/widget/auth/introspect", { token });
      expect(requests.status).toBeLessThan(500);
    }
    for (const authorization of [`Bearer ${huge}`, `Bearer ${huge}.a.b`, `Bearer sk_live_${"a".repeat(16_384)}`]) {
      const status = (await call("POST", "/api/v1/widget/auth/user-token", { headers: { authorization }, body: {} }))
        .status;
      expect([400, 401]).toContain(status);
    }
  });
});
