import type { Carrier, MediaSession, Provider } from "../carriers/carrier.ts";
import { baseOf } from "../http/base-url.ts";
import type { Bindings } from "../http/context.ts";
import { shortId, signToken } from "../secrets/tokens.ts";
import type { CallLimits } from "./reconciliation.ts";

/** A call about to be placed, by a person's request or by a campaign. */
export interface NewCall {
  account: string;
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
  from_number: string;
  to_number: string;
  /** The credentials it goes by, null for a carrier that has none. */
  credentials_id: string | null;
}

/** How long a session's token outlasts the longest call, s: what is reported late is taken for 60 s after its end. */
const AFTER_THE_END_S = 120;

/** How long a call may ring and last, as configured. */
export function callLimits(env: Pick<Env, "CALL_RING_TIMEOUT_S" | "CALL_MAX_DURATION_S">): CallLimits {
  return { ring: Number(env.CALL_RING_TIMEOUT_S) * 1000, duration: Number(env.CALL_MAX_DURATION_S) * 1000 };
}

/** What connects a call to the media runtime: a token for it alone, and where its carrier reports. @throws ApiError 503 */
export async function mediaSession(
  env: Bindings,
  provider: Provider,
  { account, call_id, agent_id, campaign_id, credentials_id }: Omit<NewCall, "from_number" | "to_number">,
  now: number,
): Promise<MediaSession> {
  const { ring, duration } = callLimits(env);
  const lifetime = Math.ceil((ring + duration) / 1000) + AFTER_THE_END_S;
  const claims = { sub: call_id, account, agent_id, ...(campaign_id !== null && { campaign: shortId(campaign_id) }) };
  const path = `/api/telephony/webhooks/${provider}/${account}/${call_id}`;
  return {
    call_id,
    session_token: await signToken(env.SIGNING_KEYS, "runtime", claims, lifetime, now),
    webhook_url: `${baseOf(env)}${path}${webhookQuery(campaign_id, credentials_id)}`,
    // Where none is named, the media runtime is taken to stand behind the service's own address.
    runtime_url: env.VOICE_RUNTIME_URL || `${baseOf(env).replace(/^http/, "ws")}/runtime`,
    max_duration: duration / 1000,
  };
}

/**
 * What the address of a campaign call's webhooks names beside the call: a report can come before the call is listed,
 * and after the number it goes by was taken away.
 */
function webhookQuery(campaign_id: string | null, credentials_id: string | null): string {
  if (campaign_id === null) return "";
  return `?campaign=${campaign_id}${credentials_id === null ? "" : `&credentials=${credentials_id}`}`;
}

/** Has the carrier place a call that leads to the media runtime. @throws CarrierRefusal, CarrierUncertain */
export async function placeCall(
  env: Bindings,
  { provider, carrier }: { provider: Provider; carrier: Carrier },
  call: NewCall,
  now: number,
): Promise<{ provider_call_id: string }> {
  const { account, from_number, to_number } = call;
  const session = await mediaSession(env, provider, call, now);
  const ring_timeout = callLimits(env).ring / 1000;
  return carrier.originate({ account, from_number, to_number, ring_timeout, ...session });
}
