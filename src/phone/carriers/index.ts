import type { CarrierKind, Provider } from "./carrier.ts";
import { plivo } from "./plivo.ts";
import { sandbox } from "./sandbox.ts";
import { signalwire } from "./signalwire.ts";
import { telnyx } from "./telnyx.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";

/** Every carrier there is, by the name of its provider; what credentials each takes, its own schema says. */
const KINDS = { twilio, telnyx, signalwire, vonage, plivo, sandbox } as Record<Provider, CarrierKind>;

/** The carrier of this name, undefined for an unknown one. */
export function carrierKind(provider: string): CarrierKind | undefined {
  return Object.hasOwn(KINDS, provider) ? KINDS[provider as Provider] : undefined;
}
