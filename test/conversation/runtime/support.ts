import { env } from "cloudflare:workers";
import { readPartyToken, readRuntimeToken } from "../../../src/conversation/runtime/session/session-token.ts";
import { readSession } from "../../../src/conversation/runtime/session/snapshot.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import type { SessionIdentity } from "../../../src/kernel/http/context.ts";
import type { CallSession } from "../../../src/phone/calls/call-session.ts";
import { type CarrierFlags, issueCarrierToken, issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { countingBindings } from "../../bench/yardstick/count-round-trips.ts";
import type { RoundTrips } from "../../bench/yardstick/trips.ts";

const AUTHOR = { actor: "test", request_id: "" };

/** Opens a session and counts how often the account's rows were read for it. */
export async function openSession(
  identity: SessionIdentity,
  { campaign = null, now = Date.now() }: { campaign?: CallSession | null; now?: number } = {},
) {
  const trips: RoundTrips = { d1: 0, replica: 0, objects: 0 };
  const store = accountStore(countingBindings(env, trips), identity.account, AUTHOR);
  // The days on which volumes begin are cached for a while.
  await new Ledger({ env, store: accountStore(env, identity.account, AUTHOR) }).days();
  // The agent's content was used before, because recording its first use would be another write.
  const unobserved = accountStore(env, identity.account, AUTHOR);
  const CAMPAIGN = Object.assign(Object.create(env.CAMPAIGN), { getByName: () => ({ session: async () => campaign }) });
  const bindings = Object.assign({}, env, { CAMPAIGN });
  await readSession({ env: bindings, store: unobserved, now }, identity, crypto.randomUUID());
  const session = await readSession({ env: bindings, store, now }, identity, crypto.randomUUID());
  return { session, trips };
}

/** Returns the outcome of opening a session: `ok`, or the error's status and code. */
export async function outcomeOf(...sent: Parameters<typeof openSession>): Promise<string> {
  try {
    await openSession(...sent);
    return "ok";
  } catch (error) {
    const { status, code } = error as { status: number; code: string };
    return `${status} ${code}`;
  }
}

interface CallClaims {
  sub: string;
  account: string;
  agent_id: string;
  campaign_id?: string;
}

const callOf = ({ sub: call_id, account, agent_id, campaign_id = undefined }: CallClaims) => ({
  call_id,
  account,
  agent_id,
  campaign_id: campaign_id ?? null,
});

/** Creates a call's session token for a custom runtime. */
export function callToken(claims: CallClaims, now = Date.now()): Promise<string> {
  return issueRuntimeToken(env.SIGNING_KEYS, callOf(claims), 7200, now);
}

/** Creates a call's token for a carrier that talks with the edge runtime. */
export function carrierToken(
  claims: CallClaims,
  spoken: CarrierFlags = { announced: false, greeted: false },
  now = Date.now(),
): Promise<string> {
  return issueCarrierToken(env.SIGNING_KEYS, callOf(claims), spoken, 7200, now);
}

export async function identityOf(token: string, now = Date.now()): Promise<SessionIdentity> {
  const runtime = await readRuntimeToken(env.SIGNING_KEYS, token, now);
  const holder = "refused" in runtime ? await readPartyToken(env.SIGNING_KEYS, token, now) : runtime;
  if ("refused" in holder) throw new Error(`the token is ${holder.refused}`);
  return holder.session;
}
