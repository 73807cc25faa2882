import { plivoAccount } from "./plivo.ts";
import { signalwireProject } from "./signalwire.ts";
import type { NumberCarrier } from "./stand-in.ts";
import { telnyxAccount } from "./telnyx.ts";
import { twilioAccount } from "./twilio.ts";
import { vonageAccount } from "./vonage.ts";

/** Every carrier that has numbers, each with a new account. */
export const numberCarriers: Record<NumberCarrier["name"], () => NumberCarrier> = {
  twilio: twilioAccount,
  telnyx: telnyxAccount,
  signalwire: signalwireProject,
  vonage: vonageAccount,
  plivo: plivoAccount,
};
