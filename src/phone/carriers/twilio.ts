import { z } from "zod";
import type { CarrierKind } from "./carrier.ts";
import { lamlCarrier, lamlClaims } from "./laml.ts";
import { twilioNumbers } from "./numbers/twilio.ts";

const credentials = z.strictObject({
  account_sid: z.string().regex(/^AC\w{1,64}$/, "must start with AC and contain only letters and digits"),
  auth_token: z.string().min(1),
});

/** Twilio (2010-04-01 API). */
export const twilio: CarrierKind<z.infer<typeof credentials>> = {
  credentials,
  relay: { signed: true },
  claims: lamlClaims,
  connect: ({ account_sid, auth_token }, context) =>
    lamlCarrier(
      {
        name: "twilio",
        base: `${context.env.TWILIO_API_URL}/2010-04-01/Accounts/${account_sid}`,
        user: account_sid,
        password: auth_token,
        suffix: ".json",
        signed: { header: "x-twilio-signature", key: auth_token },
        // Without this fragment a webhook is retried only if the connection fails.
        fragment: "#rc=3&rp=all",
        inline: true,
        recordsByVerb: true,
        recordingHosts: ["*.twilio.com", "*.*.*.twilio.com", "*.twiliocdn.com"],
        reasons: {
          21211: "bad_number",
          21214: "bad_number",
          21217: "bad_number",
          573005: "bad_number",
          21210: "caller_id",
          21212: "caller_id",
          20003: "auth",
          20429: "rate",
          21215: "rejected",
          21216: "rejected",
        },
        numbers: (api) => twilioNumbers(api, context.now),
      },
      context,
    ),
};
