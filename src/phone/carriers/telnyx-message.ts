import { z } from "zod";
import type { SpokenMessage, Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { cutToFit } from "./media.ts";
import { messageTexts } from "./recorded.ts";
import { byVoice } from "./telnyx-announcement.ts";
import { CUT_OFF, stateIn, stateOf } from "./telnyx-state.ts";
import { telnyxVoice } from "./voices.ts";

/** Longest spoken text, characters. */
const MAX_SPEAK_CHARS = 3_000;

/**
 * The mark of a spoken message, which distinguishes its end from that of other speech. `left` is the number of texts
 * that follow.
 */
const mark = z.object({ call_id: z.string(), message: z.literal(true), left: z.number().default(0) });
const report = z.object({
  data: z.object({
    id: z.string(),
    event_type: z.string(),
    payload: z.object({
      call_control_id: z.string().min(1),
      client_state: z.string().nullish(),
      status: z.string().nullish(),
    }),
  }),
});

/**
 * Returns the command that stops all speech on a call. The end of the speech is then reported as neither an
 * announcement nor a message.
 */
export const silenced = (call_id: string) => ({ stop: "all", client_state: stateOf({ call_id }) });

/**
 * Returns the command that speaks a message to the machine that answered, or its last `left` texts. A command repeated
 * under the same id is spoken only once. Texts with different voices need separate commands.
 */
export function spokenMessage(
  call_id: string,
  message: SpokenMessage,
  command_id = `message-${call_id}`,
  left = Number.POSITIVE_INFINITY,
) {
  const texts = byVoice(messageTexts(message)).slice(-left);
  const [{ text, language } = message] = texts;
  const state: z.infer<typeof mark> = { call_id, message: true, left: texts.length - 1 };
  return {
    payload: cutToFit(text, ({ length }) => length <= MAX_SPEAK_CHARS),
    voice: telnyxVoice(language),
    command_id,
    client_state: stateOf(state),
  };
}

export interface EndOfMessage {
  id: string;
  call_id: string;
  call_control_id: string;
  /** Whether the machine only then began to record, so that it has recorded none of the message. */
  cutOff: boolean;
  /** The number of texts still to be spoken. */
  left: number;
}

/** Returns the end of a message, after which Telnyx leaves the call open; undefined for other reports. */
export function endOfMessage({ body }: Pick<Webhook, "body">): EndOfMessage | undefined {
  const telnyxEvent = report.safeParse(parseJson(body)).data?.data;
  if (telnyxEvent?.event_type !== "call.speak.ended") return undefined;
  const { call_control_id, client_state, status } = telnyxEvent.payload;
  const marked = mark.safeParse(stateIn(client_state)).data;
  if (!marked) return undefined;
  const { call_id, left } = marked;
  return { id: telnyxEvent.id, call_id, call_control_id, cutOff: status === CUT_OFF, left };
}
