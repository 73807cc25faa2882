import { z } from "zod";
import { languageTag } from "../../../records/conversations/events.ts";
import { BadFrame, type Incoming, type Outgoing, type Protocol } from "./protocol.ts";

/** Only the token is used: the conversation's own record contains what was said before. */
const setup = z.object({ customParameters: z.object({ session_token: z.string() }) });
const prompt = z.object({
  voicePrompt: z.string(),
  /** An invalid language tag is ignored, so that the caller's words are still accepted. */
  lang: languageTag.optional().catch(undefined),
  last: z.boolean().default(true),
});
const dtmf = z.object({ digit: z.string().regex(/^[0-9A-D*#]{1,32}$/i) });
const interrupt = z.object({ utteranceUntilInterrupt: z.string().optional() });
const error = z.object({ description: z.string().default("") });

/**
 * Twilio's ConversationRelay, which Telnyx supports too: the carrier converts between speech and text. Unknown frame
 * types are ignored because carriers add some.
 */
export const conversationRelay: Protocol = {
  read(frame): Incoming | null {
    switch (frame.type) {
      case "setup":
        return { type: "open", token: parsed(setup, frame).customParameters.session_token };
      case "prompt": {
        const { voicePrompt: text, lang, last } = parsed(prompt, frame);
        // The last frame repeats all partial words.
        if (!last) return text.trim() === "" ? null : { type: "partial_words" };
        return { type: "words", text, lang };
      }
      case "dtmf":
        return { type: "digits", digits: parsed(dtmf, frame).digit };
      case "interrupt":
        return { type: "interrupt", spokenText: parsed(interrupt, frame).utteranceUntilInterrupt };
      case "error":
        return { type: "trouble", description: parsed(error, frame).description };
      default:
        if (typeof frame.type !== "string") throw new BadFrame("a frame needs a type");
        return null;
    }
  },
  write(outgoing: Outgoing): object | null {
    switch (outgoing.type) {
      case "words": {
        const { text: token, last, interruptible } = outgoing;
        return { type: "text", token, last, interruptible };
      }
      case "language": {
        const { language } = outgoing;
        return { type: "language", ttsLanguage: language, transcriptionLanguage: language };
      }
      case "ended":
        return { type: "end", handoffData: JSON.stringify({ reason: outgoing.reason }) };
      default:
        return null;
    }
  },
};

function parsed<T>(schema: z.ZodType<T>, frame: Record<string, unknown>): T {
  const result = schema.safeParse(frame);
  if (!result.success) throw new BadFrame(`the ${String(frame.type)} frame is malformed`);
  return result.data;
}
