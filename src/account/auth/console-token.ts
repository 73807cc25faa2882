import { decodeJwt } from "jose";
import { z } from "zod";
import type { Bindings } from "../../kernel/http/context.ts";
import { ISSUER, signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import type { SessionTerms } from "../gate/console-sessions.ts";
import { CLOCK_TOLERANCE_S, consoleProvider, verifyProviderToken } from "./console-provider.ts";
import { embeddedLogin } from "./embedded-login.ts";
import type { Person } from "./person.ts";

/** The verified claims of a console token: the user, and the accounts they may open. */
export interface ConsoleClaims {
  /** The user's id. */
  sub: string;
  /** Whom another identity provider signed in; null for a user of the embedded one. */
  person: Person | null;
  accounts: string[];
  /** Whether the embedded provider issued it. */
  embedded: boolean;
  /** The session that renews, which the token is of; null for a session of this token alone. */
  sessionId: string | null;
  /** When the session began and when it ends at the latest, ms. */
  issuedAt: number;
  sessionEndsAt: number;
  /** When the token expires, ms. */
  expiresAt: number;
}

/** Lifetime of a console session that does not renew, s. */
const CONSOLE_TOKEN_LIFETIME_S = 3600;

const claimsSchema = z.object({
  sub: z.string().min(1),
  accounts: z.array(z.string()),
  iat: z.number(),
  exp: z.number(),
});

/** Of a session that renews: its id, and its beginning and latest end, s. */
const sessionSchema = z.object({ sid: z.uuid(), auth_time: z.number(), session_exp: z.number() });

/** Whom a console token is issued to. */
export interface TokenUser {
  id: string;
  email: string;
  account: string;
}

/** A console token of the embedded provider for a session of its own; `now` in ms. */
export function issueConsoleToken(env: Bindings, user: TokenUser, now: number) {
  // Milliseconds (RFC 7519 allows fractions) distinguish sessions of the same second when others are ended.
  const began = { iat: now / 1000, jti: crypto.randomUUID() };
  const claims = { sub: user.id, email: user.email, accounts: [user.account], ...began };
  return signToken(env.SIGNING_KEYS, "console", claims, CONSOLE_TOKEN_LIFETIME_S, now);
}

/** A console token for a session that renews; `now` in ms. */
export function issueSessionToken(
  env: Bindings,
  user: TokenUser,
  { id: sid, begunAt, endsAt, tokenLifetimeS }: SessionTerms & { id: string },
  now: number,
) {
  const session = { sid, auth_time: begunAt / 1000, session_exp: endsAt / 1000, jti: crypto.randomUUID() };
  const claims = { sub: user.id, email: user.email, accounts: [user.account], ...session };
  return signToken(env.SIGNING_KEYS, "console", claims, tokenLifetimeS, now);
}

/**
 * The claims of a good console token, null for any other: of the embedded provider or of the configured one, by the
 * issuer that the token names. @throws ApiError 503 when the configured provider's keys cannot be had
 */
export async function verifyConsoleToken(env: Bindings, token: string, now: number): Promise<ConsoleClaims | null> {
  if (claimedIssuer(token) === ISSUER) {
    if (!embeddedLogin(env)) return null;
    const payload = await verifyToken(env.SIGNING_KEYS, "console", token, now);
    const { data } = claimsSchema.safeParse(payload);
    return data ? claimsOf(data, null, sessionSchema.safeParse(payload).data) : null;
  }
  const provider = consoleProvider(env);
  const claims = provider && (await verifyProviderToken(provider, token, now));
  return claims && claimsOf(Object.assign(claims, { sub: claims.id }), claims);
}

type TokenClaims = z.output<typeof claimsSchema>;

type SessionClaims = z.output<typeof sessionSchema>;

function claimsOf(
  { sub, accounts, iat, exp }: TokenClaims,
  person: Person | null,
  session?: SessionClaims,
): ConsoleClaims {
  const embedded = person === null;
  const expiresAt = (embedded ? exp : exp + CLOCK_TOLERANCE_S) * 1000;
  return {
    sub,
    person,
    accounts,
    embedded,
    sessionId: session?.sid ?? null,
    issuedAt: Math.round((session?.auth_time ?? iat) * 1000),
    sessionEndsAt: session ? Math.round(session.session_exp * 1000) : expiresAt,
    expiresAt,
  };
}

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
