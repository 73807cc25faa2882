import { decodeJwt } from "jose";
import { z } from "zod";
import type { Bindings } from "../../kernel/http/context.ts";
import { ISSUER, signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import { CLOCK_TOLERANCE_S, consoleProvider, verifyProviderToken } from "./console-provider.ts";
import { embeddedLogin } from "./embedded-login.ts";

/** The verified claims of a console token: the user, and the accounts they may open. */
export interface ConsoleClaims {
  sub: string;
  accounts: string[];
  /** Whether `sub` is a user of the embedded provider, whose row may have been deleted since. */
  embedded: boolean;
  /** When the session began and when its token expires, ms. */
  issuedAt: number;
  expiresAt: number;
}

/** Lifetime of a console session. */
export const CONSOLE_TOKEN_LIFETIME_S = 3600;

const claimsSchema = z.object({
  sub: z.string().min(1),
  accounts: z.array(z.string()),
  iat: z.number(),
  exp: z.number(),
});

/** A console token of the embedded provider for a session of its own; `now` in ms. */
export function issueConsoleToken(env: Bindings, user: { id: string; email: string; account: string }, now: number) {
  // Milliseconds (RFC 7519 allows fractions) distinguish sessions of the same second when others are ended.
  const began = { iat: now / 1000, jti: crypto.randomUUID() };
  const claims = { sub: user.id, email: user.email, accounts: [user.account], ...began };
  return signToken(env.SIGNING_KEYS, "console", claims, CONSOLE_TOKEN_LIFETIME_S, now);
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
    return data ? claimsOf(data, true) : null;
  }
  const provider = consoleProvider(env);
  const claims = provider && (await verifyProviderToken(provider, token, now));
  return claims && claimsOf(claims, false);
}

type TokenClaims = z.output<typeof claimsSchema>;

function claimsOf({ sub, accounts, iat, exp }: TokenClaims, embedded: boolean): ConsoleClaims {
  const goodUntil = embedded ? exp : exp + CLOCK_TOLERANCE_S;
  return { sub, accounts, embedded, issuedAt: Math.round(iat * 1000), expiresAt: goodUntil * 1000 };
}

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
