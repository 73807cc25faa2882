import { z } from "zod";
import type { CarrierKind } from "./carrier.ts";
import { basic, connectApi } from "./http.ts";
import { lamlCarrier, lamlClaims } from "./laml.ts";
import { explainSignalwire, signalwireNumbers } from "./numbers/signalwire.ts";

const credentials = z.strictObject({
  /** The space's name or host. */
  space: z.string().regex(/^[a-z0-9][a-z0-9-]*(\.signalwire\.com)?$/i, "must be a space such as example"),
  project_id: z.string().regex(/^[\w-]{1,64}$/, "must be the project's id, with only letters, digits and dashes"),
  api_token: z.string().min(1),
  signing_key: z.string().min(1),
});

/** SignalWire (compatibility API): Twilio's API at the customer's own address. */
export const signalwire: CarrierKind<z.infer<typeof credentials>> = {
  credentials,
  claims: lamlClaims,
  connect: ({ space, project_id, api_token, signing_key }, context) => {
    const host = context.env.SIGNALWIRE_API_URL || `https://${space.split(".")[0]}.signalwire.com`;
    const rest = connectApi(context, {
      name: "signalwire",
      base: `${host}/api/relay/rest`,
      authorization: () => basic(project_id, api_token),
      recordingHosts: [],
      secrets: [api_token, signing_key],
      explain: explainSignalwire,
    });
    return lamlCarrier(
      {
        name: "signalwire",
        base: `${host}/api/laml/2010-04-01/Accounts/${project_id}`,
        user: project_id,
        password: api_token,
        suffix: "",
        fragment: "",
        // SignalWire's update of a call only accepts an address.
        inline: false,
        // SignalWire documents no verb that records in the background.
        recordsByVerb: false,
        signed: { header: "x-signalwire-signature", key: signing_key },
        recordingHosts: ["*.signalwire.com"],
        reasons: {
          21211: "bad_number",
          21214: "bad_number",
          21217: "bad_number",
          21210: "caller_id",
          21212: "caller_id",
          20003: "auth",
          20429: "rate",
          4001: "funds",
          30002: "funds",
        },
        numbers: () => signalwireNumbers(rest, context.now),
      },
      context,
    );
  },
};
