import { z } from "zod";
import {
  BadFrame,
  CLOSE,
  type Incoming,
  MAX_MESSAGE_CHARS,
  type Outgoing,
  type Protocol,
  Refusal,
} from "./protocol.ts";

const session = z.object({ access_token: z.string() });
const message = z.object({ text: z.string(), id: z.string().min(1).max(64).optional().catch(undefined) });
const interrupt = z.object({ heard: z.string().optional() });

const SPEECH_PATH = "/api/v1/widget/speech/";

/** The widget's frames (docs/widget-frames.md), sent by visitors and testers. */
export const widgetFrames: Protocol = {
  read(frame): Incoming | null {
    switch (frame.type) {
      case "session": {
        const { success, data } = session.safeParse(frame);
        if (!success) throw new BadFrame("the session frame needs an access_token");
        return { type: "open", token: data.access_token };
      }
      case "message": {
        const { success, data } = message.safeParse(frame);
        if (!success) throw new BadFrame("the message frame needs a text");
        if (data.text.length > MAX_MESSAGE_CHARS)
          throw new Refusal(CLOSE.too_large, "a message has at most 4,000 characters");
        return { type: "words", text: data.text, id: data.id };
      }
      case "interrupt": {
        const { success, data } = interrupt.safeParse(frame);
        if (!success) throw new BadFrame("heard must be a text");
        return { type: "interrupt", spokenText: data.heard };
      }
      default:
        if (typeof frame.type !== "string") throw new BadFrame("a frame needs a type");
        return null;
    }
  },
  write(outgoing: Outgoing): object | null {
    switch (outgoing.type) {
      case "words":
        return {
          ...(outgoing.last ? { type: "message", text: outgoing.whole } : { type: "delta", text: outgoing.text }),
          // Sent only if the voice must not be interrupted, which is rare.
          ...(!outgoing.interruptible && { interruptible: false }),
          ...(outgoing.speech && { speech: `${SPEECH_PATH}${outgoing.speech}` }),
        };
      case "ready":
        return {
          type: "ready",
          conversation_id: outgoing.conversation_id,
          receipts: true,
          ...(outgoing.speech && { speech: true }),
        };
      default:
        return outgoing;
    }
  },
};
