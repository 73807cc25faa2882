import { z } from "zod";
import { sameSecret } from "../secrets/hashing.ts";
import type { CallStatus } from "./call-status.ts";
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
import { type Answer, type Api, basic, connectApi } from "./http.ts";
import { digits, instructions, mediaUrl, placedThen, plus, seconds, XML, xml } from "./media.ts";
import { plivoNumbers } from "./numbers/plivo.ts";
import { spokenFirst } from "./recorded.ts";
import { fieldsOf, hmac, portVariants } from "./signature.ts";
import { verdictOf } from "./verdict.ts";

const credentials = z.strictObject({ auth_id: z.string().regex(/^\w{1,64}$/), auth_token: z.string().min(1) });

const STATES: Record<string, CallStatus> = {
  ringing: "ringing",
  "in-progress": "in-progress",
  completed: "completed",
  busy: "busy",
  failed: "failed",
  "no-answer": "no-answer",
  timeout: "no-answer",
  cancel: "canceled",
};
/** Hung up by us before anybody picked up. */
const CANCELED = "1000";

/** How long a machine may greet, s, and how long it is silent when it has, ms. */
const MAX_GREETING_S = 30;
const SILENCE_MS = 2_000;

const placed = z.object({ request_uuid: z.string().min(1) });
const running = z.object({
  call_uuid: z.string().min(1),
  call_status: z.string(),
  session_start: z.string().nullish(),
});
const ended = z.object({
  call_uuid: z.string().min(1),
  answer_time: z.string().nullish(),
  initiation_time: z.string().nullish(),
  hangup_cause_code: z.coerce.string().nullish(),
  hangup_cause_name: z.string().nullish(),
});
const refusal = z.object({ error: z.string() });

/** A call at Plivo, and when it began. */
interface Found {
  event: CallEvent;
  began: string | null;
}

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
    return {
      async originate(order) {
        const { body } = await api.send({ method: "POST", path: "/Call/", json: dial(order) });
        const answer = placed.safeParse(body);
        if (!answer.success) throw new CarrierUncertain("plivo sent an answer that is no call");
        return { provider_call_id: answer.data.request_uuid, status: "queued" };
      },
      lookup: async (ref) => (await find(api, ref))?.event ?? null,
      list: (refs) => live(api, refs),
      async hangup(ref) {
        const id = ref.provider_call_id ?? (await find(api, ref))?.event.provider_call_id;
        if (!id) throw new CarrierUncertain("plivo does not know the call");
        // A call that still queues goes by its request alone.
        for (const kind of ["Call", "Request"]) {
          const path = `/${kind}/${encodeURIComponent(id)}/`;
          const { status } = await api.send({ method: "DELETE", path, accept: [404] });
          if (status !== 404) return;
        }
      },
      async transfer(ref, handover) {
        const id = ref.provider_call_id ?? (await find(api, ref))?.event.provider_call_id;
        if (!id) throw new CarrierRefusal("rejected", "plivo does not know the call");
        const aleg_url = await handover.instructionsUrl();
        const json = { legs: "aleg", aleg_url, aleg_method: "POST" };
        await api.send({ method: "POST", path: `/Call/${encodeURIComponent(id)}/`, json });
      },
      instructTransfer: ({ to_number, caller_id }) => ({
        content_type: XML,
        // Nothing comes after it, so that the call ends with the one it dials.
        body: instructions(
          `<Dial callerId="${xml(digits(caller_id))}"><Number>${xml(digits(to_number))}</Number></Dial>`,
        ),
      }),
      async leaveMessage(ref, { instructions_url }) {
        const id = ref.provider_call_id ?? (await find(api, ref))?.event.provider_call_id;
        if (!id) throw new CarrierRefusal("rejected", "plivo does not know the call");
        const json = { legs: "aleg", aleg_url: instructions_url, aleg_method: "POST" };
        await api.send({ method: "POST", path: `/Call/${encodeURIComponent(id)}/`, json });
      },
      instructMessage: (text) => ({
        content_type: XML,
        // It tells of a machine while that still greets: the message begins once the machine is silent.
        body: instructions(
          `<Wait length="${MAX_GREETING_S}" silence="true" minSilence="${SILENCE_MS}"/>`,
          `<Speak>${xml(text)}</Speak>`,
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
          if (!CallUUID || !From || !To || CallStatus !== "ringing" || Direction !== "inbound") return null;
          return { provider_call_id: CallUUID, from_number: plus(From), to_number: plus(To) };
        },
        connect: async (_, session) => connectDocument(session),
        reject: async (_, sentence) => ({
          content_type: XML,
          body: instructions(`<Speak>${xml(sentence)}</Speak>`, "<Hangup/>"),
        }),
      },
      fetchRecording: ({ url }) => api.download(url, true),
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
 * Records the call where it is to be, speaks the announcement, and connects the call to the media runtime. The token travels in the address: extra headers take letters
 * and digits only, which a token is not made of.
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
  return { content_type: XML, body: instructions(recorded, spokenFirst(session, "Speak"), stream) };
}

function dial(order: CallOrder): object {
  // Refused now rather than when somebody has picked up.
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
    machine_detection: "true",
    machine_detection_url: url,
    machine_detection_method: "POST",
    ring_timeout: seconds(order.ring_timeout, 1, 600),
    time_limit: seconds(order.max_duration, 1, 86_400),
  };
}

/** Plivo has no codes: what is wrong is told by the words. */
function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const text = refusal.safeParse(body).data?.error ?? "";
  if (status === 403) return { reason: "auth", text };
  if (/credit|balance/i.test(text)) return { reason: "funds", text };
  if (/\bfrom\b|caller.?id/i.test(text)) return { reason: "caller_id", text };
  return /\bto\b.*(param|number|valid)|destination/i.test(text) ? { reason: "bad_number", text } : { text };
}

