import { z } from "zod";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import type { CallEvent, CallRef } from "./carrier.ts";
import type { Api } from "./http.ts";
import { digits, msOf, placedThen } from "./media.ts";

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
/** The code of a call that we hung up before it was answered. */
export const CANCELED = "1000";
/**
 * Plivo's word for an unknown cause of the end. In this service, "unknown" means that it is unknown whether the call
 * was placed at all.
 */
const UNKNOWN_CAUSE = "unknown";

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
  call_duration: z.union([z.string(), z.number()]).nullish(),
});

interface Found {
  event: CallEvent;
  began: string | null;
}

/** Returns the call as the API knows it, running or over; undefined if it cannot be determined. */
export async function find(api: Api, ref: CallRef): Promise<Found | undefined> {
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

/** Returns the answered calls that are still running. The list of live calls contains only their ids. */
export async function live(api: Api, refs: CallRef[]): Promise<Map<string, CallEvent>> {
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
  const { call_uuid, answer_time, hangup_cause_code, hangup_cause_name, call_duration } = call;
  const cause = hangup_cause_name ?? "";
  let state = "failed";
  if (answer_time) state = "completed";
  else if (hangup_cause_code === CANCELED) state = "cancel";
  else if (/busy/i.test(cause)) state = "busy";
  else if (/no.?answer|timeout/i.test(cause)) state = "no-answer";
  const event = stateEvent(call_uuid, state, cause, call_duration);
  return event ? { event, began: isoTime(call.initiation_time) } : undefined;
}

/** Returns an event for the call with this id in one of Plivo's states; null if the state is unknown. */
export function stateEvent(id: string, state: string, reason = "", seconds?: string | number | null): CallEvent | null {
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!status) return null;
  const over = !["ringing", "in-progress"].includes(state);
  const cause = reason.toLowerCase() === UNKNOWN_CAUSE ? "" : reason;
  const talked_ms = over ? msOf(seconds) : undefined;
  return {
    provider_call_id: id,
    status,
    answered_by: null,
    reason: over ? cause || state : "",
    talked_ms,
    recording: null,
  };
}

/** Converts Plivo's format of times ("2015-07-26 15:44:49+05:30"; UTC without a zone) to ISO. */
function isoTime(text: string | null | undefined): string | null {
  const [, day, time, zone = "Z"] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d:\d\d)?$/.exec(text ?? "") ?? [];
  return day ? `${day}T${time}${zone}` : null;
}
