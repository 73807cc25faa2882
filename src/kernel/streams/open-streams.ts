import type { Reader } from "../http/pass.ts";
import type { Audience } from "./event-hub.ts";

/** A stream and who reads it. */
export interface OpenStream {
  id: string;
  reader: Reader;
}

/** The account's meter, as far as an object's streams need it. */
export interface StreamGate {
  /**
   * The `first` of this life of the object: what an earlier one had open is over.
   * @throws ApiError where as many as there may be are open
   */
  open(stream: OpenStream, first: boolean): Promise<void>;
  /** Renews the open streams, beside those being opened; returns those to end. */
  keep(open: OpenStream[], opening: string[]): Promise<string[]>;
  close(ids: string[]): Promise<void>;
}

/**
 * An object's open streams: the account's meter admits each, is notified of all at every heartbeat and of each one's end,
 * and revokes them.
 */
export class OpenStreams implements Audience {
  readonly #gate: StreamGate;
  readonly #end: (ids: string[]) => void;
  readonly #report: (error: unknown) => void;
  readonly #open = new Map<string, Reader>();
  readonly #opening = new Set<string>();
  /** Resolves when the meter has the first one: if others came before it, the meter would drop them as an earlier life's. */
  #first: Promise<void> | null = null;

  /** @param end ends streams, and calls `left` for each */
  constructor(gate: StreamGate, end: (ids: string[]) => void, report: (error: unknown) => void) {
    this.#gate = gate;
    this.#end = end;
    this.#report = report;
  }

  /** Admits a reader and returns the id of its stream. @throws ApiError if refused */
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

  /** Ends those of these streams that are open, because their readers may not stay. */
  revoke(ids: string[]): void {
    this.#end(ids.filter((id) => this.#open.has(id)));
  }

  beat(): void {
    const open = [...this.#open].map(([id, reader]) => ({ id, reader }));
    // If the gate cannot be reached, all streams continue until it can.
    this.#gate
      .keep(open, [...this.#opening])
      .then(this.#end)
      .catch(this.#report);
  }
}
