import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";

/** The API for which the console's tokens are issued. */
export const API = "https://api.switchboard.test";
const CLIENT = "console";
const SECRET = "not-much-of-a-secret";

export interface IdentityProvider {
  issuer: string;
  /** The settings with which the Worker trusts the provider. */
  vars: Record<string, string>;
  /**
   * Returns an access token of the protocol itself (client credentials) for `resource`. Its holder may open `accounts`.
   */
  token(resource?: string): Promise<string>;
  /** Signs any claims with the provider's own key. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  publicKey(): JWK;
  /** The paths of every request that the Worker or a browser sent to the provider. */
  requests: string[];
  /** Opens the provider, with the service at `origin` as its only client. */
  trust(origin: string): Promise<void>;
  /** Replaces the signing key by a new one with another `kid`. */
  rotateKey(): Promise<void>;
  /** While this is set, it answers every request. */
  outage: RequestListener | null;
  stop(): Promise<void>;
}

/** Starts a certified OpenID provider on its own port. Each of its users may open `accounts`. */
export async function startIdentityProvider(
  accounts: string[],
  access: "jwt" | "opaque" = "jwt",
): Promise<IdentityProvider> {
  let handle: RequestListener = (_, response) => response.writeHead(503).end();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? "", "http://localhost").pathname);
    (idp.outage ?? handle)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key: JWK = {};
  let callback = "";

  const begin = async () => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    key = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: "RS256", use: "sig" };
    handle = new Provider(issuer, configuration(key, accounts, callback, access)).callback();
  };
  const idp: IdentityProvider = {
    issuer,
    requests,
    outage: null,
    vars: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_AUDIENCE: access === "jwt" ? API : "",
      OIDC_ACCOUNTS_CLAIM: "https://switchboard.test/accounts",
    },
    async token(resource = API) {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    async sign(claims, header = {}) {
      const alg = "RS256";
      return new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid ?? "", ...header }).sign(await importJWK(key));
    },
    publicKey: () => ({ kty: "RSA", n: key.n ?? "", e: key.e ?? "" }),
    async trust(origin) {
      callback = `${origin}/api/login/callback`;
      await begin();
    },
    rotateKey: begin,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return idp;
}

function configuration(key: JWK, accounts: string[], callback: string, access: "jwt" | "opaque"): Configuration {
  const claims = { "https://switchboard.test/accounts": accounts };
  return {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        grant_types: ["authorization_code", "client_credentials"],
        redirect_uris: [callback],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub", ...Object.keys(claims)], email: ["email"], profile: ["name"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: [crypto.randomUUID()] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@acme.example`, name: "Ada", ...claims }),
    }),
    extraTokenClaims: () => claims,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: access === "jwt",
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: "",
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: 3600,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  };
}
