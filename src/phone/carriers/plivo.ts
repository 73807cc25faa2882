import { z } from "zod";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import {
  type CallEvent,
  type CallOrder,
  type CallRef,
  type Carrier,
  type CarrierDocument,
  type CarrierKind,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  ForgedWebhook,
  type MediaSession,
  type Webhook,
} from "./carrier.ts";
import { type Answer, basic, connectApi } from "./http.ts";
import { callerNumber, digits, instructions, mediaUrl, plus, seconds, XML, xml } from "./media.ts";
import { plivoNumbers } from "./numbers/plivo.ts";
import { CANCELED, find, live, stateEvent } from "./plivo-calls.ts";
import { messageTexts, spokenFirst, spokenVerb } from "./recorded.ts";
import { fieldsOf, hmac, portVariants } from "./signature.ts";
import { verdictOf } from "./verdict.ts";

const credentials = z.strictObject({
  auth_id: z.string().regex(/^\w{1,64}$/, "must contain only letters and digits"),
  auth_token: z.string().min(1),
});

/** Longest greeting of a machine, s, and the silence that ends it, ms. */
const MAX_GREETING_S = 30;
const SILENCE_MS = 2_000;

const placed = z.object({ request_uuid: z.string().min(1) });
const refusal = z.object({ error: z.string() });

const HANG_UP = { content_type: XML, body: instructions("<Hangup/>") };

/** Plivo (v1 API). */
export const plivo: CarrierKind<z.infer<typeof credentials>> = {
  credentials,
  claims: ({ body }) => {
    const { CallUUID, call_uuid, To } = Object.fromEntries(new URLSearchParams(body));
    return { provider_call_id: CallUUID ?? call_uuid ?? null, to_number: To === undefined ? null : plus(To) };
  },
  connect: ({ auth_id, auth_token }, context): Carrier => {
    const base = `${context.env.PLIVO_API_URL}/v1/Account/${auth_id}`;
    const authorization = () => basic(auth_id, auth_token);
    const recordingHosts = ["*.plivo.com", "*.media.plivo.com"];
    const api = connectApi(context, {
      name: "plivo",
      base,
      authorization,
      recordingHosts,
      secrets: [auth_token],
      explain,
    });
    /** Moves a running call from the media runtime to the instructions at an address. */
    const instruct = async (ref: CallRef, url: () => Promise<string> | string) => {
      const id = ref.provider_call_id ?? (await find(api, ref))?.event.provider_call_id;
      if (!id) throw new CarrierRefusal("rejected", "plivo does not have the call");
      const json = { legs: "aleg", aleg_url: await url(), aleg_method: "POST" };
      await api.send({ method: "POST", path: `/Call/${encodeURIComponent(id)}/`, json });
    };
    return {
      async originate(order) {
        const { body } = await api.send({ method: "POST", path: "/Call/", json: dial(order) });
        const answer = placed.safeParse(body);
        if (!answer.success) throw new CarrierUncertain("plivo sent a response without a call");
        return { provider_call_id: answer.data.request_uuid, status: "queued" };
      },
      lookup: async (ref) => (await find(api, ref))?.event ?? null,
      list: (refs) => live(api, refs),
      async hangup(ref) {
        const id = ref.provider_call_id ?? (await find(api, ref))?.event.provider_call_id;
        if (!id) throw new CarrierUncertain("plivo does not have the call");
        // A queued call is known only by its request.
        for (const kind of ["Call", "Request"]) {
          const path = `/${kind}/${encodeURIComponent(id)}/`;
          const { status } = await api.send({ method: "DELETE", path, accept: [404] });
          if (status !== 404) return;
        }
      },
      transfer: (ref, handover) => instruct(ref, handover.instructionsUrl),
      instructTransfer: ({ to_number, caller_id }) => ({
        content_type: XML,
        // Nothing follows, so the call ends when the dialed one does.
        body: instructions(
          `<Dial callerId="${xml(digits(caller_id))}"><Number>${xml(digits(to_number))}</Number></Dial>`,
        ),
      }),
      leaveMessage: (ref, { instructions_url }) => instruct(ref, () => instructions_url),
      instructMessage: (message) => ({
        content_type: XML,
        // A machine is reported while its greeting still plays; the message begins once it is silent.
        body: instructions(
          `<Wait length="${MAX_GREETING_S}" silence="true" minSilence="${SILENCE_MS}"/>`,
          ...messageTexts(message).map((text) => spokenVerb("plivo", text)),
          "<Hangup/>",
        ),
      }),
      async parseWebhook(webhook) {
        const event = eventFrom(await verifiedForm(webhook, auth_token));
        return event ? [event] : [];
      },
      async answer(webhook, next) {
        const { Event, CallStatus } = Object.fromEntries(new URLSearchParams(webhook.body));
        if (Event !== "StartApp" || CallStatus !== "in-progress") return null;
        const session = await next();
        return typeof session === "string" ? HANG_UP : connectDocument(session);
      },
      inbound: {
        async parse(webhook) {
          const { CallUUID, From, To, CallStatus, Direction } = await verifiedForm(webhook, auth_token);
          if (!CallUUID || !To || CallStatus !== "ringing" || Direction !== "inbound") return null;
          return { provider_call_id: CallUUID, from_number: callerNumber(From), to_number: plus(To) };
        },
        connect: async (_, session) => connectDocument(session),
        reject: async (_, sentence) => ({
          content_type: XML,
          body: instructions(spokenVerb("plivo", sentence), "<Hangup/>"),
        }),
      },
      fetchRecording: ({ url }) => api.download(url, true),
      async deleteRecording(id) {
        await api.send({ method: "DELETE", path: `/Recording/${encodeURIComponent(id)}/`, accept: [404] });
      },
      numbers: plivoNumbers(api, context.now),
      verifyCredentials: () =>
        verdictOf(async () => {
          await api.send({ path: "/" });
          return { ok: true, detail: "plivo accepts the credentials" };
        }),
    };
  },
};

