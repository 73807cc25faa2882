import { z } from "zod";
import { logError } from "../../kernel/log.ts";
import { sameSecret, sha256Hex } from "../../kernel/secrets/hashing.ts";
import {
  type CallEvent,
  type CallOrder,
  type CallRef,
  type Carrier,
  type CarrierContext,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  type Claims,
  ForgedWebhook,
  type HandoverTarget,
  type MediaSession,
  type NextOfCall,
  type Webhook,
} from "./carrier.ts";
import { type Answer, type Api, basic, connectApi } from "./http.ts";
import { call, eventOf, find, listed, stateOf, status } from "./laml-calls.ts";
import { machineDetection, messageDocument } from "./laml-machine.ts";
import { callerNumber, instructions, mediaUrl, seconds, XML, xml } from "./media.ts";
import type { CarrierNumbers } from "./numbers/numbers.ts";
import { channelsAndCallback, recordingFields, recordingVerb, spokenFirst, spokenVerb } from "./recorded.ts";
import { afterRelay, atHandshake, MAX_INLINE_CHARS, relayDocument } from "./relay.ts";
import { fieldsOf, hmac, portVariants } from "./signature.ts";
import { verdictOf } from "./verdict.ts";

/** The differences between carriers with Twilio's API. */
export interface Dialect {
  name: string;
  base: string;
  user: string;
  password: string;
  suffix: "" | ".json";
  signed: { header: string; key: string };
  /** The fragment appended to a callback's address. The carrier's signature does not cover it. */
  fragment: string;
  /** Whether a running call accepts inline instructions. Otherwise it fetches them from an address. */
  inline: boolean;
  /** Whether instructions can start a recording. Otherwise the API starts it once the call is connected. */
  recordsByVerb: boolean;
  /** The hosts to which the API may redirect for a recording. */
  recordingHosts: readonly string[];
  reasons: Partial<Record<number, CarrierReason>>;
  numbers: (api: Api) => CarrierNumbers;
}

const refusal = z.object({ code: z.coerce.number(), message: z.string().default("") });
const account = z.object({ status: z.string() });

/** The error code for a call that can no longer be changed. */
const CALL_OVER = 21220;
/** Maximum duration of a call, s. */
const MAX_DURATION_S = 14_400;

