import { type CallerDependencies, type CallerRole, type Progress, SandboxCaller } from "./sandbox-caller.ts";

export interface Connection {
  send(text: string): void;
  /** Closes the connection as a hang-up does; does nothing if it is closed. */
  close(): void;
}

/** Events of an open connection. */
export interface Listener {
  received(text: string): void;
  closed(code: number): void;
}

/** The error when the runtime refused the call; a retry would not help. */
export class CallRefused extends Error {}

export interface ConversationDependencies extends Omit<CallerDependencies, "send"> {
  /** @throws CallRefused, or another error if the runtime cannot be reached */
  connect(listener: Listener): Promise<Connection>;
}

/** The caller, and how they are introduced to the runtime. */
export interface Part extends CallerRole {
  setup: Record<string, unknown>;
}

/** Delays before the retries to reach the runtime, ms. After the last one the caller, who hears nothing, hangs up. */
export const RETRY_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 7_000];
/** Close codes without an error: normal closure, and no code at all. */
const CLOSED_WELL = [1000, 1005];

/** A call's conversation with the runtime, over any number of connections. */
export class SandboxConversation {
  readonly #do: ConversationDependencies;
  readonly #part: Part;
  #progress: Progress;
  #caller: SandboxCaller | null = null;
  #connection: Connection | null = null;
  #failures = 0;
  #ended = false;
  #cancel = () => {};

  constructor(dependencies: ConversationDependencies, part: Part, progress: Progress) {
    this.#do = dependencies;
    this.#part = part;
    this.#progress = progress;
  }

  async start(): Promise<void> {
    // Events of an earlier connection are ignored.
    let current = true;
    const listener: Listener = {
      received: (text) => {
        if (current) this.#caller?.receive(text);
      },
      closed: (code) => {
        if (!current) return;
        current = false;
        if (CLOSED_WELL.includes(code)) this.#over();
        else this.#lost();
      },
    };
    let connection: Connection;
    try {
      connection = await this.#do.connect(listener);
    } catch (error) {
      current = false;
      if (error instanceof CallRefused) this.#over();
      else this.#lost();
      return;
    }
    if (this.#ended || !current) return connection.close();
    this.#connection = connection;
    const { setup } = this.#part;
    this.#caller = new SandboxCaller(
      {
        send: (frame) => connection.send(JSON.stringify(frame)),
        over: () => this.#over(),
        after: this.#do.after,
        keep: (progress) => this.#keep(progress),
      },
      this.#part,
      this.#progress,
    );
    this.#caller.start(setup);
  }

  /** Ends the conversation after the caller was transferred; the runtime closes its connection. */
  leave(): void {
    this.#ended = true;
    this.#cancel();
    this.#caller?.stop();
  }

  /** Stops all timers and closes the connection. */
  stop(): void {
    this.leave();
    this.#connection?.close();
    this.#connection = null;
  }

  #keep(progress: Progress): void {
    this.#progress = progress;
    // Retries start over after progress.
    if (progress.answered) this.#failures = 0;
    this.#do.keep(progress);
  }

  #lost(): void {
    if (this.#ended) return;
    this.#caller?.stop();
    this.#connection?.close();
    this.#connection = null;
    const wait = RETRY_MS[this.#failures++];
    if (wait === undefined) this.#over();
    else this.#cancel = this.#do.after(wait, () => void this.start());
  }

  #over(): void {
    if (this.#ended) return;
    this.stop();
    this.#do.over();
  }
}