/**
 * Records the call if requested, speaks the first texts, and connects the call to the media runtime. The token is sent
 * in the address, because extra headers accept only letters and digits.
 */
function connectDocument(session: MediaSession): CarrierDocument {
  const url = mediaUrl(session);
  const token = `session_token=${encodeURIComponent(session.session_token)}`;
  const media = `${url}${url.includes("?") ? "&" : "?"}${token}`;
  const record = `<Record recordSession="true" redirect="false" maxLength="${seconds(session.max_duration, 2, 86_400)}" callbackUrl="${xml(session.webhook_url)}" callbackMethod="POST"/>`;
  const attributes = 'bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000"';
  const headers = `extraHeaders="callid=${session.call_id.replace(/[^A-Za-z0-9]/g, "")}"`;
  const stream = `<Stream ${attributes} ${headers}>${xml(media)}</Stream>`;
  const recorded = session.recording ? record : "";
  return { content_type: XML, body: instructions(recorded, spokenFirst(session, "plivo"), stream) };
}

function dial(order: CallOrder): object {
  // Fails now rather than after the call was answered if the address is unusable.
  mediaUrl(order);
  const url = order.webhook_url;
  return {
    from: digits(order.from_number),
    to: digits(order.to_number),
    answer_url: url,
    answer_method: "POST",
    ring_url: url,
    ring_method: "POST",
    hangup_url: url,
    hangup_method: "POST",
    ...(order.detects_machines && {
      machine_detection: "true",
      machine_detection_url: url,
      machine_detection_method: "POST",
    }),
    ring_timeout: seconds(order.ring_timeout, 1, 600),
    time_limit: seconds(order.max_duration, 1, 86_400),
  };
}

/** Interprets a refusal by the text of its error, because Plivo has no error codes. */
function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const text = refusal.safeParse(body).data?.error ?? "";
  if (status === 403) return { reason: "auth", text };
  if (/credit|balance/i.test(text)) return { reason: "funds", text };
  if (/\bfrom\b|caller.?id/i.test(text)) return { reason: "caller_id", text };
  return /\bto\b.*(param|number|valid)|destination/i.test(text) ? { reason: "bad_number", text } : { text };
}

/** Returns the form of a webhook with a valid signature (V3). @throws ForgedWebhook */
async function verifiedForm({ url, headers, body }: Webhook, token: string): Promise<Record<string, string>> {
  const nonce = headers.get("x-plivo-signature-v3-nonce") ?? "";
  const given = (headers.get("x-plivo-signature-v3") ?? "").split(",", 8);
  const fields = fieldsOf(body);
  const sorted = (all: Map<string, string[]>, mark: string) =>
    [...all.keys()].sort().flatMap((name) => [...(all.get(name) ?? [])].sort().map((value) => name + mark + value));
  const posted = sorted(fields, "").join("");
  if (nonce === "") throw new ForgedWebhook("signature");
  for (const candidate of portVariants(url)) {
    const [address = "", search = ""] = candidate.split("?", 2);
    const query = sorted(fieldsOf(search), "=").join("&");
    const queryPart = query !== "" || posted !== "" ? `?${query}` : "";
    const text = `${address}${queryPart}${query !== "" && posted !== "" ? "." : ""}${posted}.${nonce}`;
    const expected = await hmac("SHA-256", token, text);
    for (const signature of given)
      if (await sameSecret(signature.trim(), expected))
        return Object.fromEntries([...fields].map(([name, values]) => [name, values[0] ?? ""]));
  }
  throw new ForgedWebhook("signature");
}

/** Returns the event in a report: the call's state, an answering machine, or a recording. */
function eventFrom(fields: Record<string, string>): CallEvent | null {
  const {
    CallUUID,
    RequestUUID,
    ALegRequestUUID,
    CallStatus = "",
    Machine,
    HangupCause = "",
    HangupCauseCode,
    Duration,
  } = fields;
  const recording = recordingOf(fields);
  const id = CallUUID ?? fields.call_uuid;
  if (!id) return null;
  // Not every report names the request, but the signature covers the address, which names our call.
  const request_id = RequestUUID ?? ALegRequestUUID ?? null;
  const base = { provider_call_id: id, request_id, answered_by: null, reason: "", recording: null };
  if (recording) return { ...base, status: "in-progress", recording };
  if (Machine === "true") return { ...base, status: "in-progress", answered_by: "machine", machine: "recording" };
  const event = stateEvent(
    id,
    HangupCauseCode === CANCELED ? "cancel" : CallStatus.toLowerCase(),
    HangupCause,
    Duration,
  );
  return event && { ...event, request_id };
}

function recordingOf(fields: Record<string, string>): CallEvent["recording"] {
  const id = fields.RecordingID ?? fields.recording_id;
  const url = fields.RecordUrl ?? fields.record_url;
  if (!id || !url) return null;
  const length = Number(fields.RecordingDurationMs || fields.recording_duration_ms || Number.NaN);
  return { id, url, duration_ms: length >= 0 ? length : null, content_type: "audio/mpeg" };
}
