import { z } from "zod";
import type { SpokenText, Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { CUT_OFF, stateIn, stateOf } from "./telnyx-state.ts";
import { telnyxVoice } from "./voices.ts";

const report = z.object({
  data: z.object({
    event_type: z.enum(["call.answered", "call.speak.ended"]),
    id: z.string(),
    payload: z.object({
      call_control_id: z.string().min(1),
      client_state: z.string().nullish(),
      status: z.string().nullish(),
    }),
  }),
});
/**
 * The state of a call that begins with texts of the service. The reports of the call's answer and of each text's end
 * return it. It contains the remaining texts, and whether one of them announces the recording.
 */
const state = z.object({
  call_id: z.string(),
  texts: z.array(z.object({ text: z.string(), language: z.string() })),
  recorded: z.boolean(),
});

/** Returns the state of a call that begins with these texts; `recorded` if one of them announces the recording. */
export const announcing = (call_id: string, texts: SpokenText[], recorded: boolean, more: object) =>
  stateOf(Object.assign({ call_id, texts: byVoice(texts), recorded }, more));

/** Joins texts that follow each other with the same voice, so that they are spoken without a pause. */
export function byVoice(texts: SpokenText[]): SpokenText[] {
  const joined: SpokenText[] = [];
  for (const { text, language } of texts) {
    const last = joined.at(-1);
    if (last && telnyxVoice(last.language) === telnyxVoice(language)) last.text += ` ${text}`;
    else joined.push({ text, language });
  }
  return joined;
}

/** The next step on a call that begins with texts of the service. */
interface Announcement {
  id: string;
  call_control_id: string;
  /** The command that speaks the next text; null once all of them have been spoken. */
  speech: object | null;
  /** Whether one of the texts announces the recording. */
  recorded: boolean;
  /** Whether a text was already spoken. */
  continues: boolean;
  /** Whether the detection of a machine cut off the previous text. */
  isCut: boolean;
}

/**
 * Returns the next step once a report says that the call was answered or that the previous text has ended; null for
 * other reports.
 */
export function toAnnounce({ body }: Webhook): Announcement | null {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (!telnyxEvent) return null;
  const { id, event_type, payload } = telnyxEvent;
  const begun = state.safeParse(stateIn(payload.client_state)).data;
  if (!begun) return null;
  const { call_id, texts, recorded } = begun;
  const [next, ...rest] = texts;
  const speech = next && {
    command_id: id,
    payload: next.text,
    payload_type: "text",
    voice: telnyxVoice(next.language),
    client_state: stateOf({ call_id, texts: rest, recorded }),
  };
  return {
    id,
    call_control_id: payload.call_control_id,
    speech: speech ?? null,
    recorded,
    continues: event_type === "call.speak.ended",
    isCut: payload.status === CUT_OFF,
  };
}
