import { z } from "zod";
import { judgeToken, signToken, verifyToken } from "../../kernel/secrets/tokens.ts";

/** A visitor's identity, page and widget key. Every refresh preserves it. */
export interface Visitor {
  sub: string;
  account: string;
  agent_id: string;
  visitor_type: "guest" | "user";
  key_id: string;
  /** The origin of the page, if a page requested it. */
  origin?: string | undefined;
}

/** One sign-in and all its refreshes. */
export interface Family {
  /** The `jti` of its first refresh token. */
  fam: string;
  /** When the visitor signed in, seconds. */
  auth_time: number;
  /** The id of the API key that signed the user in; a guest has none. */
  made_by?: string | undefined;
}

/** Seconds. */
const SESSION_LIFETIME_S = 15 * 60;
const REFRESH_LIFETIME_S = 24 * 3600;
const FAMILY_LIFETIME_S = 7 * 24 * 3600;
export const VISITOR_TOKEN_LIFETIME_S = 2 * 60;
/** How far the clocks of two isolates may differ, s: one may accept a token that has expired for another. */
const CLOCK_SKEW_S = 60;

const visitor = z.object({
  sub: z.string(),
  account: z.string(),
  agent_id: z.string(),
  visitor_type: z.enum(["guest", "user"]),
  key_id: z.string(),
  origin: z.string().optional(),
  exp: z.number(),
});
const family = z.object({ fam: z.string(), auth_time: z.number(), made_by: z.string().optional() });
const sessionClaims = visitor.extend({ ...family.shape, iat_ms: z.number() });
const refreshClaims = visitor.extend({ ...family.shape, jti: z.string() });
const visitorTokenClaims = visitor
  .omit({ agent_id: true, visitor_type: true })
  .extend({ jti: z.string(), made_by: z.string() });

type Secret = string | undefined;
export type RefreshClaims = z.output<typeof refreshClaims>;
export type VisitorTokenClaims = z.output<typeof visitorTokenClaims>;

export type SessionClaims = z.output<typeof sessionClaims>;

/** Returns the family that a sign-in begins, with its first token; `made_by` as in Family. */
export function newFamily(now: number, made_by?: string): Family & { next: NextToken } {
  const fam = crypto.randomUUID();
  const auth_time = Math.floor(now / 1000);
  return { fam, auth_time, made_by, next: nextToken({ auth_time }, now, fam) };
}

/** A refresh token about to be issued. */
export interface NextToken {
  jti: string;
  exp: number;
}

/** Returns the next refresh token of a family. No token outlives its family. */
export function nextToken({ auth_time }: Pick<Family, "auth_time">, now: number, jti = crypto.randomUUID()): NextToken {
  return { jti, exp: Math.min(Math.floor(now / 1000) + REFRESH_LIFETIME_S, auth_time + FAMILY_LIFETIME_S) };
}

/** Returns a session in the form of the visitor endpoints. `now` in ms. */
export async function issueSession(
  secret: Secret,
  { sub, account, agent_id, visitor_type, key_id, origin }: Visitor,
  { fam, auth_time, made_by, next }: Family & { next: NextToken },
  now: number,
) {
  const identity = {
    sub,
    account,
    agent_id,
    visitor_type,
    key_id,
    fam,
    auth_time,
    ...(origin && { origin }),
    ...(made_by && { made_by }),
  };
  const left = next.exp - Math.floor(now / 1000);
  const expires_in = Math.min(SESSION_LIFETIME_S, left);
  const [access_token, refresh_token] = await Promise.all([
    // `iat` counts whole seconds, within which a conversation may end and its visitor begin another.
    signToken(secret, "visitor", { ...identity, iat_ms: now }, expires_in, now),
    signToken(secret, "visitor-refresh", { ...identity, jti: next.jti }, left, now),
  ]);
  return {
    access_token,
    token_type: "Bearer" as const,
    expires_in,
    refresh_token,
    visitor: { id: sub, type: visitor_type },
    agent_id,
  };
}

/** Issues the token that a customer's backend gives its page for a user; `made_by` is the API key that requested it. */
export function issueVisitorToken(
  secret: Secret,
  who: Pick<Visitor, "sub" | "account" | "key_id"> & { made_by: string },
  now: number,
) {
  return signToken(secret, "visitor-token", { ...who, jti: crypto.randomUUID() }, VISITOR_TOKEN_LIFETIME_S, now);
}

/** Returns the claims of a refresh token; null if it is invalid or expired. */
export async function readRefreshToken(secret: Secret, token: string, now: number): Promise<RefreshClaims | null> {
  return refreshClaims.safeParse(await verifyToken(secret, "visitor-refresh", token, now)).data ?? null;
}

/** Returns the user for whom a visitor token was issued; null if it is invalid or expired. */
export async function readVisitorToken(secret: Secret, token: string, now: number): Promise<VisitorTokenClaims | null> {
  return visitorTokenClaims.safeParse(await verifyToken(secret, "visitor-token", token, now)).data ?? null;
}

/** Returns the claims of a session's token. */
export async function readSession(
  secret: Secret,
  token: string,
  now: number,
): Promise<SessionClaims | { refused: "expired" | "invalid" }> {
  const verdict = await judgeToken(secret, "visitor", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = sessionClaims.safeParse(verdict.claims);
  return data ?? { refused: "invalid" };
}

/** Returns until when a used token must be remembered: as long as it would be accepted. */
export function rememberUntil({ exp }: { exp: number }): string {
  return new Date((exp + CLOCK_SKEW_S) * 1000).toISOString();
}
