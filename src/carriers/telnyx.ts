import { z } from "zod";
import type { CallStatus } from "./call-status.ts";
import {
  type CallEvent,
  type CallOrder,
  type Carrier,
  type CarrierContext,
  type CarrierKind,
  type CarrierReason,
  CarrierUncertain,
  ForgedWebhook,
  type InboundCall,
  type MediaSession,
  type Recording,
  type Webhook,
} from "./carrier.ts";
import { type Answer, connectApi, parseJson } from "./http.ts";
import { mediaUrl, seconds } from "./media.ts";
import { base64, fromBase64 } from "./signature.ts";
import { verdictOf } from "./verdict.ts";

const credentials = z.strictObject({
  api_key: z.string().min(1),
  connection_id: z.string().min(1),
  public_key: z.string().refine((key) => fromBase64(key)?.length === 32, "must be a base64 Ed25519 key"),
});

/** How far a webhook's time may be from ours, s, as in the carrier's own SDK. */
const TOLERANCE_S = 300;
/** The longest call Telnyx takes, s. */
const MAX_DURATION_S = 14_400;
/** The end of a call that was over already. */
const CALL_OVER = "90018";

const REASONS: Record<string, CarrierReason> = {
  10002: "bad_number",
  10016: "bad_number",
  10009: "auth",
  10010: "auth",
  10015: "rejected",
  20100: "funds",
};

/** Its own hosts, and its buckets among everybody's, as its documentation names them. */
const RECORDING_HOSTS = [
  "*.telnyx.com",
  "s3.amazonaws.com/telephony-recorder-prod*",
  "s3.*.amazonaws.com/telephony-recorder-prod*",
  "telephony-recorder-prod*.s3.amazonaws.com",
  "telephony-recorder-prod*.s3.*.amazonaws.com",
];

/** How a call ended, by the carrier's word for it. */
const ENDS: Record<string, CallStatus> = {
  normal_clearing: "completed",
  time_limit: "completed",
  user_busy: "busy",
  originator_cancel: "canceled",
  timeout: "no-answer",
  no_answer: "no-answer",
  call_rejected: "failed",
  not_found: "failed",
  unspecified: "failed",
};

const placed = z.object({ data: z.object({ call_control_id: z.string().min(1) }) });
const live = z.object({ call_control_id: z.string(), client_state: z.string().nullish() });
const known = z.object({
  data: z.object({ is_alive: z.boolean(), call_duration: z.number().nullish(), end_time: z.string().nullish() }),
});
const errors = z.object({
  errors: z.array(z.object({ code: z.coerce.string(), title: z.string().nullish(), detail: z.string().nullish() })),
});
const urls = z.object({ mp3: z.string().nullish(), wav: z.string().nullish() });
const report = z.object({
  data: z.object({
    event_type: z.string(),
    id: z.string(),
    payload: z.object({
      call_control_id: z.string().min(1),
      client_state: z.string().nullish(),
      direction: z.string().nullish(),
      from: z.string().nullish(),
      to: z.string().nullish(),
      hangup_cause: z.string().nullish(),
      result: z.string().nullish(),
      recording_id: z.string().nullish(),
      recording_urls: urls.nullish(),
      recording_started_at: z.string().nullish(),
      recording_ended_at: z.string().nullish(),
    }),
  }),
});
type Payload = z.infer<typeof report>["data"]["payload"];