async function find(api: Api, ref: CallRef): Promise<Found | undefined> {
  if (ref.provider_call_id !== null) return byId(api, ref.provider_call_id);
  const pair = { from_number: digits(ref.from_number), to_number: digits(ref.to_number) };
  const live = await api.send({ path: `/Call/?${new URLSearchParams({ status: "live", ...pair })}`, accept: [404] });
  const ids =
    z
      .object({ calls: z.array(z.string()) })
      .safeParse(live.body)
      .data?.calls.slice(0, 10) ?? [];
  const past = await api.send({ path: `/Call/?${new URLSearchParams({ ...pair, limit: "20" })}`, accept: [404] });
  const objects = z.object({ objects: z.array(z.unknown()) }).safeParse(past.body).data?.objects ?? [];
  const found = [...(await Promise.all(ids.map((id) => runningCall(api, id)))), ...objects.map(endedCall)];
  return placedThen(
    found.flatMap((one) => one ?? []),
    ({ began }) => began,
    ref.placed_at,
  );
}

/** Which of the answered calls still run: the list of live calls names nothing but their ids. */
async function live(api: Api, refs: CallRef[]): Promise<Map<string, CallEvent>> {
  const { body } = await api.send({ path: "/Call/?status=live", accept: [404] });
  const ids = new Set(z.object({ calls: z.array(z.string()) }).safeParse(body).data?.calls ?? []);
  const running = refs.flatMap(({ call_id, provider_call_id: id, connected }): [string, CallEvent][] => {
    const event = connected && id !== null && ids.has(id) ? stateEvent(id, "in-progress") : null;
    return event ? [[call_id, event]] : [];
  });
  return new Map(running);
}

async function byId(api: Api, id: string): Promise<Found | undefined> {
  const now = await runningCall(api, id);
  if (now) return now;
  const { body } = await api.send({ path: `/Call/${encodeURIComponent(id)}/`, accept: [404] });
  return endedCall(body);
}

async function runningCall(api: Api, id: string): Promise<Found | undefined> {
  const { body } = await api.send({ path: `/Call/${encodeURIComponent(id)}/?status=live`, accept: [404] });
  const call = running.safeParse(body).data;
  const event = call && stateEvent(call.call_uuid, call.call_status);
  return event ? { event, began: isoTime(call.session_start) } : undefined;
}

function endedCall(body: unknown): Found | undefined {
  const call = ended.safeParse(body).data;
  if (!call) return undefined;
  const { call_uuid, answer_time, hangup_cause_code, hangup_cause_name } = call;
  const cause = hangup_cause_name ?? "";
  let state = "failed";
  if (answer_time) state = "completed";
  else if (hangup_cause_code === CANCELED) state = "cancel";
  else if (/busy/i.test(cause)) state = "busy";
  else if (/no.?answer|timeout/i.test(cause)) state = "no-answer";
  const event = stateEvent(call_uuid, state, cause);
  return event ? { event, began: isoTime(call.initiation_time) } : undefined;
}

/** The form of a webhook that is signed (V3). @throws ForgedWebhook */
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
    const asked = query !== "" || posted !== "" ? `?${query}` : "";
    const text = `${address}${asked}${query !== "" && posted !== "" ? "." : ""}${posted}.${nonce}`;
    const expected = await hmac("SHA-256", token, text);
    for (const signature of given)
      if (await sameSecret(signature.trim(), expected))
        return Object.fromEntries([...fields].map(([name, values]) => [name, values[0] ?? ""]));
  }
  throw new ForgedWebhook("signature");
}

/** What a report says: of the call's state, of a machine that picked up, or of a recording. */
function eventFrom(fields: Record<string, string>): CallEvent | null {
  const {
    CallUUID,
    RequestUUID,
    ALegRequestUUID,
    CallStatus = "",
    Machine,
    HangupCause = "",
    HangupCauseCode,
  } = fields;
  const recording = recordingOf(fields);
  const id = CallUUID ?? fields.call_uuid;
  if (!id) return null;
  // Not every report names the request; the signature covers the address, which names our call.
  const request_id = RequestUUID ?? ALegRequestUUID ?? null;
  const base = { provider_call_id: id, request_id, answered_by: null, reason: "", recording: null };
  if (recording) return { ...base, status: "in-progress", recording };
  if (Machine === "true") return { ...base, status: "in-progress", answered_by: "machine", machine: "recording" };
  const event = stateEvent(id, HangupCauseCode === CANCELED ? "cancel" : CallStatus.toLowerCase(), HangupCause);
  return event && { ...event, request_id };
}

function recordingOf(fields: Record<string, string>): CallEvent["recording"] {
  const id = fields.RecordingID ?? fields.recording_id;
  const url = fields.RecordUrl ?? fields.record_url;
  if (!id || !url) return null;
  const length = Number(fields.RecordingDurationMs || fields.recording_duration_ms || Number.NaN);
  return { id, url, duration_ms: length >= 0 ? length : null, content_type: "audio/mpeg" };
}

function stateEvent(id: string, state: string, reason = ""): CallEvent | null {
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!status) return null;
  const over = !["ringing", "in-progress"].includes(state);
  return { provider_call_id: id, status, answered_by: null, reason: over ? reason || state : "", recording: null };
}

/** A time as Plivo writes it ("2015-07-26 15:44:49+05:30"; UTC where it names no zone) as ISO. */
function isoTime(text: string | null | undefined): string | null {
  const [, day, time, zone = "Z"] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d:\d\d)?$/.exec(text ?? "") ?? [];
  return day ? `${day}T${time}${zone}` : null;
}