/** Connects to a carrier with Twilio's API: form requests, JSON answers, XML instructions, HMAC-SHA1 over forms. */
export function lamlCarrier(dialect: Dialect, context: CarrierContext): Carrier {
  const { name, base, user, password, suffix, recordingHosts, reasons } = dialect;
  const explain = ({ body }: Answer) => {
    const error = refusal.safeParse(body);
    if (!error.success) return {};
    const { code, message } = error.data;
    const reason = reasons[code];
    return { ...(reason && { reason }), text: `${code} ${message}` };
  };
  const secrets = [password, dialect.signed.key];
  const authorization = () => basic(user, password);
  const api = connectApi(context, { name, base, authorization, recordingHosts, secrets, explain });
  const resource = (sid: string) => `/Calls/${encodeURIComponent(sid)}${suffix}`;
  /** Starts recording a connected inbound call. If that fails, the call continues without a recording. */
  const record = async ({ body }: Webhook, next: NextOfCall) => {
    const sid = new URLSearchParams(body).get("CallSid") ?? "";
    if (sid === "" || typeof next === "string" || !next.recording) return;
    const path = `/Calls/${encodeURIComponent(sid)}/Recordings${suffix}`;
    const form = channelsAndCallback(`${next.webhook_url}${dialect.fragment}`);
    await api.send({ method: "POST", path, form }).catch((error: unknown) => {
      if (!(error instanceof CarrierRefusal || error instanceof CarrierUncertain)) throw error;
      logError("recordings", error, { provider: name, call_id: next.call_id });
    });
  };
  /** Moves a running call from the media runtime to other instructions, inline or from an address. */
  const instruct = async (ref: CallRef, document: string, url: () => Promise<string> | string) => {
    const sid = ref.provider_call_id ?? (await find(api, dialect, ref))?.sid;
    if (sid === undefined) throw new CarrierRefusal("rejected", `${name} does not have the call`);
    const form: [string, string][] = dialect.inline
      ? [["Twiml", document]]
      : [
          ["Url", await url()],
          ["Method", "POST"],
        ];
    await api.send({ method: "POST", path: resource(sid), form });
  };

  return {
    async originate(order) {
      const { body } = await api.send({ method: "POST", path: `/Calls${suffix}`, form: orderForm(order, dialect) });
      const placed = call.safeParse(body);
      if (!placed.success) throw new CarrierUncertain(`${name} sent a response without a call`);
      return { provider_call_id: placed.data.sid, status: placed.data.status };
    },
    lookup: async (ref) => {
      const found = await find(api, dialect, ref);
      return found ? stateOf(found) : null;
    },
    list: (refs) => listed(api, dialect, refs),
    async hangup(ref) {
      const sid = ref.provider_call_id ?? (await find(api, dialect, ref))?.sid;
      if (sid === undefined) throw new CarrierUncertain(`${name} does not have the call`);
      const end = (Status: string) =>
        api.send({ method: "POST", path: resource(sid), form: [["Status", Status]], accept: [400, 404] });
      let { status, body } = await end("completed");
      // A call that isn't answered yet must be canceled instead.
      const parsed = call.safeParse(body);
      if (status < 400 && parsed.success && ["queued", "initiated", "ringing"].includes(parsed.data.status))
        ({ status, body } = await end("canceled"));
      if (status === 400 && refusal.safeParse(body).data?.code !== CALL_OVER)
        throw new CarrierUncertain(`${name} did not end the call`);
    },
    transfer: (ref, handover) => instruct(ref, dialDocument(handover), handover.instructionsUrl),
    instructTransfer: (target) => ({ content_type: XML, body: dialDocument(target) }),
    leaveMessage: (ref, message) => instruct(ref, messageDocument(name, message), () => message.instructions_url),
    instructMessage: (message) => ({ content_type: XML, body: messageDocument(name, message) }),
    async parseWebhook(webhook) {
      const fields = await verifiedForm(webhook, dialect);
      const event = fields.CallSid ? eventFrom(fields) : null;
      return event ? [event] : [];
    },
    inbound: {
      async parse(webhook) {
        const { CallSid, From, To, CallStatus, CallbackSource } = await verifiedForm(webhook, dialect);
        if (!CallSid || !To || CallStatus !== "ringing" || CallbackSource) return null;
        return { provider_call_id: CallSid, from_number: callerNumber(From), to_number: To };
      },
      connect: async (_, session) => ({ content_type: XML, body: connectDocument(session, dialect, session) }),
      reject: async (_, sentence) => ({
        content_type: XML,
        body: instructions(spokenVerb(name, sentence), "<Hangup/>"),
      }),
    },
    answer: async (webhook, next) => {
      if (asksForDocument(webhook)) return { content_type: XML, body: documentOf(await next(), dialect) };
      if (!dialect.recordsByVerb && isConnected(webhook)) await record(webhook, await next());
      const follow = afterRelay(webhook, dialect.fragment, context.pause);
      return follow && { content_type: XML, body: await follow(next) };
    },
    async verifyHandshake(handshake) {
      for (const url of atHandshake(handshake.url)) {
        if (await isSigned({ ...handshake, url }, new Map(), dialect)) return;
      }
      throw new ForgedWebhook("handshake");
    },
    // The recording's address in the webhook isn't used, so that credentials never go there.
    fetchRecording: ({ id }) => api.download(`${base}/Recordings/${encodeURIComponent(id)}.mp3`, true),
    async deleteRecording(id) {
      await api.send({ method: "DELETE", path: `/Recordings/${encodeURIComponent(id)}${suffix}`, accept: [404] });
    },
    numbers: dialect.numbers(api),
    verifyCredentials: () =>
      verdictOf(async () => {
        const { body } = await api.send({ path: suffix === "" ? "" : suffix });
        const state = account.safeParse(body).data?.status;
        return state === "active"
          ? { ok: true, detail: `${name} accepts the credentials` }
          : { ok: false, detail: `${name} says the account is ${state === "suspended" ? "suspended" : "not active"}` };
      }),
  };
}

/** Checks whether a webhook reports that the stream to the media runtime, and thus the call, has started. */
function isConnected({ body }: Webhook): boolean {
  return new URLSearchParams(body).get("StreamEvent") === "stream-started";
}

/**
 * Connects the call to the runtime after the texts that the carrier speaks first. The session token is sent as a
 * parameter, because queries are dropped. `toRecord` is the call if its recording has to be started separately.
 */
function connectDocument(
  session: MediaSession,
  { name, fragment, recordsByVerb }: Dialect,
  toRecord: Pick<MediaSession, "recording"> = { recording: null },
): string {
  const callback = `${session.webhook_url}${fragment}`;
  const begun = toRecord.recording && recordsByVerb ? recordingVerb(callback) : "";
  const first = begun + spokenFirst(session, name);
  if (session.relay) return relayDocument(session, session.relay, callback, first);
  const parameter = (name: string, value: string) => `<Parameter name="${name}" value="${xml(value)}"/>`;
  const parameters = parameter("session_token", session.session_token) + parameter("call_id", session.call_id);
  const reportsStart = toRecord.recording && !recordsByVerb;
  const report = reportsStart ? ` statusCallback="${xml(callback)}" statusCallbackMethod="POST"` : "";
  const stream = `<Stream url="${xml(mediaUrl(session))}"${report}>${parameters}</Stream>`;
  return instructions(first, `<Connect>${stream}</Connect>`);
}