/** Telnyx (call control v2). */
export const telnyx: CarrierKind<z.infer<typeof credentials>> = {
  credentials,
  claims: ({ body }) => {
    const { call_control_id, to } = report.safeParse(parseJson(body)).data?.data.payload ?? {};
    return { provider_call_id: call_control_id ?? null, to_number: to ?? null };
  },
  connect: ({ api_key, connection_id, public_key }, context): Carrier => {
    const base = `${context.env.TELNYX_API_URL}/v2`;
    const authorization = () => `Bearer ${api_key}`;
    const api = connectApi(context, {
      name: "telnyx",
      base,
      authorization,
      recordingHosts: RECORDING_HOSTS,
      secrets: [api_key],
      explain,
    });
    const callPath = (id: string) => `/calls/${encodeURIComponent(id)}`;
    const command = (id: string, action: string, json: object) =>
      api.send({ method: "POST", path: `${callPath(id)}/actions/${action}`, json, accept: [404, 422] });
    const verify = (webhook: Webhook) => verified(webhook, public_key, context);

    /** The id of a call whose placing went unanswered, by the state that we gave it. */
    const findByState = async (callId: string): Promise<string | undefined> => {
      const path = `/connections/${encodeURIComponent(connection_id)}/active_calls?page[limit]=250`;
      const calls = z.object({ data: z.array(z.unknown()) }).safeParse((await api.send({ path })).body).data?.data;
      const mine = (entry: unknown) => {
        const call = live.safeParse(entry).data;
        return call && callIdIn(call.client_state) === callId ? [call.call_control_id] : [];
      };
      return calls?.flatMap(mine)[0];
    };

    return {
      async originate(order) {
        const { body } = await api.send({ method: "POST", path: "/calls", json: dial(order, connection_id) });
        const answer = placed.safeParse(body);
        if (!answer.success) throw new CarrierUncertain("telnyx sent an answer that is no call");
        return { provider_call_id: answer.data.data.call_control_id, status: "initiated" };
      },
      async lookup({ provider_call_id, call_id }) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) return null;
        const { body } = await api.send({ path: callPath(id), accept: [404] });
        const call = known.safeParse(body).data?.data;
        if (!call) return null;
        const talked = (call.call_duration ?? 0) > 0;
        if (call.is_alive) return event(id, talked ? "in-progress" : "ringing");
        // Not alive and not ended: it is still being dialled.
        if (!call.end_time) return event(id, "initiated");
        return event(id, talked ? "completed" : "no-answer", "ended");
      },
      async hangup({ provider_call_id, call_id }) {
        const id = provider_call_id ?? (await findByState(call_id));
        if (id === undefined) throw new CarrierUncertain("telnyx does not know the call");
        const { status, body } = await command(id, "hangup", {});
        const over = errors.safeParse(body).data?.errors.some(({ code }) => code === CALL_OVER);
        if (status === 422 && !over) throw new CarrierUncertain("telnyx did not end the call");
      },
      async parseWebhook(webhook) {
        const told = await verify(webhook);
        return told ? eventOf(told.event_type, told.id, told.payload) : [];
      },
      inbound: {
        async parse(webhook) {
          const told = await verify(webhook);
          const { call_control_id, direction, from, to } = told?.payload ?? {};
          if (told?.event_type !== "call.initiated" || direction !== "incoming") return null;
          if (!call_control_id || !from || !to) return null;
          return { provider_call_id: call_control_id, from_number: from, to_number: to };
        },
        async connect({ provider_call_id }: InboundCall, session) {
          const { status } = await command(provider_call_id, "answer", {
            command_id: session.call_id,
            webhook_url: session.webhook_url,
            ...stream(session),
            ...RECORD,
          });
          if (status >= 400) throw new CarrierUncertain("telnyx did not pick up the call");
          return NOTHING;
        },
        // A sentence could only be said to a caller who is let in, and charged.
        async reject({ provider_call_id }) {
          await command(provider_call_id, "reject", { cause: "USER_BUSY" });
          return NOTHING;
        },
      },
      async fetchRecording({ id, url }: Recording) {
        // The address in a webhook is good for ten minutes; the carrier knows a fresh one.
        const path = `/recordings/${encodeURIComponent(id)}`;
        const { body } = await api.send({ path, accept: [400, 404, 422] });
        const fresh = z.object({ data: z.object({ download_urls: urls }) }).safeParse(body).data?.data.download_urls;
        const address = fresh?.mp3 || fresh?.wav || url;
        if (!address) throw new CarrierUncertain("telnyx has no such recording");
        return api.download(address, false);
      },
      verifyCredentials: () =>
        verdictOf(async () => {
          await api.send({ path: "/balance" });
          return { ok: true, detail: "telnyx accepts the credentials" };
        }),
    };
  },
};

const NOTHING = { content_type: "application/json", body: "{}" };
const RECORD = { record: "record-from-answer", record_channels: "dual", record_format: "mp3" };

