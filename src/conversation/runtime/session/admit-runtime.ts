import type { Context } from "hono";
import { admitKey } from "../../../account/auth/admission.ts";
import type { Admit, AppEnv, OwnRuntime } from "../../../kernel/http/context.ts";
import { ApiError, badToken, challenge, invalid } from "../../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../../kernel/http/failures.ts";
import { isWithin, type Scope } from "../../../kernel/scopes.ts";
import { VerifiedTokens } from "../../../kernel/secrets/verified-tokens.ts";
import type { Participant } from "./party.ts";
import { readParticipantToken, readPartyToken, readRuntimeToken } from "./session-token.ts";

/** The header with the visitor's or tester's token, sent by a server besides its API key. */
const VISITOR_TOKEN = "x-visitor-token";

const runtimes = new VerifiedTokens<OwnRuntime>();
const participants = new VerifiedTokens<Participant>();

const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;
const malformed = (message: string) => invalid(message, "malformed_token");

/**
 * Admits a custom runtime: by a call's session token, or by an API key together with the token of its visitor or
 * tester. Their token alone, or a carrier's, is not enough. The conversation decides whether the session is still live.
 * @throws ApiError 400, 401, 403, 429
 */
export const admitRuntime: Admit = async (c, { scope }) => {
  const header = c.req.header("authorization");
  if (header === undefined)
    throw new ApiError(
      401,
      "token_missing",
      "the Authorization header is missing: send Bearer with a call's session token or an API key",
      challenge,
    );
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token?.startsWith("sk_live_")) c.set("runtime", await runtimeByKey(c, token, scope));
  else if (token && JWT.test(token)) c.set("runtime", await runtimeByToken(c, token));
  else throw malformed("malformed token: expected Bearer with a call's session token or an API key");
};

/** Returns the runtime of a call. @throws ApiError */
async function runtimeByToken(c: Context<AppEnv>, token: string): Promise<OwnRuntime> {
  const now = c.get("now");
  const cached = runtimes.get(token, now);
  if (cached && cached.session.expires_at > now) return cached;
  refuseBlocked(c, "authentication");
  const runtime = await readRuntimeToken(c.env.SIGNING_KEYS, token, now);
  if (!("refused" in runtime)) {
    runtimes.put(token, runtime, now);
    return runtime;
  }
  const party = await readPartyToken(c.env.SIGNING_KEYS, token, now);
  if (!("refused" in party)) throw new ApiError(403, "not_a_runtime", NOT_A_RUNTIME[party.trust]);
  await countFailure(c, "authentication");
  throw badToken();
}

const NOT_A_RUNTIME = {
  participant: "this token only allows talking with the agent: send an API key, and this token in X-Visitor-Token",
  carrier: "this token is for the call's carrier, not for a runtime",
};

/** Returns the runtime of a visitor or tester of the key's account. @throws ApiError */
async function runtimeByKey(c: Context<AppEnv>, key: string, scope: readonly Scope[]): Promise<OwnRuntime> {
  const token = c.req.header(VISITOR_TOKEN);
  if (token === undefined) {
    const message = "this requires a call's session token, or an API key with X-Visitor-Token";
    throw new ApiError(401, "session_token_required", message, challenge);
  }
  if (!JWT.test(token)) throw malformed("malformed token: expected a visitor's access token in X-Visitor-Token");
  const { account, agentIds, subject } = await admitKey(c, key, scope);
  const { session } = await participantOf(c, token);
  if (session.account !== account || !isWithin(agentIds, session.agent_id))
    throw new ApiError(
      403,
      "visitor_not_yours",
      "the visitor belongs to another account, or to an agent that this API key is not limited to",
    );
  return { trust: "runtime", session, api_key_id: subject, disclosed: false };
}

/** Returns the participant. An invalid token sent with a valid key does not count as a guess. @throws ApiError 401 */
async function participantOf(c: Context<AppEnv>, token: string): Promise<Participant> {
  const now = c.get("now");
  const cached = participants.get(token, now);
  if (cached && cached.session.expires_at > now) return cached;
  const participant = await readParticipantToken(c.env.SIGNING_KEYS, token, now);
  if ("refused" in participant) throw badToken();
  participants.put(token, participant, now);
  return participant;
}
