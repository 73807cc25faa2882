import { decodeJwt } from "jose";
import { z } from "zod";
import type { Bindings } from "../../kernel/http/context.ts";
import { ISSUER, signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import type { SessionTerms } from "../gate/console-sessions.ts";
import type { JoinedSession } from "../gate/joined-sessions.ts";
import { CLOCK_TOLERANCE_S, consoleProvider, verifyProviderToken } from "./console-provider.ts";
import { embeddedLogin } from "./embedded-login.ts";
import type { Person } from "./person.ts";

/** The verified claims of a console token: the user, and the accounts that the user may open. */
export interface ConsoleClaims {
  /** The user's id. */
  sub: string;
  /** The user of another identity provider; null for a user of the embedded one. */
  person: Person | null;
  accounts: string[];
  /** Sessions of other accounts that are joined to this one. */
  joined: JoinedSession[];
  /** Whether the embedded provider issued the token. */
  embedded: boolean;
  /** The renewable session of the token; null if the session consists of this token alone. */
  sessionId: string | null;
  /** When the session began and when it ends at the latest, ms. */
  issuedAt: number;
  sessionEndsAt: number;
  /** When the token expires, ms. */
  expiresAt: number;
}

/** The lifetime of a console session that does not renew, s. */
const CONSOLE_TOKEN_LIFETIME_S = 3600;

const claimsSchema = z.object({
  sub: z.string().min(1),
  accounts: z.array(z.string()),
  iat: z.number(),
  exp: z.number(),
});

/** The renewable session's id, beginning and latest end, s. */
const sessionSchema = z.object({ sid: z.uuid(), auth_time: z.number(), session_exp: z.number() });

/** The same claims for the sessions joined to it. */
const joinedSchema = z.object({
  joined: z.array(sessionSchema.extend({ account: z.string(), sub: z.string() })).default([]),
});

export interface TokenUser {
  id: string;
  email: string;
  account: string;
}

/** Issues a console token of the embedded provider for a session that consists of this token alone; `now` in ms. */
export function issueConsoleToken(env: Bindings, user: TokenUser, now: number) {
  // Fractions of a second (RFC 7519 allows them) distinguish sessions that began in the same second when the others are
  // ended.
  const began = { iat: now / 1000, jti: crypto.randomUUID() };
  const claims = { sub: user.id, email: user.email, accounts: [user.account], ...began };
  return signToken(env.SIGNING_KEYS, "console", claims, CONSOLE_TOKEN_LIFETIME_S, now);
}

/** Issues a console token for a renewable session; `now` in ms. */
export function issueSessionToken(
  env: Bindings,
  user: TokenUser,
  { id: sid, begunAt, endsAt, tokenLifetimeS }: SessionTerms & { id: string },
  joined: JoinedSession[],
  now: number,
) {
  const session = { sid, auth_time: begunAt / 1000, session_exp: endsAt / 1000, jti: crypto.randomUUID() };
  const accounts = [user.account, ...joined.map(({ account }) => account)];
  const claims = { sub: user.id, email: user.email, accounts, joined: joined.map(claimOf), ...session };
  return signToken(env.SIGNING_KEYS, "console", claims, tokenLifetimeS, now);
}

/**
 * Returns the claims of a valid console token; null for any other token. The issuer determines whether the embedded or
 * the configured provider verifies it. @throws ApiError 503 if the configured provider's keys cannot be read
 */
export async function verifyConsoleToken(env: Bindings, token: string, now: number): Promise<ConsoleClaims | null> {
  if (claimedIssuer(token) === ISSUER) {
    if (!embeddedLogin(env)) return null;
    const payload = await verifyToken(env.SIGNING_KEYS, "console", token, now);
    const { data } = claimsSchema.safeParse(payload);
    if (!data) return null;
    const joined = joinedSchema.safeParse(payload).data?.joined ?? [];
    return claimsOf(data, null, sessionSchema.safeParse(payload).data, joined.map(joinedOf));
  }
  const provider = consoleProvider(env);
  const claims = provider && (await verifyProviderToken(provider, token, now));
  return claims && claimsOf(Object.assign(claims, { sub: claims.id }), claims);
}

function claimOf({ account, user, id, begunAt, endsAt }: JoinedSession) {
  return { account, sub: user, sid: id, auth_time: begunAt / 1000, session_exp: endsAt / 1000 };
}

function joinedOf({ account, sub, sid, auth_time, session_exp }: JoinedClaims): JoinedSession {
  return { account, id: sid, user: sub, begunAt: Math.round(auth_time * 1000), endsAt: Math.round(session_exp * 1000) };
}

type JoinedClaims = z.output<typeof joinedSchema>["joined"][number];

type TokenClaims = z.output<typeof claimsSchema>;

type SessionClaims = z.output<typeof sessionSchema>;

function claimsOf(
  { sub, accounts, iat, exp }: TokenClaims,
  person: Person | null,
  session?: SessionClaims,
  joined: JoinedSession[] = [],
): ConsoleClaims {
  const embedded = person === null;
  const expiresAt = (embedded ? exp : exp + CLOCK_TOLERANCE_S) * 1000;
  return {
    sub,
    person,
    accounts,
    joined,
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
