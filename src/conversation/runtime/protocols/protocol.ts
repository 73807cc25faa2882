/** The meaning of a frame from the other side. */
export type Incoming =
  | { type: "open"; token: string }
  /** With an `id`, words that are sent again are known to be the same. */
  | { type: "words"; text: string; lang?: string | undefined; id?: string | undefined }
  /** The other side is speaking; their words follow as a whole. */
  | { type: "partial_words" }
  | { type: "digits"; digits: string }
  | { type: "interrupt"; spokenText: string | undefined }
  | { type: "trouble"; description: string };

/** What is sent to the other side. */
export type Outgoing =
  /** With `speech`, each part of the agent's words has a ticket by which its own voice speaks it. */
  | { type: "ready"; conversation_id: string; speech: boolean }
  /** The words of this id are on record. */
  | { type: "received"; id: string }
  /** `speech` is the ticket of the part that ends with these words; left out or null if none does. */
  | {
      type: "words";
      text: string;
      last: boolean;
      whole: string;
      interruptible: boolean;
      speech?: string | null;
    }
  | { type: "typing" }
  /** The agent has done what it had to, and says nothing more. */
  | { type: "listening" }
  /** The client recognizes and speaks this language (BCP 47) from now on. */
  | { type: "language"; language: string }
  | { type: "tool"; name: string; state: "running" | "done" | "failed" }
  | { type: "ended"; reason: string };

/** Frames of one kind of client. */
export interface Protocol {
  /** The meaning of a frame; null for one that is ignored. @throws BadFrame */
  read(frame: Record<string, unknown>): Incoming | null;
  /** The frame to send, null if the client needs none. */
  write(outgoing: Outgoing): object | null;
}

/** A frame that violates the protocol. */
export class BadFrame extends Error {}

/** Why a client is disconnected, with the code that its socket is closed with. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** Most characters of a frame: more than anybody says at a time. */
export const MAX_FRAME_CHARS = 256 * 1024;

/** Most characters of what a visitor or tester writes at a time, as in the widget's own field. */
export const MAX_MESSAGE_CHARS = 4_000;

/** A client that has not identified its session is disconnected after this time, ms. */
export const FIRST_FRAME_MS = 15_000;

/** Why a socket is closed (RFC 6455, 7.4; 4000 and above are ours). */
export const CLOSE = {
  done: 1000,
  /** A close frame without a code: never sent, only reported (RFC 6455, 7.4.1). */
  noCode: 1005,
  binary: 1003,
  malformed: 1007,
  too_large: 1009,
  failure: 1011,
  /** The frames came in an order that means nothing. */
  out_of_order: 4400,
  /** The token is not good for this. */
  refused: 4401,
  /** The session was over before. */
  session_ended: 4403,
  /** Nothing arrived in time. */
  timeout: 4408,
  /** More was said than anybody says, or a cap or a budget is reached. */
  too_many: 4429,
  /** The same session was opened over another socket. */
  replaced: 4409,
} as const;

/** The JSON object in a frame. @throws BadFrame */
export function parseFrame(frame: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(frame);
  } catch {
    throw new BadFrame("the frame is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new BadFrame("the frame is not an object");
  return parsed as Record<string, unknown>;
}
