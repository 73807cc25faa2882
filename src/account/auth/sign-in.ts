import * as oauth from "oauth4webapi";
import { ApiError } from "../../kernel/http/errors.ts";
import { type ConsoleProvider, type ProviderClaims, verifyProviderToken } from "./console-provider.ts";
import { type Person, personIn } from "./person.ts";

/** The time limit for signing in at the provider, s. */
export const SIGN_IN_S = 600;

/** The state that is kept during a sign-in, until the browser returns. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export interface SignedIn {
  /** The provider's own token, which is used as the console token. */
  token: string;
  claims: ProviderClaims;
  /** Taken from the ID token, which may have more claims than the access token. */
  person: Person;
}

/**
 * Returns the address to which to redirect the browser, and the state to keep until it returns. @throws ApiError 503
 */
export async function beginSignIn(
  console: ConsoleProvider,
  redirectUri: string,
): Promise<{ url: URL; pending: PendingSignIn }> {
  const { server } = await console.provider.discover();
  if (!server.authorization_endpoint)
    throw console.provider.failed("tokens", "the metadata has no authorization_endpoint");
  const pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: console.clientId,
    redirect_uri: redirectUri,
    scope: console.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    ...namedApi(console),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, pending };
}

/** Returns the parameters that request tokens for an API: RFC 8707's `resource`, and Auth0's older `audience`. */
function namedApi({ audience, clientId }: ConsoleProvider): Record<string, string> {
  if (audience === clientId) return {};
  return URL.canParse(audience) ? { resource: audience, audience } : { audience };
}

/**
 * Redeems the code with which the browser returned.
 * @throws ApiError 400 if the code does not belong to this sign-in, 401 if the provider refuses it or its tokens are
 * invalid, 503 if the provider cannot be reached
 */
export async function completeSignIn(
  console: ConsoleProvider,
  callback: URL,
  { state, nonce, verifier }: PendingSignIn,
  now: number,
): Promise<SignedIn> {
  const { provider } = console;
  const { server } = await provider.discover();
  const client: oauth.Client = { client_id: console.clientId, [oauth.clockTolerance]: 30 };
  try {
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const redirectUri = callback.origin + callback.pathname;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth(console, server),
      parameters,
      redirectUri,
      verifier,
      { ...provider.requestOptions("tokens"), additionalParameters: namedApi(console) },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const { token, claims } = await consoleToken(console, [tokens.access_token, tokens.id_token ?? ""], now);
    const described = personIn(console.issuer, oauth.getValidatedIdTokenClaims(tokens) ?? {});
    return { token, claims, person: Object.assign(described, { id: claims.id }) };
  } catch (error) {
    throw explain(console, error);
  }
}

/**
 * Returns the first of the provider's tokens that was issued for this service. It is the ID token if access tokens are
 * opaque.
 */
async function consoleToken(
  console: ConsoleProvider,
  tokens: string[],
  now: number,
): Promise<Pick<SignedIn, "token" | "claims">> {
  for (const token of tokens) {
    const claims = await verifyProviderToken(console, token, now);
    if (claims) return { token, claims };
  }
  throw refused(`the provider returned no token for ${console.audience}`);
}

function clientAuth({ clientSecret }: ConsoleProvider, server: oauth.AuthorizationServer): oauth.ClientAuth {
  if (!clientSecret) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

function explain({ provider }: ConsoleProvider, error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof oauth.AuthorizationResponseError) return refused(slug(error.error));
  if (error instanceof oauth.ResponseBodyError) return refused(slug(error.error));
  // Token endpoints with HTTP authentication report invalid_client in this way.
  if (error instanceof oauth.WWWAuthenticateChallengeError) return refused("invalid_client");
  if (error instanceof oauth.OperationProcessingError) return refused("its response does not match this sign-in");
  return provider.failed("tokens", error);
}

const refused = (reason: string) => new ApiError(401, "login_failed", `sign-in failed: ${reason}`);

/** Reduces a provider's error code to safe characters. It comes through the browser, so anyone can forge it. */
function slug(code: string): string {
  return /^[a-z_]{1,64}$/.test(code) ? code : "refused";
}
