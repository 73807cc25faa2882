import type { CarrierKind, Provider } from "./carrier.ts";
import { plivo } from "./plivo.ts";
import { sandbox } from "./sandbox.ts";
import { signalwire } from "./signalwire.ts";
import { telnyx } from "./telnyx.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";

/** All carriers by provider. Each one's schema defines its credentials. */
const KINDS = { twilio, telnyx, signalwire, vonage, plivo, sandbox } as Record<Provider, CarrierKind>;

export function carrierKind(provider: string): CarrierKind | undefined {
  return Object.hasOwn(KINDS, provider) ? KINDS[provider as Provider] : undefined;
}
