import { decodeJwt } from "jose";
import { z } from "zod";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import { judgeToken, longId } from "../../../kernel/secrets/tokens.ts";
import { readTesterToken } from "../../agent-sessions/tester-token.ts";
import { readSession } from "../../widget/visitor-session.ts";

/** Why a token opens no session; `expired` is one of ours that was good once. */
export type Refused = { refused: "expired" | "invalid" };

/** Longer than any token of ours, characters: more is refused unread. */
const MAX_TOKEN_CHARS = 8192;

const callClaims = z.object({
  sub: z.uuid(),
  account: z.string(),
  agent_id: z.string(),
  campaign: z.string().transform(longId).pipe(z.uuid()).nullable().default(null),
  exp: z.number(),
});

const ms = (seconds: number) => seconds * 1000;

/** Whose session a token opens: a call's, a visitor's, or a tester's. `now` in ms. @throws SigningUnavailable */
export async function readSessionToken(
  secret: string | undefined,
  token: string,
  now: number,
): Promise<SessionIdentity | Refused> {
  if (token.length > MAX_TOKEN_CHARS) return { refused: "invalid" };
  // What it says of itself only chooses what it is held against.
  switch (audienceOf(token)) {
    case "visitor":
      return readVisitor(secret, token, now);
    case "tester":
      return readTesterToken(secret, token, now);
    default:
      return readCall(secret, token, now);
  }
}

function audienceOf(token: string): unknown {
  try {
    return decodeJwt(token).aud;
  } catch {
    return undefined;
  }
}

async function readCall(secret: string | undefined, token: string, now: number): Promise<SessionIdentity | Refused> {
  const verdict = await judgeToken(secret, "runtime", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = callClaims.safeParse(verdict.claims);
  if (!data) return { refused: "invalid" };
  const { sub, account, agent_id, campaign: campaign_id, exp } = data;
  const key = sub.toLowerCase();
  // A call has one conversation, whenever its token was made.
  const times = { issued_at: 0, expires_at: ms(exp) };
  return { kind: "call", call_id: key, campaign_id, account, agent_id, key, ...times };
}

async function readVisitor(secret: string | undefined, token: string, now: number): Promise<SessionIdentity | Refused> {
  const session = await readSession(secret, token, now);
  if ("refused" in session) return session;
  const { sub, account, agent_id, visitor_type, key_id, fam, origin = null, iat, iat_ms, exp } = session;
  return {
    kind: "widget",
    visitor: { id: sub, type: visitor_type },
    key_id,
    origin,
    account,
    agent_id,
    // A token from before there were families stands for itself.
    key: fam ?? sub,
    issued_at: iat_ms ?? ms(iat),
    expires_at: ms(exp),
  };
}

/** The longest that a call's token can be good, ms. */
export function tokenLifetimeMs(env: Pick<Env, "CALL_RING_TIMEOUT_S" | "CALL_MAX_DURATION_S">): number {
  return (Number(env.CALL_RING_TIMEOUT_S) + Number(env.CALL_MAX_DURATION_S) + 300) * 1000;
}
