import { z } from "zod";
import type { Webhook } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { cutToFit } from "./media.ts";
import { stateIn, stateOf } from "./telnyx-state.ts";

/** The longest text that is spoken, characters. */
const MAX_SPEAK_CHARS = 3_000;

/** What the speaking of a message is marked with, so that its end is told from that of anything else. */
const mark = z.object({ call_id: z.string(), message: z.literal(true) });
const report = z.object({
  data: z.object({
    event_type: z.string(),
    payload: z.object({ call_control_id: z.string().min(1), client_state: z.string().nullish() }),
  }),
});

/** The command that speaks a message to the machine which answered the call; asked for twice, it is spoken once. */
export function spokenMessage(call_id: string, text: string) {
  const state: z.infer<typeof mark> = { call_id, message: true };
  return {
    payload: cutToFit(text, ({ length }) => length <= MAX_SPEAK_CHARS),
    voice: "female",
    language: "en-US" as const,
    command_id: `message-${call_id}`,
    client_state: stateOf(state),
  };
}

/** The call whose message has been spoken, since Telnyx leaves it to itself then; undefined for any other report. */
export function endOfMessage({ body }: Pick<Webhook, "body">): string | undefined {
  const told = report.safeParse(parseJson(body)).data?.data;
  if (told?.event_type !== "call.speak.ended") return undefined;
  return mark.safeParse(stateIn(told.payload.client_state)).success ? told.payload.call_control_id : undefined;
}
