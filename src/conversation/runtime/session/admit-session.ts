import type { Context } from "hono";
import type { AppEnv, SessionIdentity } from "../../../kernel/http/context.ts";
import { ApiError, badToken, challenge, invalid } from "../../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../../kernel/http/failures.ts";
import { VerifiedTokens } from "../../../kernel/secrets/verified-tokens.ts";
import { readSessionToken } from "./session-token.ts";

const verified = new VerifiedTokens<SessionIdentity>();

/**
 * Lets a runtime in by its session's token: a call's, a visitor's, or a tester's. An API key is a good token at another
 * door, so it is 401 and nobody's guess; every other token that is not good here counts against its address. Whether the
 * session still goes on is for its conversation to say. @throws ApiError 400, 401, 429
 */
export async function admitSession(c: Context<AppEnv>): Promise<void> {
  const header = c.req.header("authorization");
  if (header === undefined) throw new ApiError(401, "token_missing", "authorization header is missing", challenge);
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token?.startsWith("sk_live_")) {
    throw new ApiError(401, "session_token_required", "this requires a session token, not an API key", challenge);
  }
  if (!token || !/^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token)) {
    throw invalid("malformed token: expected Bearer with a session token", "malformed_token");
  }
  const now = c.get("now");
  const cached = verified.get(token, now);
  c.set("session", cached && cached.expires_at > now ? cached : await verify(c, token));
}

async function verify(c: Context<AppEnv>, token: string): Promise<SessionIdentity> {
  refuseBlocked(c, "authentication");
  const now = c.get("now");
  const identity = await readSessionToken(c.env.SIGNING_KEYS, token, now);
  if ("refused" in identity) {
    await countFailure(c, "authentication");
    throw badToken();
  }
  verified.put(token, identity, now);
  return identity;
}
