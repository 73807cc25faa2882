import { decodeJwt } from "jose";
import type { OwnRuntime, SessionIdentity } from "../../../kernel/http/context.ts";
import { judgeToken } from "../../../kernel/secrets/tokens.ts";
import { carrierFlags, carrierTokenClaims, runtimeTokenClaims } from "../../../phone/calls/call-token.ts";
import { readTesterToken } from "../../agent-sessions/tester-token.ts";
import { readSession } from "../../widget/visitor-session.ts";
import type { CarrierLine, Participant, Party } from "./party.ts";

/** Why a token opens no session. An `expired` token was once valid. */
export type Refused = { refused: "expired" | "invalid" };

/** The most characters of a token. Longer ones are refused without parsing. */
const MAX_TOKEN_CHARS = 8192;

type Secret = string | undefined;

const ms = (seconds: number) => seconds * 1000;

/** Returns the runtime that holds a call's session token; `now` in ms. @throws SigningUnavailable */
export async function readRuntimeToken(secret: Secret, token: string, now: number): Promise<OwnRuntime | Refused> {
  if (token.length > MAX_TOKEN_CHARS) return { refused: "invalid" };
  const verdict = await judgeToken(secret, "runtime", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = runtimeTokenClaims.safeParse(verdict.claims);
  if (!data) return { refused: "invalid" };
  const { sub, account, agent_id, campaign, disclosed, exp } = data;
  return {
    trust: "runtime",
    session: callSession({ call_id: sub, account, agent_id, campaign, exp }),
    api_key_id: null,
    disclosed,
  };
}

/** Returns the party of a token: a visitor, a tester or a call's carrier. `now` in ms. @throws SigningUnavailable */
export function readPartyToken(secret: Secret, token: string, now: number): Promise<Party | Refused> {
  // The claimed purpose only selects the check.
  return audienceOf(token) === "carrier"
    ? readCarrierToken(secret, token, now)
    : readParticipantToken(secret, token, now);
}

/** Returns the visitor or tester of a token; `now` in ms. @throws SigningUnavailable */
export async function readParticipantToken(secret: Secret, token: string, now: number): Promise<Participant | Refused> {
  if (token.length > MAX_TOKEN_CHARS) return { refused: "invalid" };
  const read = audienceOf(token) === "tester" ? readTesterToken : readVisitor;
  const session = await read(secret, token, now);
  return "refused" in session ? session : { trust: "participant", session };
}

async function readCarrierToken(secret: Secret, token: string, now: number): Promise<CarrierLine | Refused> {
  if (token.length > MAX_TOKEN_CHARS) return { refused: "invalid" };
  const verdict = await judgeToken(secret, "carrier", token, now);
  if ("refused" in verdict) return verdict;
  const { data } = carrierTokenClaims.safeParse(verdict.claims);
  if (!data) return { refused: "invalid" };
  const { sub, account, agent, campaign, flags, exp } = data;
  const session = callSession({ call_id: sub, account, agent_id: agent, campaign, exp });
  const { signs, ...spoken } = carrierFlags(flags);
  return { trust: "carrier", session, spoken, signs };
}

function audienceOf(token: string): unknown {
  try {
    return decodeJwt(token.slice(0, MAX_TOKEN_CHARS)).aud;
  } catch {
    return undefined;
  }
}

interface CallClaims {
  call_id: string;
  account: string;
  agent_id: string;
  campaign: string | null;
  exp: number;
}

function callSession({ call_id, account, agent_id, campaign, exp }: CallClaims): CarrierLine["session"] {
  const key = call_id.toLowerCase();
  // A call has one conversation, whenever its token was issued.
  const times = { issued_at: 0, expires_at: ms(exp) };
  return { kind: "call", call_id: key, campaign_id: campaign, account, agent_id, key, ...times };
}

type VisitorSession = Extract<SessionIdentity, { kind: "widget" }>;

async function readVisitor(secret: Secret, token: string, now: number): Promise<VisitorSession | Refused> {
  const session = await readSession(secret, token, now);
  if ("refused" in session) return session;
  const { sub, account, agent_id, visitor_type, key_id, fam, origin = null, made_by = null, iat_ms, exp } = session;
  return {
    kind: "widget",
    visitor: { id: sub, type: visitor_type },
    key_id,
    origin,
    made_by,
    account,
    agent_id,
    key: fam,
    issued_at: iat_ms,
    expires_at: ms(exp),
  };
}

/** Returns the longest lifetime of a call's token, ms. */
export function tokenLifetimeMs(env: Pick<Env, "CALL_RING_TIMEOUT_S" | "CALL_MAX_DURATION_S">): number {
  return (Number(env.CALL_RING_TIMEOUT_S) + Number(env.CALL_MAX_DURATION_S) + 300) * 1000;
}
