import { z } from "zod";
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
const text = z.object({ text: z.string(), language: z.string() });
/** The state of a call that begins with words of ours, returned with the report of its answer or of the words before. */
const unspoken = z.object({
  call_id: z.string(),
  texts: z.tuple([text], text),
  recorded: z.boolean(),
});
const spoken = z.object({ call_id: z.string(), announced: z.literal(true) });

/** The state of a call that begins with these texts; `recorded` if one of them announces its recording. */
export const announcing = (call_id: string, texts: SpokenText[], recorded: boolean, more: object) =>
  stateOf(Object.assign({ call_id, texts: byVoice(texts), recorded }, more));

/** Joins texts that follow each other with the same voice, so that they are spoken without a pause. */
function byVoice(texts: SpokenText[]): SpokenText[] {
  const joined: SpokenText[] = [];
  for (const { text, language } of texts) {
    const last = joined.at(-1);
    if (last && telnyxVoice(last.language) === telnyxVoice(language)) last.text += ` ${text}`;
    else joined.push({ text, language });
  }
  return joined;
}

/** What to speak next once a report says that the call was answered, or that the text before has ended; null for nothing. */
export function toAnnounce({ body }: Webhook) {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.answered" && telnyxEvent?.event_type !== "call.speak.ended") return null;
  const state = unspoken.safeParse(stateIn(telnyxEvent.payload.client_state)).data;
  if (!state) return null;
  const { call_id, recorded } = state;
  const [{ text: payload, language }, ...rest] = state.texts;
  const speech = {
    command_id: telnyxEvent.id,
    payload,
    payload_type: "text",
    voice: telnyxVoice(language),
    client_state: stateOf(rest.length > 0 ? { call_id, texts: rest, recorded } : { call_id, announced: true }),
  };
  const continues = telnyxEvent.event_type === "call.speak.ended";
  return { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id, speech, recorded, continues };
}

/** The call whose announcement has ended according to a report; otherwise null. */
export function hasAnnounced({ body }: Webhook): { id: string; call_control_id: string } | null {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.speak.ended") return null;
  const ours = spoken.safeParse(stateIn(telnyxEvent.payload.client_state)).success;
  return ours ? { id: telnyxEvent.id, call_control_id: telnyxEvent.payload.call_control_id } : null;
}
