import { z } from "zod";
import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import type { SpokenText, Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { stateIn, stateOf } from "./telnyx-state.ts";
import { telnyxVoice } from "./voices.ts";

const report = z.object({
  data: z.object({
    event_type: z.string(),
    id: z.string(),
    payload: z.object({ call_control_id: z.string().min(1), client_state: z.string().nullish() }),
  }),
});
/** The state of a call to be announced when answered, returned with the report of the end of its speech. */
const unspoken = z.object({
  call_id: z.string(),
  announcement: z.string(),
  language: z.string().default(DEFAULT_LANGUAGE),
});
const spoken = z.object({ call_id: z.string(), announced: z.literal(true) });

/** The state of a call that begins with an announcement. */
export const announcing = (call_id: string, { text, language }: SpokenText, more: object) =>
  stateOf(Object.assign({ call_id, announcement: text, language }, more));

/** The announcement to speak if a report says that its call was answered; null for none. */
export function toAnnounce({ body }: Webhook) {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.answered") return null;
  const state = unspoken.safeParse(stateIn(telnyxEvent.payload.client_state)).data;
  if (!state) return null;
  const { call_id, announcement, language } = state;
  const speech = {
    command_id: telnyxEvent.id,
    payload: announcement,
    payload_type: "text",
    voice: telnyxVoice(language),
    client_state: stateOf({ call_id, announced: true }),
  };
  return { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id, speech };
}

/** The call whose announcement has ended according to a report; otherwise null. */
export function hasAnnounced({ body }: Webhook): { id: string; call_control_id: string } | null {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.speak.ended") return null;
  const ours = spoken.safeParse(stateIn(telnyxEvent.payload.client_state)).success;
  return ours ? { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id } : null;
}
