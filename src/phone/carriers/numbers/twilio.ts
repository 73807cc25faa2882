import { z } from "zod";
import { CarrierRefusal } from "../carrier.ts";
import type { Api } from "../http.ts";
import {
  type CarrierNumbers,
  capabilitiesOf,
  type InboundTarget,
  judgeWebhook,
  type NumberSetup,
  PAGE_BYTES,
  PAGE_ROWS,
  readPages,
  type Verdict,
} from "./numbers.ts";

const text = z.string().nullish();
const number = z.object({
  sid: z.string().min(1),
  phone_number: z.string(),
  capabilities: z
    .object({
      voice: z.boolean().nullish(),
      sms: z.boolean().nullish(),
      mms: z.boolean().nullish(),
      fax: z.boolean().nullish(),
    })
    .nullish(),
  voice_url: text,
  voice_method: text,
  voice_application_sid: text,
  trunk_sid: text,
  voice_receive_mode: text,
  status_callback: text,
});
type TwilioNumber = z.infer<typeof number>;
const page = z.object({ incoming_phone_numbers: z.array(z.unknown()), next_page_uri: z.string().nullish() });
const application = z.object({ friendly_name: text, voice_url: text, voice_method: text });

export function twilioNumbers(api: Api, now: () => number): CarrierNumbers {
  const read = async (query: string) => {
    const { body } = await api.send({ path: `/IncomingPhoneNumbers.json?${query}`, max_bytes: PAGE_BYTES });
    const answer = page.safeParse(body);
    if (!answer.success) throw new CarrierRefusal("outage", "twilio sent a response without a list of numbers");
    return {
      numbers: answer.data.incoming_phone_numbers.flatMap((entry) => number.safeParse(entry).data ?? []),
      // Further pages are addressed by the carrier's token, always at the configured address.
      next: /\?(.+)$/.exec(answer.data.next_page_uri ?? "")?.[1] ?? null,
    };
  };
  const find = async (e164: string) => {
    // The carrier treats it as a pattern.
    const { numbers } = await read(new URLSearchParams({ PhoneNumber: e164, PageSize: "20" }).toString());
    return numbers.find(({ phone_number }) => phone_number === e164);
  };

  return {
    list: () =>
      readPages(`PageSize=${PAGE_ROWS}`, now, async (query) => {
        const { numbers, next } = await read(query);
        return { numbers: numbers.map(shown), next };
      }),
    async look(e164, target): Promise<NumberSetup | null> {
      const found = await find(e164);
      return found ? { in_service: { ok: true, detail: "" }, inbound: await inboundOf(api, found, target) } : null;
    },
    async setInbound(e164, target) {
      const found = await find(e164);
      if (!found) throw new CarrierRefusal("rejected", "twilio does not have the number in this account");
      const path = `/IncomingPhoneNumbers/${encodeURIComponent(found.sid)}.json`;
      await api.send({ method: "POST", path, form: changes(found, target) });
      return done(found);
    },
  };
}

function shown({ phone_number, capabilities }: TwilioNumber) {
  return { e164: phone_number, capabilities: capabilitiesOf(capabilities ?? {}) };
}

/**
 * Judges where inbound calls of a number go. A trunk takes precedence over an application, and both over an address.
 */
async function inboundOf(api: Api, found: TwilioNumber, target: InboundTarget): Promise<Verdict> {
  const { trunk_sid, voice_application_sid: sid, voice_receive_mode, voice_url, voice_method } = found;
  if (voice_receive_mode === "fax")
    return { ok: false, detail: "The number is set to receive faxes at Twilio, not calls." };
  if (trunk_sid) return { ok: false, detail: `Incoming calls go to the SIP trunk ${trunk_sid} at Twilio.` };
  if (!sid) return judgeWebhook({ url: voice_url, method: voice_method ?? "POST" }, target);
  const { body } = await api.send({ path: `/Applications/${encodeURIComponent(sid)}.json`, accept: [404] });
  const app = application.safeParse(body).data ?? {};
  const by = `by the TwiML application ${sid}, which takes precedence over the number's own address`;
  return judgeWebhook({ url: app.voice_url, method: app.voice_method ?? "POST" }, target, by);
}

/** Removes the number from an application or trunk, which otherwise stays as it is. */
function changes(found: TwilioNumber, { address }: InboundTarget): [string, string][] {
  const own: [string, string][] = [
    ["VoiceUrl", address],
    ["VoiceMethod", "POST"],
  ];
  if (found.voice_application_sid) own.push(["VoiceApplicationSid", ""]);
  if (found.trunk_sid) own.push(["TrunkSid", ""]);
  if (found.voice_receive_mode === "fax") own.push(["VoiceReceiveMode", "voice"]);
  // Existing status callbacks stay in place. An unreported end is found by lookups.
  if (!found.status_callback) own.push(["StatusCallback", address], ["StatusCallbackMethod", "POST"]);
  return own;
}

function done({ voice_application_sid, trunk_sid, status_callback }: TwilioNumber): string {
  return [
    "The number's voice address at Twilio was set.",
    ...(voice_application_sid ? [`It was removed from the TwiML application ${voice_application_sid}.`] : []),
    ...(trunk_sid ? [`It was removed from the SIP trunk ${trunk_sid}.`] : []),
    ...(status_callback ? ["Its status callback points elsewhere and was not changed."] : []),
  ].join(" ");
}
