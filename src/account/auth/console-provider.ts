import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { ROLES, type Role } from "../../kernel/scopes.ts";
import { type Person, personIn } from "./person.ts";
import { Provider } from "./provider.ts";

/** The operator's configuration of the console's identity provider (wrangler.toml, OIDC_*). */
export interface ConsoleProvider {
  provider: Provider;
  issuer: string;
  clientId: string;
  /** The required audience of a console token. It is the client itself unless an API is configured. */
  audience: string;
  clientSecret: string | undefined;
  scope: string;
  accountsClaim: string;
  /** The role of a user who signs in for the first time. */
  defaultRole: Role;
}

export interface ProviderClaims extends Person {
  accounts: string[];
  /** When the token was issued, seconds since the epoch. A token without this time counts as infinitely old. */
  iat: number;
  exp: number;
}

/** Only asymmetric algorithms are accepted, so that a public key cannot be used as a shared secret. */
const ALGORITHMS = ["RS", "PS", "ES"].flatMap((family) => ["256", "384", "512"].map((bits) => family + bits));
ALGORITHMS.push("EdDSA");
/** The accepted `typ` of access tokens (RFC 9068) and ID tokens. Logout tokens have another one. */
const TYPES = ["jwt", "at+jwt", "application/at+jwt"];
/** The tolerated difference between the provider's clock and ours, s. */
export const CLOCK_TOLERANCE_S = 30;
/** jose's error codes for a provider's malformed key set. */
const PROVIDER_FAULTS = ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"];

const providers = new Map<string, Provider>();

/**
 * Returns the configured provider; null if only the embedded one is used.
 * @throws ApiError 503 if the configuration is incomplete
 */
export function consoleProvider(env: Bindings): ConsoleProvider | null {
  const { OIDC_ISSUER: issuer } = env;
  if (issuer === "") return null;
  const amiss = faultsOf(env);
  if (amiss.length > 0) throw new ApiError(503, "identity_misconfigured", amiss.join("; "));
  const clientId = env.OIDC_CLIENT_ID || env.OIDC_AUDIENCE;
  const audience = env.OIDC_AUDIENCE || env.OIDC_CLIENT_ID;
  let provider = providers.get(issuer);
  if (!provider) {
    provider = new Provider(issuer);
    providers.set(issuer, provider);
  }
  const { OIDC_SCOPE: scope, OIDC_ACCOUNTS_CLAIM: accountsClaim, OIDC_CLIENT_SECRET: clientSecret } = env;
  const defaultRole = defaultRoleSchema.parse(env.OIDC_DEFAULT_ROLE);
  return { provider, issuer, clientId, audience, clientSecret, scope, accountsClaim, defaultRole };
}

/** Every role but `owner`, which the provider cannot assign. */
const defaultRoleSchema = z.enum(ROLES).exclude(["owner"]);

/** Returns a sentence for each setting that is missing or wrong. */
function faultsOf({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE, OIDC_DEFAULT_ROLE }: Bindings): string[] {
  const faults: string[] = [];
  if (!defaultRoleSchema.safeParse(OIDC_DEFAULT_ROLE).success)
    faults.push(`OIDC_DEFAULT_ROLE must be one of ${defaultRoleSchema.options.join(", ")}`);
  if (!URL.canParse(OIDC_ISSUER)) faults.push("OIDC_ISSUER is not a URL");
  // Without an audience, tokens for any other application of the provider would be accepted.
  if (!OIDC_CLIENT_ID && !OIDC_AUDIENCE) {
    faults.push(
      "OIDC_CLIENT_ID (the client that signs in) and OIDC_AUDIENCE (the audience of its tokens) are missing; set at least one",
    );
  }
  return faults;
}

/**
 * Returns the claims of a valid token of the provider; null for any other token.
 * @throws ApiError 503 if the provider's keys cannot be read, or if the token's key may be newer than the last read
 */
export async function verifyProviderToken(
  console: ConsoleProvider,
  token: string,
  now: number,
): Promise<ProviderClaims | null> {
  if (!isPlausible(console, token, now)) return null;
  const { provider, audience } = console;
  const { server, keys } = await provider.discover();
  // Invented key ids must not cause more reads. A key that cannot be found for that reason may be new.
  const justRead = keys.coolingDown;
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: server.issuer,
      audience,
      algorithms: announced(server.id_token_signing_alg_values_supported),
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ["sub", "exp"],
    });
    const { exp, iat } = timesSchema.parse(payload);
    return Object.assign(personIn(console.issuer, payload), {
      exp,
      iat,
      accounts: accountsIn(payload, console.accountsClaim),
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof errors.JWKSNoMatchingKey && justRead) throw provider.unknownKey();
    if (error instanceof errors.JOSEError && PROVIDER_FAULTS.includes(error.code)) throw provider.failed("keys", error);
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null;
    throw error;
  }
}

const timesSchema = z.object({ exp: z.number(), iat: z.number().default(0) });
const accountsSchema = z.union([z.string().transform((name) => [name]), z.array(z.string())]);

/**
 * Returns the accounts that a token opens: the claim is one name or a list of names. The configured claim is first used
 * literally (providers such as Auth0 name claims by URL), then as a path (`realm_access.accounts`).
 */
export function accountsIn(payload: JWTPayload, claim: string): string[] {
  const nested = () => claim.split(".").reduce<unknown>((value, name) => own(value, name), payload);
  return accountsSchema.safeParse(own(payload, claim) ?? nested()).data ?? [];
}

function own(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Checks, without fetching anything, whether the token's unverified claims could be valid. */
function isPlausible({ issuer, audience }: ConsoleProvider, token: string, now: number): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    const { iss, aud, exp = 0 } = decodeJwt(token);
    return (
      ALGORITHMS.includes(alg ?? "") &&
      TYPES.includes((typ ?? "JWT").toLowerCase()) &&
      withoutSlash(iss ?? "") === withoutSlash(issuer) &&
      [aud].flat().includes(audience) &&
      exp > now / 1000 - CLOCK_TOLERANCE_S
    );
  } catch {
    return false;
  }
}

function announced(algorithms: string[] | undefined): string[] {
  return ALGORITHMS.filter((algorithm) => algorithms?.includes(algorithm) ?? true);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
