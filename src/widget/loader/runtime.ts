/** What the media runtime says, as JSON text frames; see docs/widget.md. */
type Incoming =
  | { type: "ready" }
  | { type: "message"; text: string }
  | { type: "typing" }
  | { type: "error"; code?: string; message?: string };

export interface RuntimeHandlers {
  state(state: "connecting" | "ready" | "lost"): void;
  message(text: string): void;
  typing(): void;
  error(code: string, message: string): void;
  /** The access token to present now. */
  token(): string | undefined;
}

const BACKOFF = { first: 1000, most: 30_000 };
/** The runtime's close code for a session it does not take: trying again with it is no use. */
const SESSION_REFUSED = 4401;

/** The WebSocket to the media runtime: presents the session first, and comes back by itself when it breaks. */
export class RuntimeLink {
  readonly #url: string;
  readonly #handlers: RuntimeHandlers;
  #socket: WebSocket | undefined;
  #ready = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #unsent: string[] = [];

  constructor(url: string, handlers: RuntimeHandlers) {
    this.#url = url.replace(/^http/, "ws");
    this.#handlers = handlers;
  }

  /** Connects unless it is connected or about to be. */
  connect(): void {
    if (this.#socket) return;
    clearTimeout(this.#retry);
    // Once it has failed, "lost" stays what is said: a screen reader need not hear of every try.
    if (this.#failures === 0) this.#handlers.state("connecting");
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.present());
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", ({ code }) => this.#lost(code));
  }

  /** Presents the session, at the beginning and after every renewal. */
  present(): void {
    const access_token = this.#handlers.token();
    if (access_token) this.#write({ type: "session", access_token });
  }

  /** Sends a visitor's words, at once or as soon as the runtime is ready. */
  say(text: string): void {
    this.#unsent.push(JSON.stringify({ type: "message", id: crypto.randomUUID?.() ?? String(Date.now()), text }));
    this.#flush();
  }

  #flush(): void {
    if (!this.#ready) return;
    for (const frame of this.#unsent.splice(0)) this.#socket?.send(frame);
  }

  #write(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #receive(data: string): void {
    const frame = parse(data);
    switch (frame?.type) {
      case "ready":
        this.#ready = true;
        this.#failures = 0;
        this.#handlers.state("ready");
        this.#flush();
        break;
      case "message":
        this.#handlers.message(String(frame.text));
        break;
      case "typing":
        this.#handlers.typing();
        break;
      case "error":
        this.#handlers.error(frame.code ?? "runtime", frame.message ?? "the runtime reported an error");
    }
  }

  #lost(code: number): void {
    this.#socket = undefined;
    this.#ready = false;
    if (code === SESSION_REFUSED) {
      this.#handlers.error("session_refused", "the runtime does not take this session");
      return;
    }
    this.#handlers.state("lost");
    const delay = Math.min(BACKOFF.most, BACKOFF.first * 2 ** this.#failures++);
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
  }
}

function parse(data: string): Incoming | undefined {
  try {
    return JSON.parse(data) as Incoming;
  } catch {
    return undefined;
  }
}
