/** A debugger's connection to a runtime that was started with an inspector port. */
export class Inspector {
  readonly #socket: WebSocket;
  #asked = 0;
  readonly #answers = new Map<number, (result: unknown) => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
      if (id === undefined) return;
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  static async connect(origin: string): Promise<Inspector> {
    const targets = (await (await fetch(`${origin.replace(/^ws/, "http")}json`)).json()) as {
      webSocketDebuggerUrl: string;
    }[];
    const [target] = targets;
    if (!target) throw new Error("the runtime has no inspector");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("the inspector does not answer")));
    });
    return new Inspector(socket);
  }

  /** Sends a command of the Chrome DevTools protocol. */
  ask<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#asked;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, resolve as (result: unknown) => void));
  }
}
