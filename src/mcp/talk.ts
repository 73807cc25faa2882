import { z } from "zod";

/** The time limit of a whole try, ms. Clients wait a minute for a tool. */
const TALK_MS = 45_000;
/** The silence (ms) after which an agent that uses no tool counts as finished, because no frame marks the end. */
const QUIET_MS = 1_500;

const frame = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  state: z.string().optional(),
  reason: z.string().optional(),
});
type Frame = z.output<typeof frame>;

/** A turn of a try. The role `end` gives the reason why the try ended early. */
export type Turn = { role: "caller" | "agent" | "tool" | "end"; text: string };

/** A conversation with an agent over its socket, with the widget's frames (docs/widget-frames.md). */
export class Talk {
  readonly #socket: WebSocket;
  readonly #come: Frame[] = [];
  #wake: (() => void) | null = null;
  #over = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const read = frame.safeParse(JSON.parse(String(data)));
      if (read.success) this.#come.push(read.data);
      this.#wake?.();
    });
    for (const type of ["close", "error"] as const) socket.addEventListener(type, () => this.#end());
  }

  /** Sends these texts one after the other. Each is sent when the agent has answered the previous one. */
  async hold(access_token: string, says: string[], greets: boolean): Promise<Turn[]> {
    const timer = setTimeout(() => this.#end(), TALK_MS);
    const turns: Turn[] = [];
    try {
      this.#socket.send(JSON.stringify({ type: "session", access_token }));
      if (greets) await this.#listen(turns, "greeting");
      for (const text of says) {
        if (this.#over) break;
        turns.push({ role: "caller", text });
        this.#socket.send(JSON.stringify({ type: "message", id: crypto.randomUUID(), text }));
        await this.#listen(turns, "answer");
      }
      if (this.#over) turns.push({ role: "end", text: "the conversation ended, or took too long" });
      return turns;
    } finally {
      clearTimeout(timer);
      this.#socket.close(1000);
    }
  }

  /** Collects the agent's turns until it has finished. A greeting follows `ready` at once, or not at all. */
  async #listen(turns: Turn[], to: "greeting" | "answer"): Promise<void> {
    let isAnswered = false;
    for (;;) {
      const next = await this.#next(isAnswered ? QUIET_MS : null);
      if (next === null) return;
      const { type, text = "", name = "", state = "", reason = "" } = next;
      if (type === "tool") turns.push({ role: "tool", text: `${name}: ${state}` });
      if (type === "message") turns.push({ role: "agent", text });
      if (type === "ended") {
        turns.push({ role: "end", text: reason });
        this.#over = true;
        return;
      }
      if (type === "listening") return;
      isAnswered = type === "message" || (type === "ready" && to === "greeting");
    }
  }

  /**
   * Returns the next frame; null if the connection has closed, the time limit is reached, or nothing has arrived for
   * too long.
   */
  async #next(withinMs: number | null): Promise<Frame | null> {
    let isQuiet = false;
    const timer =
      withinMs === null
        ? null
        : setTimeout(() => {
            isQuiet = true;
            this.#wake?.();
          }, withinMs);
    while (this.#come.length === 0 && !this.#over && !isQuiet)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (timer !== null) clearTimeout(timer);
    return this.#come.shift() ?? null;
  }

  #end(): void {
    this.#over = true;
    this.#wake?.();
  }
}
