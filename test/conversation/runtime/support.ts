import { env } from "cloudflare:workers";
import type { CampaignCall } from "../../../src/conversation/runtime/session/session.ts";
import { readSessionToken } from "../../../src/conversation/runtime/session/session-token.ts";
import { readSession } from "../../../src/conversation/runtime/session/snapshot.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import type { SessionIdentity } from "../../../src/kernel/http/context.ts";
import { shortId, signToken } from "../../../src/kernel/secrets/tokens.ts";
import { countingBindings } from "../../bench/yardstick/count-round-trips.ts";
import type { RoundTrips } from "../../bench/yardstick/trips.ts";

const AUTHOR = { actor: "test", request_id: "" };

/** What the session is read from: the account's rows, with every way to storage counted. */
export async function openSession(
  identity: SessionIdentity,
  { campaign = null, now = Date.now() }: { campaign?: CampaignCall | null; now?: number } = {},
) {
  const trips: RoundTrips = { d1: 0, replica: 0, objects: 0 };
  const store = accountStore(countingBindings(env, trips), identity.account, AUTHOR);
  const session = await readSession({ env, store, now }, identity, campaign, crypto.randomUUID());
  return { session, trips };
}

/** What the session was answered: `ok`, or the error's status and code. */
export async function outcomeOf(...sent: Parameters<typeof openSession>): Promise<string> {
  try {
    await openSession(...sent);
    return "ok";
  } catch (error) {
    const { status, code } = error as { status: number; code: string };
    return `${status} ${code}`;
  }
}

/** A call's session token as its carrier is given it. */
export function callToken(
  claims: { sub: string; account: string; agent_id: string; campaign_id?: string },
  now = Date.now(),
): Promise<string> {
  const { campaign_id, ...rest } = claims;
  const signed = { ...rest, ...(campaign_id !== undefined && { campaign: shortId(campaign_id) }) };
  return signToken(env.SIGNING_KEYS, "runtime", signed, 7200, now);
}

/** Whose session a token opens. */
export async function identityOf(token: string, now = Date.now()): Promise<SessionIdentity> {
  const identity = await readSessionToken(env.SIGNING_KEYS, token, now);
  if ("refused" in identity) throw new Error(`the token is ${identity.refused}`);
  return identity;
}
