export type Incoming =
  | { type: "open"; token: string }
  /** The `id` identifies words that are sent again. */
  | { type: "words"; text: string; lang?: string | undefined; id?: string | undefined }
  /** The other side is speaking. The complete words follow. */
  | { type: "partial_words" }
  | { type: "digits"; digits: string }
  | { type: "interrupt"; spokenText: string | undefined }
  | { type: "trouble"; description: string };

export type Outgoing =
  /** With `speech`, each part of the agent's words has a ticket to play it in the agent's own voice. */
  | { type: "ready"; conversation_id: string; speech: boolean }
  /** The words with this id are recorded. */
  | { type: "received"; id: string }
  /** `speech` is the ticket of the part that ends with these words; omitted or null if none does. */
  | {
      type: "words";
      text: string;
      last: boolean;
      whole: string;
      interruptible: boolean;
      speech?: string | null;
    }
  | { type: "typing" }
  /** The agent has finished its turn. */
  | { type: "listening" }
  /** The client recognizes and speaks this language (BCP 47) from now on. */
  | { type: "language"; language: string }
  | { type: "tool"; name: string; state: "running" | "done" | "failed" }
  | { type: "ended"; reason: string };

/** The frames of one kind of client. */
export interface Protocol {
  /** Returns the meaning of a frame; null for one that is ignored. @throws BadFrame */
  read(frame: Record<string, unknown>): Incoming | null;
  /** Returns the frame to send; null if the client needs none. */
  write(outgoing: Outgoing): object | null;
}

export class BadFrame extends Error {}

/** Disconnects a client with this reason and close code. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

export const MAX_FRAME_CHARS = 256 * 1024;

/** Maximum length of a visitor's or tester's message, characters, as in the widget's own field. */
export const MAX_MESSAGE_CHARS = 4_000;

/** A client must identify its session within this time, ms. */
export const FIRST_FRAME_MS = 15_000;

/** Close codes (RFC 6455, 7.4); 4000 and above are our own. */
export const CLOSE = {
  done: 1000,
  /** A close frame without a code. This value is never sent, only reported (RFC 6455, 7.4.1). */
  noCode: 1005,
  binary: 1003,
  malformed: 1007,
  too_large: 1009,
  failure: 1011,
  /** The order of the frames is invalid. */
  out_of_order: 4400,
  /** The token is not valid here. */
  refused: 4401,
  /** The session had already ended. */
  session_ended: 4403,
  timeout: 4408,
  /** A limit of messages, a cap or a budget is reached. */
  too_many: 4429,
  /** The same session was opened over another socket. */
  replaced: 4409,
} as const;

/** Parses a frame's JSON object. @throws BadFrame */
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
