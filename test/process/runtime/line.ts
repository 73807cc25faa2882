import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** A frame as it goes over the socket. */
export interface Frame {
  type: string;
  token?: string;
  last?: boolean;
  handoffData?: string;
}
/** The next event: a frame, the end of the connection, or a timeout. */
export type Come = Frame | "closed" | "quiet";

/** Node's sockets accept headers, which the browsers' type does not have. */
const Socket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;

/** One connection with the runtime, from the side of a carrier that converts speech to text. */
export class Line {
  /** The close code; null while it is open. */
  closedWith: number | null = null;
  readonly #socket: WebSocket;
  readonly #come: Come[] = [];
  #wake: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#put(JSON.parse(String(data)) as Frame));
    socket.addEventListener("close", ({ code }) => {
      this.closedWith = code;
      this.#put("closed");
    });
  }

  /**
   * Connects and presents the session's token in the parameters that a carrier passes on. Rejects without a response.
   */
  static async open(
    url: string,
    customParameters: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Line> {
    const socket = new Socket(url, { headers });
    const line = new Line(socket);
    await Promise.race([
      once(socket, "open"),
      once(socket, "error").then(() => Promise.reject(new Error("no answer"))),
    ]);
    line.send({ type: "setup", sessionId: "VX1", callSid: "CA1", customParameters });
    return line;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Returns the next event. Waits at most `timeoutMs` if that is given. */
  async next(timeoutMs?: number): Promise<Come> {
    const [first] = this.#come;
    if (first !== undefined) return this.#come.shift() ?? first;
    const waiting = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const late =
      timeoutMs === undefined ? [] : [sleep(timeoutMs, undefined, { signal: waiting.signal }).catch(() => {})];
    await Promise.race([woken, ...late]);
    waiting.abort();
    return this.#come.shift() ?? "quiet";
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** Leaves as if the line had broken. */
  break(): void {
    this.#socket.close(4000, "broken");
  }

  #put(come: Come): void {
    this.#come.push(come);
    this.#wake();
  }
}
