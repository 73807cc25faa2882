import { z } from "zod";
import { judgeToken, signToken, verifyToken } from "../secrets/tokens.ts";

/** Who a visitor is, where, and through which widget key: the identity that every refresh carries on. */
export interface Visitor {
  sub: string;
  account: string;
  agent_id: string;
  visitor_type: "guest" | "user";
  /** The widget key's row id. */
  key_id: string;
}

/** Seconds (design part 7). */
export const SESSION_LIFETIME = 15 * 60;
export const REFRESH_LIFETIME = 24 * 3600;
export const VISITOR_TOKEN_LIFETIME = 2 * 60;
/** How far the clocks of two isolates may be apart, seconds: one may still take a token that has expired for another. */
const CLOCK_SKEW_S = 60;

const visitor = z.object({
  sub: z.string(),
  account: z.string(),
  agent_id: z.string(),
  visitor_type: z.enum(["guest", "user"]),
  key_id: z.string(),
  exp: z.number(),
});
const refreshClaims = visitor.extend({ jti: z.string() });
const visitorTokenClaims = refreshClaims.omit({ agent_id: true, visitor_type: true });

type Secret = string | undefined;
export type RefreshClaims = z.output<typeof refreshClaims>;
export type VisitorTokenClaims = z.output<typeof visitorTokenClaims>;

/** A session as the visitor endpoints give it. `now` in ms. */
export async function issueSession(
  secret: Secret,
  { sub, account, agent_id, visitor_type, key_id }: Visitor,
  now: number,
) {
  const identity = { sub, account, agent_id, visitor_type, key_id };
  const once = { ...identity, jti: crypto.randomUUID() };
  const [access_token, refresh_token] = await Promise.all([
    signToken(secret, "visitor", identity, SESSION_LIFETIME, now),
    signToken(secret, "visitor-refresh", once, REFRESH_LIFETIME, now),
  ]);
  return {
    access_token,
    token_type: "Bearer" as const,
    expires_in: SESSION_LIFETIME,
    refresh_token,
    visitor: { id: sub, type: visitor_type },
    agent_id,
  };
}

/** What a customer's backend hands to its page for one of its users. */
export function issueVisitorToken(secret: Secret, who: Pick<Visitor, "sub" | "account" | "key_id">, now: number) {
  return signToken(secret, "visitor-token", { ...who, jti: crypto.randomUUID() }, VISITOR_TOKEN_LIFETIME, now);
}

/** Whose refresh token this is, null when it is none or past. */
export async function readRefreshToken(secret: Secret, token: string, now: number): Promise<RefreshClaims | null> {
  return refreshClaims.safeParse(await verifyToken(secret, "visitor-refresh", token, now)).data ?? null;
}

/** For whom a visitor token was made, null when it is none or past. */
export async function readVisitorToken(secret: Secret, token: string, now: number): Promise<VisitorTokenClaims | null> {
  return visitorTokenClaims.safeParse(await verifyToken(secret, "visitor-token", token, now)).data ?? null;
}

/** Whose session this is, and until when. */
export async function readSession(
  secret: Secret,
  token: string,
  now: number,
): Promise<(Visitor & { exp: number }) | { refused: "expired" | "invalid" }> {
  const verdict = await judgeToken(secret, "visitor", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = visitor.safeParse(verdict.claims);
  return data ?? { refused: "invalid" };
}

/** Until when a spent token must be remembered: as long as it could be taken. */
export function rememberUntil({ exp }: { exp: number }): string {
  return new Date((exp + CLOCK_SKEW_S) * 1000).toISOString();
}
