import type { Audience } from "./events.ts";

/** What the account's gate says of streams; `W` tells who reads. */
export interface StreamGate<W> {
  /** @throws ApiError where there are as many as there may be */
  open(id: string): Promise<void>;
  /** Those that are open, and those being asked for; gives which are to end. */
  look(open: { id: string; reader: W }[], asked: string[]): Promise<string[]>;
  close(ids: string[]): Promise<void>;
}

/**
 * The campaign's open streams: each was let in by the account's gate, which is asked about all of them at every
 * heartbeat, and is told when one is over.
 */
export class OpenStreams<W> implements Audience {
  readonly #gate: StreamGate<W>;
  readonly #end: (ids: string[]) => void;
  readonly #report: (error: unknown) => void;
  readonly #open = new Map<string, W>();
  readonly #asked = new Set<string>();

  /** @param end ends streams; each of them then leaves */
  constructor(gate: StreamGate<W>, end: (ids: string[]) => void, report: (error: unknown) => void) {
    this.#gate = gate;
    this.#end = end;
    this.#report = report;
  }

  /** Lets a reader in; gives the id of its stream. @throws ApiError where it may not */
  async enter(reader: W): Promise<string> {
    const id = crypto.randomUUID();
    this.#asked.add(id);
    try {
      await this.#gate.open(id);
      this.#open.set(id, reader);
    } finally {
      this.#asked.delete(id);
    }
    return id;
  }

  left(id: string): void {
    if (this.#open.delete(id)) this.#gate.close([id]).catch(this.#report);
  }

  beat(): void {
    const open = [...this.#open].map(([id, reader]) => ({ id, reader }));
    // Where the gate cannot tell, all go on until it can.
    this.#gate
      .look(open, [...this.#asked])
      .then(this.#end)
      .catch(this.#report);
  }
}
