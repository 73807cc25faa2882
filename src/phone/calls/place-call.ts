import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { CallSettings } from "../call-settings/settings.ts";
import type { Carrier, MediaSession, Provider, RecordingOrder, RelaySettings } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import { issueCarrierToken, issueRuntimeToken } from "./call-token.ts";
import type { CallLimits } from "./reconciliation.ts";
import { relaySettings, type Spoken } from "./relay-settings.ts";
import { webhookUrl } from "./webhook-url.ts";

export interface NewCall {
  account: string;
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
  from_number: string;
  to_number: string;
  /** The credentials of the call; null for a carrier without credentials. */
  credentials_id: string | null;
  disclosure: Disclosure | null;
  recording: RecordingOrder | null;
  ring_timeout_s: number;
  detects_machines: boolean;
  leaves_message: boolean;
}

export type RunningCall = Omit<
  NewCall,
  "from_number" | "to_number" | "ring_timeout_s" | "detects_machines" | "leaves_message"
>;

type ConfiguredLimits = Pick<Env, "CALL_RING_TIMEOUT_S" | "CALL_MAX_DURATION_S">;

/** How long a session's token outlasts the longest call, s. Late reports are accepted for 60 s after its end. */
const AFTER_THE_END_S = 120;

/** Returns the maximum ring time and duration of any call, as the operator has configured them. */
export function longestCall(env: ConfiguredLimits): CallLimits {
  return { ring: Number(env.CALL_RING_TIMEOUT_S) * 1000, duration: Number(env.CALL_MAX_DURATION_S) * 1000 };
}

/**
 * Returns the limits of the account's calls: its own ring time, at most the operator's, and the operator's maximum
 * duration.
 */
export function callLimits(
  env: ConfiguredLimits,
  { ring_timeout_s }: Pick<CallSettings, "ring_timeout_s">,
): CallLimits {
  const { ring, duration } = longestCall(env);
  return { ring: Math.min(ring, ring_timeout_s * 1000), duration };
}

/**
 * Returns what connects a call to its runtime: a token for this call, the address for the carrier's reports, and, for
 * the built-in runtime, the settings with which the carrier speaks. A custom runtime's token lets its holder take over
 * the call. The built-in runtime gets a carrier's token, which doesn't. `isUnspoken`: the carrier couldn't speak the
 * first texts. `now` is in ms.
 * @throws ApiError 503
 */
export async function mediaSession(
  { env, now }: { env: Bindings; now: number },
  {
    provider,
    call,
    relay,
    isUnspoken = false,
  }: { provider: Provider; call: RunningCall; relay: RelaySettings | null; isUnspoken?: boolean },
): Promise<MediaSession> {
  const { account, call_id, campaign_id, credentials_id, disclosure, recording } = call;
  const { ring, duration } = longestCall(env);
  const lifetime_s = Math.ceil((ring + duration) / 1000) + AFTER_THE_END_S;
  const signs = signsHandshakes(provider, call);
  const announced = !isUnspoken && recording !== null && recording.announcement !== null;
  const disclosed = !isUnspoken && disclosure !== null;
  const token = (greeted: boolean) =>
    env.VOICE_RUNTIME_URL === ""
      ? issueCarrierToken(env.SIGNING_KEYS, call, { disclosed, announced, greeted, signs }, lifetime_s, now)
      : issueRuntimeToken(env.SIGNING_KEYS, Object.assign({ disclosed }, call), lifetime_s, now);
  const session_token = await token(false);
  return {
    call_id,
    session_token,
    greeted_token: relay && relay.greeting.trim() !== "" ? await token(true) : session_token,
    webhook_url: await webhookUrl(env, provider, { account, call_id, campaign_id, credentials_id }),
    runtime_url: env.VOICE_RUNTIME_URL || ownRuntime(env, provider, call),
    relay: speaksText(env, provider) ? relay : null,
    language: relay?.language ?? DEFAULT_LANGUAGE,
    disclosure,
    recording,
    max_duration: duration / 1000,
  };
}

/**
 * Returns the built-in runtime's address. If the call's carrier signs the handshake, the address contains all the data
 * that verifies the signature.
 */
function ownRuntime(
  env: Bindings,
  provider: Provider,
  { account, call_id, credentials_id }: Pick<NewCall, "account" | "call_id" | "credentials_id">,
): string {
  const address = `${baseOf(env).replace(/^http/, "ws")}/runtime`;
  return signsHandshakes(provider, { credentials_id })
    ? `${address}/${provider}/${account}/${credentials_id}/${call_id}`
    : address;
}

function signsHandshakes(provider: Provider, { credentials_id }: Pick<NewCall, "credentials_id">): boolean {
  return carrierKind(provider)?.relay?.signed === true && credentials_id !== null;
}

export interface CallOrder {
  line: { provider: Provider; carrier: Carrier };
  call: NewCall;
  caller: Omit<Spoken, "call">;
}

/** Places a call that is connected to the runtime. @throws CarrierRefusal, CarrierUncertain */
export async function placeCall(
  { env, now }: { env: Bindings; now: number },
  { line: { provider, carrier }, call, caller }: CallOrder,
): Promise<{ provider_call_id: string }> {
  const { account, from_number, to_number, ring_timeout_s: ring_timeout, detects_machines, leaves_message } = call;
  const relay = relaySettings({ ...caller, call: { direction: "outbound", from_number, to_number } });
  const session = await mediaSession({ env, now }, { provider, call, relay });
  const listens = { detects_machines, leaves_message };
  return carrier.originate({ account, from_number, to_number, ring_timeout, ...listens, ...session });
}
