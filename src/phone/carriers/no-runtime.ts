import { isNearby } from "../../kernel/egress/address.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { Provider } from "./carrier.ts";
import { carrierKind } from "./index.ts";

/** The variables with the addresses of the carriers' APIs; an empty one is derived from the credentials. */
const API_URL = {
  twilio: "TWILIO_API_URL",
  telnyx: "TELNYX_API_URL",
  signalwire: "SIGNALWIRE_API_URL",
  vonage: "VONAGE_API_URL",
  plivo: "PLIVO_API_URL",
} as const satisfies Record<Exclude<Provider, "sandbox">, keyof Env>;

export type Addresses = Pick<Env, "PUBLIC_URL" | "VOICE_RUNTIME_URL" | (typeof API_URL)[keyof typeof API_URL]>;

/**
 * Checks whether the built-in runtime exchanges text with this carrier: no other runtime is configured, and the carrier
 * supports it.
 */
export function speaksText(env: Pick<Env, "VOICE_RUNTIME_URL">, provider: Provider): boolean {
  return env.VOICE_RUNTIME_URL === "" && carrierKind(provider)?.relay !== undefined;
}

/** Checks whether the carrier is on the internet and calls real people, unlike the sandbox or a local stand-in. */
export function isReal(env: Addresses, provider: Provider): boolean {
  return provider !== "sandbox" && !isLocal(env[API_URL[provider]]);
}

/**
 * Returns why calls by this carrier couldn't be connected; null if they could. A carrier on the internet needs a
 * runtime for a call and an address for its reports, and must be able to reach both. The built-in runtime only takes
 * text, so it needs a carrier that converts speech. A stand-in for a carrier on this machine or network needs neither.
 * @throws ApiError 503 if the service doesn't know its own address
 */
export function noRuntime(env: Addresses, provider: Provider): string | null {
  const base = baseOf(env);
  if (!isReal(env, provider)) return null;
  if (env.VOICE_RUNTIME_URL === "" && !speaksText(env, provider)) {
    return `there is nothing to connect calls to: ${provider} streams audio, and VOICE_RUNTIME_URL is not set`;
  }
  if (env.VOICE_RUNTIME_URL !== "" && !isReachable(env.VOICE_RUNTIME_URL, "wss:")) {
    return "the carrier cannot reach the media runtime: VOICE_RUNTIME_URL must be a public wss address";
  }
  if (!isReachable(base, "https:")) {
    return "the carrier cannot reach this service: PUBLIC_URL must be its public https address";
  }
  return null;
}

/** Checks whether the address is public and has this protocol, judged by its text. */
export function isReachable(address: string, protocol: "https:" | "wss:"): boolean {
  return URL.canParse(address) && new URL(address).protocol === protocol && !isLocal(address);
}

/** Checks whether the address belongs to this machine or a private network, judged by its text. */
function isLocal(address: string): boolean {
  return URL.canParse(address) && isNearby(new URL(address).hostname);
}