/** What the media runtime needs; it finds our state in the stream's first message. */
function stream(session: MediaSession) {
  const { call_id, session_token } = session;
  return {
    client_state: base64(new TextEncoder().encode(JSON.stringify({ call_id, session_token }))),
    stream_url: mediaUrl(session),
    stream_track: "inbound_track",
    stream_bidirectional_mode: "rtp",
  };
}

function dial(order: CallOrder, connection_id: string) {
  return {
    connection_id,
    to: order.to_number,
    from: order.from_number,
    command_id: order.call_id,
    webhook_url: order.webhook_url,
    webhook_url_method: "POST",
    ...stream(order),
    stream_auth_token: order.session_token,
    answering_machine_detection: "detect",
    ...RECORD,
    timeout_secs: seconds(order.ring_timeout, 5, 600),
    time_limit_secs: seconds(order.max_duration, 30, MAX_DURATION_S),
  };
}

function callIdIn(state: string | null | undefined): string | undefined {
  const bytes = fromBase64(state ?? "");
  const given = bytes && parseJson(new TextDecoder().decode(bytes));
  return z.object({ call_id: z.string() }).safeParse(given).data?.call_id;
}

function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const [error] = errors.safeParse(body).data?.errors ?? [];
  const reason = REASONS[error?.code ?? ""] ?? (status === 403 ? "auth" : undefined);
  return { ...(reason && { reason }), text: error?.detail || error?.title || "" };
}

/** The report in a webhook that is signed, undefined where it is none of a call. @throws ForgedWebhook */
async function verified({ url, headers, body }: Webhook, publicKey: string, { now }: CarrierContext) {
  const timestamp = headers.get("telnyx-timestamp") ?? "";
  const signature = fromBase64(headers.get("telnyx-signature-ed25519") ?? "");
  const age = Math.abs(Math.floor(now() / 1000) - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > TOLERANCE_S) throw new ForgedWebhook("timestamp");
  const raw = fromBase64(publicKey);
  if (signature?.length !== 64 || !raw) throw new ForgedWebhook("signature");
  const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  const signed = new TextEncoder().encode(`${timestamp}|${body}`);
  if (!(await crypto.subtle.verify("Ed25519", key, signature, signed))) throw new ForgedWebhook("signature");
  const told = report.safeParse(parseJson(body)).data?.data;
  // The address is not signed: a report of one call must not be taken for one of another.
  const about = callIdIn(told?.payload.client_state);
  const addressed = /\/webhooks\/[^/]+\/[^/]+\/([^/?]+)/.exec(url)?.[1];
  if (about !== undefined && addressed !== undefined && about !== addressed) throw new ForgedWebhook("address");
  return told;
}

function eventOf(type: string, id: string, payload: Payload): CallEvent[] {
  const { call_control_id, hangup_cause, result } = payload;
  switch (type) {
    case "call.initiated":
      return [event(call_control_id, "initiated")];
    case "call.answered":
      return [event(call_control_id, "in-progress")];
    case "call.machine.detection.ended":
    case "call.machine.premium.detection.ended": {
      const machine = result === "machine" || result === "fax_detected";
      const answered_by = machine ? "machine" : result?.startsWith("human") ? "human" : null;
      return answered_by ? [{ ...event(call_control_id, "in-progress"), answered_by }] : [];
    }
    case "call.hangup":
      return [event(call_control_id, ENDS[hangup_cause ?? ""] ?? "failed", hangup_cause || "unspecified")];
    case "call.recording.saved":
      return [{ ...event(call_control_id, "in-progress"), recording: recordingOf(id, payload) }];
    default:
      return [];
  }
}

function recordingOf(eventId: string, payload: Payload): Recording {
  const { recording_id, recording_urls, recording_started_at, recording_ended_at } = payload;
  const length = Date.parse(recording_ended_at ?? "") - Date.parse(recording_started_at ?? "");
  return {
    id: recording_id ?? eventId,
    url: recording_urls?.mp3 ?? recording_urls?.wav ?? "",
    duration_ms: Number.isFinite(length) ? length : null,
    content_type: recording_urls?.mp3 ? "audio/mpeg" : "audio/wav",
  };
}

function event(provider_call_id: string, status: CallStatus, reason = ""): CallEvent {
  return { provider_call_id, status, answered_by: null, reason, recording: null };
}
