import type { Reader } from "../http/credential.ts";
import type { Audience } from "./event-hub.ts";

export interface OpenStream {
  id: string;
  reader: Reader;
}

/** The methods of the account's meter that an object's streams need. */
export interface StreamGate {
  /**
   * Admits a stream. `first` is set for the first stream since the object was built, because the object's earlier
   * streams are then gone.
   * @throws ApiError if the limit of open streams is reached
   */
  open(stream: OpenStream, first: boolean): Promise<void>;
  /** Renews the open streams and those being opened. Returns the ids of those that must end. */
  keep(open: OpenStream[], opening: string[]): Promise<string[]>;
  close(ids: string[]): Promise<void>;
}

/**
 * Tracks an object's open streams. The account's meter admits each of them, is told about all of them at every
 * heartbeat and about each one's end, and can revoke them.
 */
export class OpenStreams implements Audience {
  readonly #gate: StreamGate;
  readonly #end: (ids: string[]) => void;
  readonly #report: (error: unknown) => void;
  readonly #open = new Map<string, Reader>();
  readonly #opening = new Set<string>();
  /**
   * Resolves when the meter has admitted the first stream. The meter would drop streams that it admitted before that
   * one, as belonging to the object's previous instance.
   */
  #first: Promise<void> | null = null;

  /** @param end ends streams, and calls `left` for each of them */
  constructor(gate: StreamGate, end: (ids: string[]) => void, report: (error: unknown) => void) {
    this.#gate = gate;
    this.#end = end;
    this.#report = report;
  }

  /** Admits a reader, and returns the id of its stream. @throws ApiError if the reader is refused */
  async enter(reader: Reader): Promise<string> {
    const id = crypto.randomUUID();
    this.#opening.add(id);
    try {
      await this.#admit({ id, reader });
      this.#open.set(id, reader);
    } finally {
      this.#opening.delete(id);
    }
    return id;
  }

  async #admit(stream: OpenStream): Promise<void> {
    if (this.#first === null) {
      this.#first = this.#gate.open(stream, true);
      return this.#first;
    }
    await this.#first.catch(() => {});
    return this.#gate.open(stream, false);
  }

  left(id: string): void {
    if (this.#open.delete(id)) this.#gate.close([id]).catch(this.#report);
  }

  /** Ends those of these streams that are open, because their readers have lost access. */
  revoke(ids: string[]): void {
    this.#end(ids.filter((id) => this.#open.has(id)));
  }

  beat(): void {
    const open = [...this.#open].map(([id, reader]) => ({ id, reader }));
    // If the meter cannot be reached, all streams continue until it can be.
    this.#gate
      .keep(open, [...this.#opening])
      .then(this.#end)
      .catch(this.#report);
  }
}
