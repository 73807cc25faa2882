import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { MINUTE_MS } from "../../kernel/time.ts";
import {
  type CallOrder,
  type CallRef,
  type Carrier,
  type CarrierKind,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  type MediaSession,
  type SpokenText,
  type Webhook,
} from "./carrier.ts";
import { type Answer, connectApi } from "./http.ts";
import { cutToFit, digits, mediaUrl, placedThen, plus, seconds, xml } from "./media.ts";
import { vonageNumbers } from "./numbers/vonage.ts";
import { firstTexts, messageTexts } from "./recorded.ts";
import { judgeRecordingAddress } from "./recording-address.ts";
import { verdictOf } from "./verdict.ts";
import { vonageLanguage } from "./voices.ts";
import { eventFrom, stateEvent, verified, vonageClaims } from "./vonage-reports.ts";

const fields = z.strictObject({
  application_id: z.uuid(),
  private_key: z
    .string()
    .regex(/^\s*-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\s*$/, "must be a PKCS #8 key"),
  signature_secret: z.string().min(1),
  // The account's own key. Only requests about numbers need it; calls do not.
  api_key: z.string().min(1).optional(),
  api_secret: z.string().min(1).optional(),
});
const credentials = fields.refine(({ api_key, api_secret }) => !api_key === !api_secret, {
  path: ["api_secret"],
  error: "api_key and api_secret must be sent together",
});
type Credentials = z.infer<typeof credentials>;

/** Maximum size of a WebSocket's headers, bytes. */
const MAX_HEADERS_BYTES = 512;
/** Maximum length of a spoken text, characters. */
const MAX_TALK_CHARS = 1_500;
/** How long to wait for a machine's beep, s: Vonage's minimum. */
const BEEP_TIMEOUT_S = 45;
const RECORDING_HOSTS = ["api.nexmo.com", "api-*.nexmo.com", "api.vonage.com", "api-*.vonage.com"];

const endpoint = z.object({ number: z.coerce.string() });
const placed = z.object({ uuid: z.string().min(1) });
const call = z.object({
  uuid: z.string(),
  status: z.string(),
  start_time: z.string().nullish(),
  duration: z.union([z.string(), z.number()]).nullish(),
  to: endpoint.nullish(),
  from: endpoint.nullish(),
});
const list = z.object({ _embedded: z.object({ calls: z.array(z.unknown()) }) });
const problem = z.object({
  title: z.string().nullish(),
  detail: z.string().nullish(),
  error_title: z.string().nullish(),
  invalid_parameters: z.array(z.object({ name: z.string() })).nullish(),
});

/** Vonage (Voice API v1). */
export const vonage: CarrierKind<Credentials> = {
  credentials,
  claims: vonageClaims,
  connect: (own, context): Carrier => {
    const base = context.env.VONAGE_API_URL;
    const authorization = async () => `Bearer ${await applicationToken(own, context.now())}`;
    const secrets = [own.signature_secret, own.private_key];
    const places = { hosts: RECORDING_HOSTS, base };
    const style = { name: "vonage", base, authorization, recordingHosts: RECORDING_HOSTS, secrets, explain };
    const api = connectApi(context, style);
    const callPath = (uuid: string) => `/v1/calls/${encodeURIComponent(uuid)}`;
    const verify = (webhook: Webhook) => verified(webhook, own, context);

    const find = async (ref: CallRef): Promise<z.infer<typeof call> | undefined> => {
      if (ref.provider_call_id !== null) {
        const { body } = await api.send({ path: callPath(ref.provider_call_id), accept: [404] });
        return call.safeParse(body).data;
      }
      const since = new Date(ref.placed_at - MINUTE_MS).toISOString().replace(/\.\d+/, "");
      const query = new URLSearchParams({ date_start: since, page_size: "100", order: "asc" });
      const { body } = await api.send({ path: `/v1/calls?${query}` });
      const all = list.safeParse(body).data?._embedded.calls ?? [];
      const theirs = all.flatMap((entry) => {
        const one = call.safeParse(entry).data;
        const same = one?.to?.number === digits(ref.to_number) && one.from?.number === digits(ref.from_number);
        return one && same ? [one] : [];
      });
      return placedThen(theirs, ({ start_time }) => start_time, ref.placed_at);
    };

    return {
      async originate(order) {
        const { body } = await api.send({ method: "POST", path: "/v1/calls", json: dial(order) });
        const answer = placed.safeParse(body);
        if (!answer.success) throw new CarrierUncertain("vonage sent a response without a call");
        return { provider_call_id: answer.data.uuid, status: "initiated" };
      },
      async lookup(ref) {
        const found = await find(ref);
        return found ? stateEvent(found.uuid, found.status, found.duration) : null;
      },
      async hangup(ref) {
        const uuid = ref.provider_call_id ?? (await find(ref))?.uuid;
        if (uuid === undefined) throw new CarrierUncertain("vonage does not have the call");
        await api.send({ method: "PUT", path: callPath(uuid), json: { action: "hangup" }, accept: [404] });
      },
      async transfer(ref, { to_number, caller_id }) {
        const uuid = ref.provider_call_id ?? (await find(ref))?.uuid;
        if (uuid === undefined) throw new CarrierRefusal("rejected", "vonage does not have the call");
        const endpoint = [{ type: "phone", number: digits(to_number) }];
        // A number other than the account's own would be shown as an unknown caller.
        const ncco = [{ action: "connect", from: digits(caller_id), endpoint }];
        const json = { action: "transfer", destination: { type: "ncco", ncco } };
        await api.send({ method: "PUT", path: callPath(uuid), json });
      },
      async leaveMessage(ref, message) {
        const uuid = ref.provider_call_id ?? (await find(ref))?.uuid;
        if (uuid === undefined) throw new CarrierRefusal("rejected", "vonage does not have the call");
        // Nothing follows, so the call ends with the message.
        const ncco = messageTexts(message).map(({ text, language }) => {
          const fits = (words: string) => talk({ text: words, language }).text.length <= MAX_TALK_CHARS;
          return talk({ text: cutToFit(text, fits), language });
        });
        const json = { action: "transfer", destination: { type: "ncco", ncco } };
        await api.send({ method: "PUT", path: callPath(uuid), json });
      },
      parseWebhook: async (webhook) => eventFrom(await verify(webhook)),
      inbound: {
        async parse(webhook) {
          const { uuid, status, to, from } = await verify(webhook);
          if (!uuid || status || typeof to !== "string" || typeof from !== "string") return null;
          return { provider_call_id: uuid, from_number: plus(from), to_number: plus(to) };
        },
        connect: async (_, session) => document(ncco(session)),
        reject: async (_, sentence) => document([talk(sentence)]),
      },
      async fetchRecording({ id, url }) {
        // Recordings stay in their region. One with another address is looked up by its id.
        const regional = "url" in judgeRecordingAddress(url, places);
        return api.download(regional ? url : `${base}/v1/files/${encodeURIComponent(id)}`, true);
      },
      async deleteRecording(id) {
        await api.send({ method: "DELETE", path: `/v3/media/${encodeURIComponent(id)}`, accept: [404] });
      },
      numbers: vonageNumbers(own, context),
      verifyCredentials: () =>
        verdictOf(async () => {
          await api.send({ path: "/v1/calls?page_size=1" });
          return { ok: true, detail: "vonage accepts the credentials" };
        }),
    };
  },
};

