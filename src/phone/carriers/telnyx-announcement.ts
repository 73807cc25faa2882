import { z } from "zod";
import type { Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { stateIn, stateOf } from "./telnyx-state.ts";

/** The voice of announcements, which needs no key of the account. */
const VOICE = "AWS.Polly.Joanna";

const report = z.object({
  data: z.object({
    event_type: z.string(),
    id: z.string(),
    payload: z.object({ call_control_id: z.string().min(1), client_state: z.string().nullish() }),
  }),
});
/** The state of a call that begins with words of ours, returned with the report of its answer. */
const unspoken = z.object({ call_id: z.string(), announcement: z.string(), recorded: z.boolean().default(true) });
const spoken = z.object({ call_id: z.string(), announced: z.literal(true) });

/** The state of a call that begins with these words; `recorded` if one of them announces its recording. */
export const announcing = (call_id: string, announcement: string, recorded: boolean) =>
  stateOf({ call_id, announcement, recorded });

/** The announcement to speak if a report says that its call was answered; null for none. */
export function toAnnounce({ body }: Webhook) {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.answered") return null;
  const state = unspoken.safeParse(stateIn(telnyxEvent.payload.client_state)).data;
  if (!state) return null;
  const { call_id, announcement, recorded } = state;
  const speech = {
    command_id: telnyxEvent.id,
    payload: announcement,
    payload_type: "text",
    voice: VOICE,
    client_state: stateOf({ call_id, announced: true }),
  };
  return { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id, speech, recorded };
}

/** The call whose announcement has ended according to a report; otherwise null. */
export function hasAnnounced({ body }: Webhook): { id: string; call_control_id: string } | null {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.speak.ended") return null;
  const ours = spoken.safeParse(stateIn(telnyxEvent.payload.client_state)).success;
  return ours ? { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id } : null;
}
