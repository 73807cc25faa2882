import { z } from "zod";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import {
  type CallEvent,
  type CarrierContext,
  type Claims,
  ForgedWebhook,
  type Recording,
  type Webhook,
} from "./carrier.ts";
import { parseJson } from "./http.ts";
import { fromBase64 } from "./signature.ts";
import { stateIn } from "./telnyx-state.ts";

/** Tolerance of a webhook's timestamp, s, as in Telnyx's own SDK. */
const TOLERANCE_S = 300;
/** The call's final status by the carrier's reason. */
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

/** The addresses of a recording. */
export const urls = z.object({ mp3: z.string().nullish(), wav: z.string().nullish() });
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
      reason: z.string().nullish(),
      recording_id: z.string().nullish(),
      recording_urls: urls.nullish(),
      recording_started_at: z.string().nullish(),
      recording_ended_at: z.string().nullish(),
    }),
  }),
});
type Payload = z.infer<typeof report>["data"]["payload"];

/** Returns the call that an unverified webhook names. */
export function telnyxClaims({ body }: Webhook): Claims {
  const { call_control_id, to } = report.safeParse(parseJson(body)).data?.data.payload ?? {};
  return { provider_call_id: call_control_id ?? null, to_number: to ?? null };
}

/** The state we attached to a call, which its reports return. */
const state = z.object({
  call_id: z.string(),
  reconnected: z.number().default(0),
  suppresses_noise: z.boolean().default(false),
});

/** Returns our id of a call from the state attached to it. */
export function callIdIn(given: string | null | undefined): string | undefined {
  return ourState(given)?.call_id;
}

function ourState(given: string | null | undefined) {
  return state.safeParse(stateIn(given)).data;
}

/** Returns the call that a report says was answered, if its noise is to be suppressed; null for other reports. */
export function toQuiet({ body }: Webhook): { id: string; call_control_id: string } | null {
  const { event_type, id, payload } = report.safeParse(parseJson(body)).data?.data ?? {};
  if (event_type !== "call.answered" || id === undefined || !payload) return null;
  return ourState(payload.client_state)?.suppresses_noise ? { id, call_control_id: payload.call_control_id } : null;
}

/** Returns the end of a Conversation Relay session in a report; null for other reports. */
export function endOfRelay({ body }: Webhook) {
  const { event_type, id, payload } = report.safeParse(parseJson(body)).data?.data ?? {};
  if (event_type !== "call.conversation.ended" || id === undefined || !payload) return null;
  const { call_control_id, client_state, reason } = payload;
  // This reason means that the WebSocket broke; sessions that we end have another one.
  const broke = reason === "customer_disconnect";
  return { id, call_control_id, broke, reconnected: ourState(client_state)?.reconnected ?? 0 };
}

/**
 * Returns the report in a webhook with a valid signature; undefined if it is not about a call. @throws ForgedWebhook
 */
export async function verifiedReport({ url, headers, body }: Webhook, publicKey: string, { now }: CarrierContext) {
  const timestamp = headers.get("telnyx-timestamp") ?? "";
  const signature = fromBase64(headers.get("telnyx-signature-ed25519") ?? "");
  const age = Math.abs(Math.floor(now() / 1000) - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > TOLERANCE_S) throw new ForgedWebhook("timestamp");
  const raw = fromBase64(publicKey);
  if (signature?.length !== 64 || !raw) throw new ForgedWebhook("signature");
  const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  const signed = new TextEncoder().encode(`${timestamp}|${body}`);
  if (!(await crypto.subtle.verify("Ed25519", key, signature, signed))) throw new ForgedWebhook("signature");
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  // The address is not signed, so a report of one call must not be accepted for another.
  const about = callIdIn(telnyxEvent?.payload.client_state);
  const addressed = /\/webhooks\/[^/]+\/[^/]+\/([^/?]+)/.exec(url)?.[1];
  if (about !== undefined && addressed !== undefined && about !== addressed) throw new ForgedWebhook("address");
  return telnyxEvent;
}

/** Returns the events in a report; none if the report is irrelevant. */
export function eventOf(type: string, id: string, payload: Payload): CallEvent[] {
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
      if (answered_by === null) return [];
      const kind = result === "fax_detected" ? "no_voicemail" : "greeting";
      return [{ ...event(call_control_id, "in-progress"), answered_by, ...(machine && { machine: kind }) }];
    }
    // This report is only sent for machines, even if no beep was detected.
    case "call.machine.greeting.ended":
    case "call.machine.premium.greeting.ended":
      return [{ ...event(call_control_id, "in-progress"), answered_by: "machine", machine: "recording" }];
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

export function event(provider_call_id: string, status: CallStatus, reason = ""): CallEvent {
  return { provider_call_id, status, answered_by: null, reason, recording: null };
}
