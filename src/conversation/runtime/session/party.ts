import type { SessionIdentity } from "../../../kernel/http/context.ts";
import type { SpokenByCarrier } from "../../../phone/calls/call-token.ts";

type Session<K extends SessionIdentity["kind"]> = Extract<SessionIdentity, { kind: K }>;

/** The participant in the widget or in a test, who only sends words, using the widget's frames. */
export interface Participant {
  trust: "participant";
  session: Session<"widget"> | Session<"test">;
}

/** The carrier of a call, which forwards what the caller says, using ConversationRelay's frames. */
export interface CarrierLine {
  trust: "carrier";
  session: Session<"call">;
  /** What the carrier was instructed to say. */
  spoken: SpokenByCarrier;
  /** Whether it signs the handshake of its socket, so that the token alone is not enough. */
  signs: boolean;
}

/** The party that talks with the agent over a WebSocket. A custom runtime is a different type with its own endpoints. */
export type Party = Participant | CarrierLine;
