import { isFull } from "./parting-words.ts";

/** The media runtime's messages, as JSON text frames; see docs/widget-frames.md. */
type Incoming =
  | { type: "ready"; receipts?: boolean; speech?: boolean }
  | { type: "typing" | "listening" }
  | { type: "received"; id: string }
  | { type: "ended"; reason?: string }
  | { type: "message" | "delta"; text: string; interruptible?: boolean; speech?: string }
  | { type: "tool"; name: string; state: string }
  | { type: "language"; language: string }
  | { type: "error"; code?: string; message?: string };

/** A visitor's message. The runtime recognizes a repeated one by its id. */
export interface Written {
  id: string;
  text: string;
}

/** Why the session cannot, or can no longer, be used for a conversation. */
export type Parting = "ended" | "elsewhere" | "refused";

export interface RuntimeHandlers {
  state(state: "connecting" | "ready" | "lost"): void;
  /**
   * `speech` is the address of the audio, in the agent's own voice, of the part that ends with these words: null if no
   * part ends, undefined if the browser's voice speaks.
   */
  delta(text: string, interruptible: boolean, speech?: string | null): void;
  message(text: string, interruptible: boolean, speech?: string | null): void;
  typing(): void;
  listening(): void;
  tool(name: string, state: string): void;
  /** The conversation continues in this language (BCP 47). */
  language(lang: string): void;
  /** The link will not reconnect by itself; `reason` is the runtime's code, if it sent one. */
  parted(parting: Parting, reason?: string): void;
  error(code: string, message: string): void;
  /** Ensures that there is a token. Rejects if none is available now. */
  prepare(): Promise<void>;
  /** The access token to present now. */
  token(): string | undefined;
}

const BACKOFF = { first: 1000, most: 30_000 };
/** Close codes after which the link does not reconnect. */
const PARTINGS: Record<number, Parting> = { 4400: "refused", 4401: "refused", 4403: "ended", 4409: "elsewhere" };
/** The runtime's close code for sending too much. It counts as several failures, which lengthens the delay. */
const TOO_MUCH = { code: 4429, failures: 3 };

/** The most times that a message without a receipt is sent, because the runtime may be refusing it. */
const MOST_TIMES_SENT = 3;

/** The WebSocket to the media runtime. Presents the session first, and reconnects when the connection breaks. */
export class RuntimeLink {
  readonly #url: string;
  readonly #handlers: RuntimeHandlers;
  #wanted = false;
  #socket: WebSocket | undefined;
  /** The number of the latest attempt to connect. The results of earlier ones are ignored. */
  #attempt = 0;
  #ready = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Messages that the runtime may not have received, with the number of times that each was sent. */
  #waiting: (Written & { times: number })[] = [];
  /** How many of `#waiting` were sent over this socket. */
  #sent = 0;
  /** Whether the runtime acknowledges messages. */
  #receipts = false;
  /** Whether the agent speaks with its own voice. */
  #hasVoice = false;

