import type { Reader } from "../http/pass.ts";
import type { Audience } from "./event-hub.ts";

/** What the account's gate says of an object's streams. */
export interface StreamGate {
  /**
   * The `first` of this life of the object: what an earlier one had open is over.
   * @throws ApiError where as many as there may be are open
   */
  open(id: string, first: boolean): Promise<void>;
  /** Of the streams that are open, beside those being asked for: which are to end. */
  look(open: { id: string; reader: Reader }[], asked: string[]): Promise<string[]>;
  close(ids: string[]): Promise<void>;
}

/**
 * An object's open streams: the account's gate lets each in, is asked about all of them at every heartbeat, and is
 * told when one is over.
 */
export class OpenStreams implements Audience {
  readonly #gate: StreamGate;
  readonly #end: (ids: string[]) => void;
  readonly #report: (error: unknown) => void;
  readonly #open = new Map<string, Reader>();
  readonly #asked = new Set<string>();
  /** Resolves when the gate has heard of the first: the others wait, or it would take them for an earlier life's. */
  #first: Promise<void> | null = null;

  /** @param end ends streams, and says of each that it has left */
  constructor(gate: StreamGate, end: (ids: string[]) => void, report: (error: unknown) => void) {
    this.#gate = gate;
    this.#end = end;
    this.#report = report;
  }

  /** Admits a reader and returns the id of its stream. @throws ApiError if refused */
  async enter(reader: Reader): Promise<string> {
    const id = crypto.randomUUID();
    this.#asked.add(id);
    try {
      await this.#ask(id);
      this.#open.set(id, reader);
    } finally {
      this.#asked.delete(id);
    }
    return id;
  }

  async #ask(id: string): Promise<void> {
    if (this.#first === null) {
      this.#first = this.#gate.open(id, true);
      return this.#first;
    }
    await this.#first.catch(() => {});
    return this.#gate.open(id, false);
  }

  left(id: string): void {
    if (this.#open.delete(id)) this.#gate.close([id]).catch(this.#report);
  }

  beat(): void {
    const open = [...this.#open].map(([id, reader]) => ({ id, reader }));
    // If the gate cannot be reached, all streams continue until it can.
    this.#gate
      .look(open, [...this.#asked])
      .then(this.#end)
      .catch(this.#report);
  }
}
