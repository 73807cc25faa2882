import { decodeJwt } from "jose";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import { sharedBrowser } from "../support/browser.ts";
import { API, type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { Visitor } from "../support/visitor.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

interface Session {
  access_token: string;
  token_type: string;
  expires_in: number;
  account: string;
  user: { id: string; email: string; name: string };
}

const COOKIE = "switchboard-login";
const ACCOUNTS = "https://switchboard.test/accounts";
const UUID = /^[0-9a-f-]{36}$/;
let idp: IdentityProvider;
let worker: RunningWorker;

beforeAll(async () => {
  idp = await startIdentityProvider(["ghost", "closed", "acme", "service-admin"]);
  worker = await startWorker(idp.vars);
  await idp.trust(worker.origin);
  for (const name of ["acme", "closed"]) await operator("POST", "", { name });
  await operator("PATCH", "/acme", { display_name: "Acme Dental" });
  await operator("PATCH", "/closed", { disabled: true });
});

afterAll(async () => {
  await worker.stop();
  await idp.stop();
});

async function operator(method: string, path: string, body: unknown): Promise<void> {
  const token = await idp.token();
  const response = await fetch(`${worker.origin}/api/admin/v1/accounts${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "x-account-id": "service-admin",
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

/** Begins a sign-in. Returns the browser, and the address to which it was sent. */
async function begin(query = "?account=acme", at = worker.origin) {
  const visitor = new Visitor();
  const response = await visitor.request(`${at}/api/login${query}`);
  expect(response.status).toBe(302);
  return { visitor, response, authorization: response.headers.get("location") ?? "" };
}

/** Signs in up to the callback's address without requesting it. */
async function atCallback(query?: string, at?: string) {
  const { visitor, authorization } = await begin(query, at);
  return { visitor, callback: await visitor.signIn(authorization, "ada") };
}

const outcome = async (response: Response) => [response.status, response.headers.get("x-error-code")];

describe("signing in at a provider", () => {
  it("redirects the browser with code and PKCE, and remembers the sign-in in one strict cookie", async () => {
    const { response, authorization } = await begin();
    const { origin, searchParams } = new URL(authorization);
    expect(origin).toBe(idp.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "console",
      redirect_uri: `${worker.origin}/api/login/callback`,
      scope: "openid profile email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      resource: API,
    });
    const [cookie = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^switchboard-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("returns a token that opens the account, and clears the cookie", async () => {
    const { visitor, callback } = await atCallback();
    const response = await visitor.request(callback);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const session = (await response.json()) as Session;
    expect(session).toEqual({
      access_token: expect.any(String),
      refresh_token: null,
      token_type: "Bearer",
      expires_in: expect.any(Number),
      account: "acme",
      // Neither the disabled account nor the missing one is listed.
      accounts: [
        { name: "acme", display_name: "Acme Dental" },
        { name: "service-admin", display_name: expect.any(String) },
      ],
      user: { id: expect.stringMatching(UUID), email: "ada@acme.example", name: "Ada" },
    });
    expect(session.expires_in).toBeGreaterThan(3500);
    expect(decodeJwt(session.access_token)).toMatchObject({ iss: idp.issuer, aud: API, sub: "ada" });
    const headers = { authorization: `Bearer ${session.access_token}`, "x-account-id": "acme" };
    expect((await fetch(`${worker.origin}/api/v1/agents`, { headers })).status).toBe(200);
    expect(visitor.cookies(callback.host).size).toBe(0);
  });

  it("a sign-in at a provider is audited whether it succeeds or fails", async () => {
    const { visitor, callback } = await atCallback();
    const { access_token, user } = (await (await visitor.request(callback)).json()) as Session;
    const headers = { authorization: `Bearer ${access_token}`, "x-account-id": "acme" };
    const log = async () => {
      const answer = await fetch(`${worker.origin}/api/v1/audit-log`, { headers });
      const { entries } = (await answer.json()) as { entries: { actor: string; action: string }[] };
      return entries.map(({ actor, action }) => `${actor} ${action}`);
    };
    expect((await log())[0]).toBe(`console:${user.id} sign_in`);
    expect((await fetch(`${worker.origin}/api/logout`, { method: "POST", headers })).status).toBe(204);
    expect((await fetch(`${worker.origin}/api/v1/audit-log`, { headers })).status).toBe(401);
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: "ada", iss: idp.issuer, aud: API, iat: now, exp: now + 600, [ACCOUNTS]: ["acme"] };
    headers.authorization = `Bearer ${await idp.sign(claims)}`;
    expect((await log())[0]).toBe(`console:${user.id} sign_out`);
    await operator("PATCH", "/acme", { disabled: true });
    const closed = await atCallback();
    expect(await outcome(await closed.visitor.request(closed.callback))).toEqual([403, "account_closed"]);
    await operator("PATCH", "/acme", { disabled: false });
    expect((await log())[1]).toBe(`console:${user.id} sign_in_failed`);
  });

  it("opens the first open account of the user by default", async () => {
    const { visitor, callback } = await atCallback("");
    expect(await (await visitor.request(callback)).json()).toMatchObject({ account: "acme" });
  });

  it("a sign-in at a provider is refused for an account that is closed, unknown or not the user's", async () => {
    for (const [account, code] of [
      ["globex", "account_mismatch"],
      ["closed", "account_closed"],
      ["ghost", "account_closed"],
    ]) {
      const { visitor, callback } = await atCallback(`?account=${account}`);
      expect(await outcome(await visitor.request(callback))).toEqual([403, code]);
    }
    const response = await fetch(`${worker.origin}/api/login?account=Not%20A%20Name`, { redirect: "manual" });
    expect(await outcome(response)).toEqual([400, "invalid_account"]);
  });

  it("a sign-in at a provider is refused in a browser that did not begin it, or with another state", async () => {
    const { visitor, callback } = await atCallback();
    expect(await outcome(await new Visitor().request(callback))).toEqual([400, "login_state"]);
    const other = new URL(callback);
    other.searchParams.set("state", "another");
    expect(await outcome(await visitor.request(other))).toEqual([400, "login_state"]);
    const { visitor: elsewhere } = await begin();
    expect(await outcome(await elsewhere.request(callback))).toEqual([400, "login_state"]);
    expect((await visitor.request(callback)).status).toBe(200);
  });

  it("accepts only a cookie that it signed for this purpose", async () => {
    const { visitor, callback } = await atCallback();
    const jar = visitor.cookies(callback.host);
    const sealed = jar.get(COOKIE) ?? "";
    const claims = { ...decodeJwt(sealed), sub: callback.searchParams.get("state") ?? "" };
    const { iss: _, aud: __, iat: ___, exp: ____, ...rest } = claims;
    const make = (audience: "console" | "login", now: number) =>
      signToken(worker.signingKeys, audience, { ...rest }, 600, now);
    const [head = "", , signature = ""] = sealed.split(".");
    const forged = `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}x.${signature}`;
    for (const cookie of [forged, await make("console", Date.now()), await make("login", Date.now() - 700_000)]) {
      jar.set(COOKIE, cookie);
      expect(await outcome(await visitor.request(callback))).toEqual([400, "login_state"]);
    }
    const headers = { authorization: `Bearer ${sealed}`, "x-account-id": "acme" };
    expect((await fetch(`${worker.origin}/api/v1/agents`, { headers })).status).toBe(401);
  });

  it("a sign-in at a provider is refused if the ID token contains another sign-in's nonce", async () => {
    const { visitor, callback } = await atCallback();
    const jar = visitor.cookies(callback.host);
    const { sub = "", verifier, account } = decodeJwt(jar.get(COOKIE) ?? "");
    const claims = { sub, verifier, account, nonce: "another" };
    jar.set(COOKIE, await signToken(worker.signingKeys, "login", claims, 600, Date.now()));
    expect(await outcome(await visitor.request(callback))).toEqual([401, "login_failed"]);
  });

  it("a sign-in at a provider is refused without the verifier that belongs to the code", async () => {
    const { visitor, callback } = await atCallback();
    const jar = visitor.cookies(callback.host);
    const { sub = "", nonce, account } = decodeJwt(jar.get(COOKIE) ?? "");
    const claims = { sub, nonce, account, verifier: "x".repeat(43) };
    jar.set(COOKIE, await signToken(worker.signingKeys, "login", claims, 600, Date.now()));
    expect(await outcome(await visitor.request(callback))).toEqual([401, "login_failed"]);
  });

  it("redeems a code only once", async () => {
    const { visitor, callback } = await atCallback();
    const cookie = visitor.cookies(callback.host).get(COOKIE) ?? "";
    expect((await visitor.request(callback)).status).toBe(200);
    expect(await outcome(await visitor.request(callback))).toEqual([400, "login_state"]);
    visitor.cookies(callback.host).set(COOKIE, cookie);
    expect(await outcome(await visitor.request(callback))).toEqual([401, "login_failed"]);
  });

  it("shows a provider's refusal in the provider's words if they are plain text", async () => {
    const { visitor, authorization } = await begin();
    const state = new URL(authorization).searchParams.get("state") ?? "";
    const back = new URL(`${worker.origin}/api/login/callback`);
    back.search = new URLSearchParams({ state, iss: idp.issuer, error: "access_denied" }).toString();
    const cookie = visitor.cookies(back.host).get(COOKIE) ?? "";
    const denied = await visitor.request(back);
    expect([denied.status, await denied.json()]).toEqual([401, "sign-in failed: access_denied"]);
    back.searchParams.set("error", "<script>alert(1)</script>");
    visitor.cookies(back.host).set(COOKIE, cookie);
    expect(await (await visitor.request(back)).json()).toBe("sign-in failed: refused");
  });

  it("shows on a page why the sign-in failed", async () => {
    const accept = "text/html,application/xhtml+xml";
    const { visitor, callback } = await atCallback("?account=closed");
    const refused = await visitor.request(callback, undefined, accept);
    expect(await outcome(refused)).toEqual([403, "account_closed"]);
    expect(refused.headers.get("content-type")).toMatch(/^text\/html/);
    const page = await refused.text();
    expect(page).toContain("<p>The account is disabled. Close this window and try again.</p>");
    const accountClosed = { error: { status: 403, code: "account_closed", message: "the account is disabled" } };
    expect(page).toContain(`postMessage(${JSON.stringify(accountClosed)})`);
    expect(page).not.toContain("window.close");
    const begun = await fetch(`${worker.origin}/api/login?account=Not%20A%20Name`, { headers: { accept } });
    expect([begun.status, begun.headers.get("content-type")]).toEqual([400, expect.stringMatching(/^text\/html/)]);
  });

  it("the sign-in page shows that the provider is the only way to sign in", async () => {
    const answer = await fetch(`${worker.origin}/api/accounts`);
    expect(await answer.json()).toMatchObject({ sign_in: { password: false, identity_provider: true } });
  });

  it("disables the embedded login", async () => {
    const body = JSON.stringify({ account: "acme", email: "a@b.example", password: "switchboard" });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${worker.origin}/api/login`, { method: "POST", headers, body });
    expect(response.status).toBe(404);
  });
});