  /** @param signal removes the listeners from the page */
  constructor(url: string, handlers: RuntimeHandlers, signal: AbortSignal) {
    this.#url = url.replace(/^http/, "ws");
    this.#handlers = handlers;
    // A socket may take minutes to notice that it is offline, and messages sent before then would be lost.
    addEventListener("offline", () => this.#wanted && this.#lost(1006), { signal });
    addEventListener("online", () => this.#wanted && this.#dial(), { signal });
  }

  get unsent(): Written[] {
    return this.#waiting.map(({ id, text }) => ({ id, text }));
  }

  set unsent(written: readonly Written[]) {
    this.#waiting = written.map(({ id, text }) => ({ id, text, times: 0 }));
    this.#sent = 0;
  }

  /** Connects, unless it is connected or connecting. */
  connect(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#failures = 0;
    this.#dial();
  }

  /** Disconnects, and stays disconnected until `connect` is called. */
  leave(): void {
    this.#wanted = false;
    this.#close();
  }

  /** Presents the session again, after a renewal. */
  present(): void {
    const access_token = this.#handlers.token();
    if (access_token) this.#write({ type: "session", access_token });
  }

  /** Sends a message now, or as soon as the runtime is ready. */
  say(text: string): void {
    this.#waiting.push({ id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, text, times: 0 });
    this.#flush();
  }

  /** Reports that the visitor interrupted after this much of the agent's turn was spoken. */
  interrupt(spokenText: string): void {
    if (this.#ready) this.#write({ type: "interrupt", heard: spokenText });
  }

  #dial(): void {
    if (this.#socket) return;
    clearTimeout(this.#retry);
    const attempt = ++this.#attempt;
    const isCurrent = () => attempt === this.#attempt;
    // After a failure the state stays "lost", so that a screen reader does not announce every attempt.
    if (this.#failures === 0) this.#handlers.state("connecting");
    this.#handlers.prepare().then(
      () => isCurrent() && this.#open(isCurrent),
      () => isCurrent() && this.#lost(1006),
    );
  }

  #open(isCurrent: () => boolean): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => isCurrent() && this.present());
    socket.addEventListener("message", ({ data }) => isCurrent() && this.#receive(String(data)));
    socket.addEventListener("close", ({ code, reason }) => isCurrent() && this.#lost(code, reason));
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#attempt++;
    this.#ready = false;
    this.#sent = 0;
    this.#socket?.close();
    this.#socket = undefined;
  }

  #flush(): void {
    // Messages written while a socket closes wait for the next one.
    if (!this.#ready || this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const written of this.#waiting.slice(this.#sent)) {
      const { id, text } = written;
      this.#write({ type: "message", id, text });
      written.times++;
    }
    this.#waiting = this.#receipts ? this.#waiting.filter(({ times }) => times < MOST_TIMES_SENT) : [];
    this.#sent = this.#waiting.length;
  }

  #received(id: string): void {
    const left = this.#waiting.filter((written) => written.id !== id);
    this.#sent -= this.#waiting.length - left.length;
    this.#waiting = left;
  }

  #write(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #receive(data: string): void {
    const frame = parse(data);
    switch (frame?.type) {
      case "ready":
        // The runtime sends `ready` again after every renewal.
        if (!this.#ready) this.#handlers.state("ready");
        this.#ready = true;
        this.#receipts = frame.receipts === true;
        this.#hasVoice = frame.speech === true;
        this.#failures = 0;
        this.#flush();
        break;
      case "received":
        this.#received(frame.id);
        break;
      case "delta":
      case "message":
        if (typeof frame.text !== "string") break;
        this.#handlers[frame.type](
          frame.text,
          frame.interruptible !== false,
          this.#hasVoice ? (frame.speech ?? null) : undefined,
        );
        break;
      case "typing":
        this.#handlers.typing();
        break;
      case "listening":
        this.#handlers.listening();
        break;
      case "tool":
        this.#handlers.tool(String(frame.name), String(frame.state));
        break;
      case "language":
        if (typeof frame.language === "string") this.#handlers.language(frame.language);
        break;
      case "ended":
        this.#part("ended", frame.reason);
        break;
      case "error":
        this.#handlers.error(frame.code ?? "runtime", frame.message ?? "the runtime reported an error");
    }
  }

  #part(parting: Parting, reason?: string): void {
    this.leave();
    this.#handlers.parted(parting, reason);
  }

  #lost(code: number, reason = ""): void {
    const parting = isFull(reason) ? "refused" : PARTINGS[code];
    if (parting) this.#part(parting, reason);
    else this.#comeBack(code);
  }

  #comeBack(code: number): void {
    this.#close();
    if (code === TOO_MUCH.code) this.#failures = Math.max(this.#failures, TOO_MUCH.failures);
    const delay = Math.min(BACKOFF.most, BACKOFF.first * 2 ** this.#failures++);
    this.#handlers.state("lost");
    // While offline, the browser's `online` event reconnects instead.
    if (navigator.onLine) this.#retry = setTimeout(() => this.#dial(), delay * (0.5 + Math.random() / 2));
  }
}

function parse(data: string): Incoming | undefined {
  try {
    const frame: unknown = JSON.parse(data);
    return typeof frame === "object" && frame !== null ? (frame as Incoming) : undefined;
  } catch {
    return undefined;
  }
}