/** Creates the application's token for one request. @throws CarrierRefusal if the private key is invalid */
async function applicationToken({ application_id, private_key }: Credentials, now: number): Promise<string> {
  const issued = Math.floor(now / 1000);
  try {
    return await new SignJWT({ application_id })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuedAt(issued)
      .setExpirationTime(issued + 60)
      .setJti(crypto.randomUUID())
      .sign(await importPKCS8(private_key.trim(), "RS256"));
  } catch {
    throw new CarrierRefusal("auth", "the private key for vonage cannot be used");
  }
}

const document = (actions: object[]) => ({ content_type: "application/json", body: JSON.stringify(actions) });

/**
 * Records the call if requested, speaks the first texts, and connects the call to the media runtime.
 * @throws CarrierRefusal if the token is too long
 */
function ncco(session: MediaSession): object[] {
  const headers = { session_token: session.session_token };
  if (new TextEncoder().encode(JSON.stringify(headers)).length > MAX_HEADERS_BYTES)
    throw new CarrierRefusal("rejected", `the session token is longer than vonage allows (${MAX_HEADERS_BYTES} bytes)`);
  const websocket = { type: "websocket", uri: mediaUrl(session), "content-type": "audio/l16;rate=16000", headers };
  const recorded = { action: "record", split: "conversation", channels: 2, format: "wav" };
  return [
    ...(session.recording ? [{ ...recorded, eventUrl: [session.webhook_url] }] : []),
    ...firstTexts(session).map(talk),
    { action: "connect", endpoint: [websocket] },
  ];
}

/**
 * Returns the action that speaks a text, in its language if Vonage has a voice for it. A text that contains a markup
 * character is sent as SSML with that character escaped, so that it is read aloud.
 */
function talk({ text: words, language: tag }: SpokenText): { action: "talk"; text: string; language?: string } {
  const text = /[<&]/.test(words) ? `<speak>${xml(words)}</speak>` : words;
  const language = vonageLanguage(tag);
  return language === undefined || language === "en-US" ? { action: "talk", text } : { action: "talk", text, language };
}

function dial(order: CallOrder): object {
  return {
    to: [{ type: "phone", number: digits(order.to_number) }],
    from: { type: "phone", number: digits(order.from_number) },
    ncco: ncco(order),
    event_url: [order.webhook_url],
    event_method: "POST",
    ...machineDetection(order),
    ringing_timer: seconds(order.ring_timeout, 1, 120),
    length_timer: seconds(order.max_duration, 1, 7_200),
  };
}

/** Returns the parameters for machine detection. Vonage charges for detecting the beep. */
function machineDetection({ detects_machines, leaves_message }: CallOrder): object {
  if (!detects_machines) return {};
  if (!leaves_message) return { machine_detection: "continue" };
  return { advanced_machine_detection: { behavior: "continue", mode: "default", beep_timeout: BEEP_TIMEOUT_S } };
}

function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const { title, detail, error_title, invalid_parameters } = problem.safeParse(body).data ?? {};
  const named = (name: string) => invalid_parameters?.some((parameter) => parameter.name.split(/[.[]/)[0] === name);
  const text = detail || error_title || title || "";
  if (status === 403) return { reason: "auth", text };
  if (named("to")) return { reason: "bad_number", text };
  return named("from") ? { reason: "caller_id", text } : { text };
}
