import { jwtVerify } from "jose";
import { z } from "zod";
import { sameSecret, sha256Hex } from "../../kernel/secrets/hashing.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import { type CallEvent, type CarrierContext, type Claims, ForgedWebhook, type Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { msOf, plus } from "./media.ts";

/** Tolerance of a webhook's timestamp, before and after our time, s. */
const MAX_AGE_S = 300;
const AHEAD_S = 60;

const STATES: Record<string, CallStatus> = {
  started: "initiated",
  ringing: "ringing",
  answered: "in-progress",
  human: "in-progress",
  machine: "in-progress",
  completed: "completed",
  busy: "busy",
  cancelled: "canceled",
  timeout: "no-answer",
  unanswered: "no-answer",
  failed: "failed",
  rejected: "failed",
};

const report = z.object({
  uuid: z.string().nullish(),
  status: z.string().nullish(),
  sub_state: z.string().nullish(),
  to: z.unknown().optional(),
  from: z.unknown().optional(),
  recording_uuid: z.string().nullish(),
  recording_url: z.string().nullish(),
  start_time: z.string().nullish(),
  end_time: z.string().nullish(),
  duration: z.union([z.string(), z.number()]).nullish(),
});

/** Returns the call that an unverified webhook names. */
export function vonageClaims({ body }: Webhook): Claims {
  const { uuid, to } = report.safeParse(parseJson(body)).data ?? {};
  return { provider_call_id: uuid ?? null, to_number: typeof to === "string" ? plus(to) : null };
}

/** Returns the report in a webhook with a valid signature. @throws ForgedWebhook */
export async function verified(
  { headers, body }: Webhook,
  { signature_secret, application_id }: Record<"signature_secret" | "application_id", string>,
  { now }: Pick<CarrierContext, "now">,
): Promise<Partial<z.infer<typeof report>>> {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const { payload } = await jwtVerify(token, new TextEncoder().encode(signature_secret), {
    algorithms: ["HS256"],
    currentDate: new Date(now()),
    maxTokenAge: MAX_AGE_S,
    clockTolerance: AHEAD_S,
  }).catch(() => {
    throw new ForgedWebhook("signature");
  });
  if (payload.application_id !== undefined && payload.application_id !== application_id)
    throw new ForgedWebhook("application");
  if (!(await sameSecret(String(payload.payload_hash ?? "").toLowerCase(), await sha256Hex(body))))
    throw new ForgedWebhook("body");
  return report.safeParse(parseJson(body)).data ?? {};
}

/** Returns the events in a report; none if the report is irrelevant. */
export function eventFrom(fields: Partial<z.infer<typeof report>>): CallEvent[] {
  const { uuid, status, sub_state, to, recording_uuid, recording_url, start_time, end_time, duration } = fields;
  if (recording_uuid && recording_url) {
    const length = Date.parse(end_time ?? "") - Date.parse(start_time ?? "");
    const duration_ms = Number.isFinite(length) ? length : null;
    const recording = { id: recording_url.split("/").at(-1) || recording_uuid, url: recording_url, duration_ms };
    return [{ ...quiet, provider_call_id: null, recording: { ...recording, content_type: "audio/wav" } }];
  }
  // Vonage reports the leg to the media runtime as a call of its own.
  if (!uuid || !status || (typeof to === "string" && !/^\+?\d+$/.test(to))) return [];
  const event = stateEvent(uuid, status, duration);
  if (event?.answered_by !== "machine") return event ? [event] : [];
  // If no beep was detected until the timeout, there is none.
  const records = sub_state === "beep_start" || sub_state === "beep_timeout";
  return [{ ...event, machine: records ? "recording" : "greeting" }];
}

const quiet = { status: "in-progress", answered_by: null, reason: "", recording: null } as const;

/** Returns the event of a call in this state, by the carrier's word; null for an unknown word. */
export function stateEvent(uuid: string, state: string, seconds?: string | number | null): CallEvent | null {
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!status) return null;
  const answered_by = state === "machine" || state === "human" ? state : null;
  const running = ["initiated", "ringing", "in-progress"].includes(status);
  return {
    ...quiet,
    provider_call_id: uuid,
    status,
    answered_by,
    reason: running ? "" : state,
    talked_ms: running ? undefined : msOf(seconds),
  };
}