describe("signing in at a provider with opaque access tokens", () => {
  it("returns the ID token", async () => {
    const opaque = await startIdentityProvider(["acme", "service-admin"], "opaque");
    const other = await startWorker(opaque.vars);
    await opaque.trust(other.origin);
    try {
      const { visitor, callback } = await atCallback("?account=service-admin", other.origin);
      const session = (await (await visitor.request(callback)).json()) as Session;
      expect(decodeJwt(session.access_token)).toMatchObject({ iss: opaque.issuer, aud: "console", sub: "ada" });
      const headers = { authorization: `Bearer ${session.access_token}`, "x-account-id": "service-admin" };
      expect((await fetch(`${other.origin}/api/admin/v1/accounts`, { headers })).status).toBe(200);
    } finally {
      await other.stop();
      await opaque.stop();
    }
  });
});

describe("signing in with a real browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it("passes the session to the console that opened the window without storing it", async () => {
    const context = await browser.newContext();
    const operatorConsole = await context.newPage();
    const page = await operatorConsole.goto(`${worker.origin}/console/`);
    expect(page?.headers()["cross-origin-opener-policy"]).toBe("same-origin");
    const session = operatorConsole.evaluate(
      `new Promise((resolve) => {
        new BroadcastChannel("switchboard-login").onmessage = (event) => resolve(event.data);
        window.open("/api/login?account=acme");
      })`,
    ) as Promise<Session>;
    const popup = await context.waitForEvent("page");
    const closed = popup.waitForEvent("close");
    await popup.fill("input[name=login]", "ada");
    // The provider's window has no access to the console.
    expect(await popup.evaluate("opener")).toBeNull();
    await popup.fill("input[name=password]", "any");
    await popup.click("button[type=submit]");
    await popup.waitForSelector('input[name=prompt][value="consent"]', { state: "attached" });
    await popup.click("button[type=submit]");

    const { access_token, ...rest } = await session;
    await closed;
    expect(rest).toMatchObject({ account: "acme", user: { email: "ada@acme.example", name: "Ada" } });
    const answer = await operatorConsole.evaluate(
      `fetch("/api/v1/agents", { headers: { authorization: "Bearer ${access_token}", "x-account-id": "acme" } })
        .then((response) => response.status)`,
    );
    expect(answer).toBe(200);
    expect((await context.cookies(worker.origin)).map(({ name }) => name)).not.toContain(COOKIE);
    expect(await operatorConsole.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await context.close();
  });
});
