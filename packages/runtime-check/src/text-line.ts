import { closing, connect, type Destination, type Line, opening, type Party } from "./line.ts";

/** The differences between text clients: ConversationRelay and the widget. */
export interface TextProtocol {
  first(token: string, callId: string): object;
  words(text: string): object;
  /** The content of a runtime's frame: words, the end of a turn, or nothing yet; null for an unknown frame. */
  read(frame: Record<string, unknown>): "words" | "last" | "other" | null;
  /** Returns the words of a frame that a voice speaks. */
  spoken(frame: Record<string, unknown>): string;
}

/** Time to speak a character, ms: 15 characters a second. */
const CHARACTER_MS = 1000 / 15;

const text = (value: unknown) => typeof value === "string";

export const TEXT_PROTOCOLS = {
  "conversation-relay": {
    first: (session_token, call_id) => ({
      type: "setup",
      sessionId: "VX00000000000000000000000000000001",
      accountSid: "AC00000000000000000000000000000001",
      callSid: "CA00000000000000000000000000000001",
      from: "+12025550100",
      to: "+12025550199",
      direction: "outbound-api",
      customParameters: { session_token, call_id },
    }),
    words: (voicePrompt) => ({ type: "prompt", voicePrompt, lang: "en-US", last: true }),
    read: ({ type, token, last, source, digits }) => {
      if (type === "text" && text(token)) return last === true ? "last" : token === "" ? "other" : "words";
      if (type === "play" && text(source)) return "words";
      if (type === "sendDigits" && text(digits)) return "other";
      return type === "language" || type === "end" ? "other" : null;
    },
    spoken: ({ token }) => (text(token) ? token : ""),
  },
  widget: {
    first: (access_token) => ({ type: "session", access_token }),
    words: (words) => ({ type: "message", id: crypto.randomUUID(), text: words }),
    read: ({ type, text: words }) => {
      if (type === "message" && text(words)) return "last";
      if (type === "delta" && text(words)) return "words";
      // Ignores frame types added later, as the widget does.
      return text(type) ? "other" : null;
    },
    spoken: () => "",
  },
} as const satisfies Record<string, TextProtocol>;
export type TextProtocolName = keyof typeof TEXT_PROTOCOLS;

/** A caller or visitor over a text protocol. */
export class TextLine implements Line {
  readonly opened: Promise<boolean>;
  closedWith: number | null = null;
  spokeAt = 0;
  readonly clears = 0;
  readonly unknown: string[] = [];
  readonly #socket: WebSocket;
  readonly #protocol: TextProtocol;
  readonly #first: object;
  readonly #speech: string;
  readonly #greeted: boolean;
  #isInTurn = false;
  /** When the carrier's voice has spoken everything. A caller who talks earlier interrupts it. */
  #spokenAt = 0;

  constructor(to: Destination, protocol: TextProtocol, party: Party, says: string) {
    const { token, call_id, headers, greeted = false } = party;
    this.#greeted = greeted;
    this.#protocol = protocol;
    this.#speech = says;
    this.#first = protocol.first(token, call_id);
    this.#socket = connect(to.url, headers);
    this.opened = opening(this.#socket, to.timeoutMs);
    this.#socket.addEventListener("message", ({ data }) => this.#take(data));
    closing(this.#socket, (code) => {
      this.closedWith = code;
    });
  }

  get speaking(): boolean {
    return this.#isInTurn || Date.now() < this.#spokenAt;
  }

  begin(): void {
    this.#send(this.#first);
    if (this.#greeted) this.spokeAt = Date.now();
  }

  async say(): Promise<void> {
    this.#send(this.#protocol.words(this.#speech));
  }

  sendOddity(): void {
    this.#send({ type: "switchboard.unknown", of: { no: "meaning" } });
  }

  leave(): void {
    this.#socket.close(1000);
  }

  drop(): void {
    this.#socket.close();
  }

  #take(data: unknown): void {
    const frame = frameOf(data);
    const read = frame && this.#protocol.read(frame);
    if (!frame || !read) this.unknown.push(String(data).slice(0, 200));
    else if (read !== "other") {
      const now = Date.now();
      this.spokeAt = now;
      this.#isInTurn = read === "words";
      this.#spokenAt = Math.max(now, this.#spokenAt) + this.#protocol.spoken(frame).length * CHARACTER_MS;
    }
  }

  #send(frame: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

function frameOf(data: unknown): Record<string, unknown> | null {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