/** Connects the call to a number. Nothing follows in the document, so the call ends with the dialed one. */
function dialDocument({ to_number, caller_id }: HandoverTarget): string {
  return instructions(`<Dial callerId="${xml(caller_id)}">${xml(to_number)}</Dial>`);
}

/** Returns the instructions of a call to place: inline, or the address that serves them if they are too long. */
function instructionFields(order: CallOrder, dialect: Dialect): [string, string][] {
  const document = connectDocument(order, dialect);
  if (document.length <= MAX_INLINE_CHARS) return [["Twiml", document]];
  const url = new URL(order.webhook_url);
  url.searchParams.set(DOCUMENT, "1");
  return [
    ["Url", `${url.href}${dialect.fragment}`],
    ["Method", "POST"],
  ];
}

const DOCUMENT = "document";
const asksForDocument = ({ url }: Webhook) => new URL(url).searchParams.has(DOCUMENT);

/** Returns the instructions of a call that has just been answered, which its carrier fetches. */
function documentOf(next: NextOfCall, dialect: Dialect): string {
  return typeof next === "string" ? instructions("<Hangup/>") : connectDocument(next, dialect);
}

function orderForm(order: CallOrder, dialect: Dialect): [string, string][] {
  const callback = `${order.webhook_url}${dialect.fragment}`;
  return [
    ["To", order.to_number],
    ["From", order.from_number],
    ...instructionFields(order, dialect),
    ["StatusCallback", callback],
    ["StatusCallbackMethod", "POST"],
    ...["initiated", "ringing", "answered", "completed"].map((event): [string, string] => [
      "StatusCallbackEvent",
      event,
    ]),
    ["Timeout", String(seconds(order.ring_timeout, 1, 600))],
    ["TimeLimit", String(seconds(order.max_duration, 1, MAX_DURATION_S))],
    ...machineDetection(order, callback),
    ...recordingFields(order, callback),
  ];
}

/** Returns the call in an unverified webhook. */
export function lamlClaims({ body }: Webhook): Claims {
  const fields = new URLSearchParams(body);
  return { provider_call_id: fields.get("CallSid"), to_number: fields.get("To") };
}

/** Returns the form of a webhook with a valid signature. @throws ForgedWebhook */
async function verifiedForm(webhook: Webhook, dialect: Dialect): Promise<Record<string, string>> {
  const { url, body } = webhook;
  const bodyHash = /[?&]bodySHA256=([0-9a-f]+)/i.exec(url)?.[1];
  const fields = bodyHash === undefined ? fieldsOf(body) : new Map<string, string[]>();
  if (bodyHash !== undefined && !(await sameSecret(bodyHash.toLowerCase(), await sha256Hex(body))))
    throw new ForgedWebhook("body");
  if (!(await isSigned(webhook, fields, dialect))) throw new ForgedWebhook("signature");
  return Object.fromEntries([...fields].map(([name, values]) => [name, values[0] ?? ""]));
}

/** Checks whether the carrier's signature covers the address and these fields. */
async function isSigned(
  { url, headers }: Pick<Webhook, "url" | "headers">,
  fields: Map<string, string[]>,
  { signed }: Dialect,
): Promise<boolean> {
  const given = headers.get(signed.header) ?? "";
  // Repeated values under one name are signed once.
  const signedFields = [...fields.keys()]
    .sort()
    .flatMap((name) => [...new Set(fields.get(name))].sort().map((value) => name + value))
    .join("");
  for (const candidate of portVariants(url)) {
    if (await sameSecret(given, await hmac("SHA-1", signed.key, candidate + signedFields))) return true;
  }
  return false;
}

/** Returns the event in a report: the call's status, who answered, or a recording. */
function eventFrom(fields: Record<string, string>): CallEvent | null {
  const {
    CallSid = "",
    CallStatus,
    CallDuration,
    AnsweredBy = "",
    RecordingSid,
    RecordingStatus,
    RecordingDuration,
  } = fields;
  if (RecordingSid) {
    if (RecordingStatus !== "completed") return null;
    const length = Number(RecordingDuration || Number.NaN);
    return {
      ...eventOf(CallSid, "in-progress", ""),
      recording: {
        id: RecordingSid,
        url: fields.RecordingUrl ?? "",
        duration_ms: Number.isFinite(length) ? length * 1000 : null,
        content_type: "audio/mpeg",
      },
    };
  }
  // Who answered is reported separately from the status; the call must then be running.
  const parsedStatus = status.safeParse(CallStatus ?? (AnsweredBy ? "in-progress" : undefined));
  return parsedStatus.success ? eventOf(CallSid, parsedStatus.data, AnsweredBy, CallDuration) : null;
}
