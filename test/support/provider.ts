import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { vi } from "vitest";
import { app } from "../../src/app.ts";
import { BASE } from "./client.ts";

export const AUDIENCE = "https://api.switchboard.test";
const CLIENT = "console";

/**
 * Creates a provider with its own issuer, whose responses are chosen by the test. The tests in test/process use a real
 * provider.
 */
export async function provider(
  settings: { issuer?: string; claimedIssuer?: string; algorithms?: string[]; alg?: string } = {},
) {
  const { issuer = `https://${crypto.randomUUID()}.example`, algorithms = ["RS256"], alg = "RS256" } = settings;
  const { claimedIssuer = issuer } = settings;
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const base = issuer.replace(/\/$/, "");
  const answers: Record<string, unknown> = {
    [`${base}/.well-known/openid-configuration`]: {
      issuer: claimedIssuer,
      jwks_uri: `${base}/jwks`,
      authorization_endpoint: `${base}/authorize?tenant=1`,
      token_endpoint: `${base}/token`,
      id_token_signing_alg_values_supported: algorithms,
    },
    [`${base}/jwks`]: { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg }] },
  };
  const fetched: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = String(input);
    fetched.push(url.slice(base.length));
    const answer = answers[url];
    if (answer instanceof Response) return answer.clone();
    return answer === undefined ? new Response("no", { status: 404 }) : Response.json(answer);
  });
  const vars = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: AUDIENCE };
  return {
    answers,
    base,
    fetched,
    vars,
    /**
     * Returns the status of a request with a valid token; 403 means that the token was accepted, but not for this
     * account.
     */
    status: async (...token: Parameters<typeof request>) => (await request(...token)).status,
    request,
    token,
    signIn,
    /** Sends a request with this token to a service that trusts the provider. */
    as: (
      token: string,
      account: string,
      path = "/api/v1/agents",
      init: { method?: string; body?: string } = {},
      settings: Partial<Env> = {},
    ) => {
      const headers = { authorization: `Bearer ${token}`, "x-account-id": account, "content-type": "application/json" };
      return send(path, { ...vars, ...settings }, headers, BASE, init);
    },
  };
  async function token(changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: "ada", iss: claimedIssuer, aud: AUDIENCE, iat: now, exp: now + 600, ...changes };
    return new SignJWT(claims).setProtectedHeader({ alg, kid: "1", ...header }).sign(privateKey);
  }
  /** Signs in through the provider as a browser does, as the person described by the claims. */
  async function signIn(claims: Record<string, unknown>, account?: string, settings: Partial<Env> = {}) {
    const configured = { ...vars, OIDC_CLIENT_ID: CLIENT, ...settings };
    const begun = await send(`/api/login${account === undefined ? "" : `?account=${account}`}`, configured);
    const sent = new URL(begun.headers.get("location") ?? "").searchParams;
    const id_token = await token({ ...claims, aud: CLIENT, nonce: sent.get("nonce") });
    const { email: _, email_verified: __, name: ___, ...ofAccess } = claims;
    answers[`${base}/token`] = { access_token: await token(ofAccess), id_token, token_type: "bearer", expires_in: 600 };
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const back = new URLSearchParams({ code: "code", state: sent.get("state") ?? "", iss: claimedIssuer });
    const come = () => send(`/api/login/callback?${back}`, configured, { cookie });
    const response = await come();
    return {
      /** Returns from the provider again with the same code and cookie. */
      again: come,
      status: response.status,
      code: response.headers.get("x-error-code"),
      body: (await response.json()) as {
        access_token: string;
        account: string;
        accounts: { name: string }[];
        user: { id: string; email: string; name: string };
      },
    };
  }
  async function request(...of: Parameters<typeof token>) {
    return send("/api/v1/agents", vars, { authorization: `Bearer ${await token(...of)}`, "x-account-id": "acme" });
  }
}

/** Sends one request to the service with these variables. */
export function send(
  path: string,
  vars: Partial<Env>,
  headers: Record<string, string> = {},
  base = BASE,
  init: { method?: string; body?: string } = {},
) {
  const request = new Request(base + path, { ...init, headers, redirect: "manual" });
  return app.fetch(request, { ...env, ...vars } as typeof env, createExecutionContext());
}
