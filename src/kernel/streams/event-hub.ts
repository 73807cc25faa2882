/** Ms between comments that keep idle connections open and show which readers have left. */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing of what is ready for it for this many heartbeats is dropped. */
const MOST_STALLED_BEATS = 4;
/** Events encoded and sent at a time. Pages of the history begin at its multiples, so that readers can share them. */
const PAGE_EVENTS = 100;
/** Encoded pages kept for others who want them soon. */
const PAGES_KEPT = 32;
/** Bytes sent ahead of a reader. It may have them for itself, times a thousand readers: keep it small. */
const AHEAD_BYTES = 32 * 1024;
/** Ms between two writes to a reader. Events in between are sent together: a thousand readers cost a write each. */
export const APART_MS = 40;

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(": keep-alive\n\n");

export interface StreamEvent {
  seq: number;
  event: string;
  data: unknown;
}

/** One server-sent event (HTML Living Standard, 9.2), without an id where none is to be kept. */
export function encodeEvent({ seq, event, data }: Omit<StreamEvent, "seq"> & { seq: number | null }): string {
  // The id comes last: some clients keep it on reading its line, and must have the data by then if they are cut off.
  const id = seq === null ? "" : `id: ${seq}\n`;
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${id}\n`;
}

interface Reader {
  id: string;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** The last event it was sent. */
  seq: number;
  /** Where it stood at the last heartbeat, and for how many of them it has stood there with something left to take. */
  beat: { seq: number; stalled: number };
}

/** Some history, encoded. */
interface Page {
  bytes: Uint8Array;
  /** Its last event. */
  last: number;
}

/** What the hub asks of whose events it sends. */
export interface EventSource {
  /** Events after `seq` in order, at most `limit`. */
  after(seq: number, limit: number): StreamEvent[];
  /** Where the history stands, and what it is the history of as it is then. */
  snapshot(): { seq: number; data: unknown };
  /** Resolves when all that was written is durable. */
  durable(): Promise<void>;
}

/** Who keeps account of the readers. */
export interface Audience {
  /** A heartbeat: time to look whether all of them may still read. */
  beat(): void;
  /** The reader's stream is over, whoever ended it. */
  left(id: string): void;
}

/**
 * Sends an object's events to everybody who watches, from its history, a page at a time, as fast as each takes them: no
 * reader is outrun, however much happens at once. A page is encoded once, however many readers want it.
 */
export class EventHub {
  readonly #source: EventSource;
  readonly #audience: Audience;
  readonly #readers = new Set<Reader>();
  /** Pages by the event before them, the latest used last. */
  readonly #pages = new Map<number, Page>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  /** The last event that was written, and the last that is durable: a crash could give the id of one beyond to another. */
  #written: number;
  #durable: number;
  #settling: Promise<void> | null = null;
  /** Runs while the next sending has to wait, and whether there is something to send by then. */
  #pause: ReturnType<typeof setTimeout> | null = null;
  #changed = false;

  /** @param durable the last event of the history, all of which is durable */
  constructor(source: EventSource, durable: number, audience: Audience = { beat: () => {}, left: () => {} }) {
    this.#source = source;
    this.#audience = audience;
    this.#written = durable;
    this.#durable = durable;
  }

  get size(): number {
    return this.#readers.size;
  }

  /** A stream for a new reader; with `lastSeen` it first gets what it missed since then. */
  open(lastSeen: number | null, id: string = crypto.randomUUID()): ReadableStream<Uint8Array> {
    let reader: Reader;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { seq, data } = this.#source.snapshot();
      const resume = lastSeen !== null && lastSeen <= seq;
      const from = resume ? lastSeen : seq;
      reader = { id, controller, seq: from, beat: { seq: from, stalled: 0 } };
      this.#readers.add(reader);
      this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS);
      // The snapshot of a resumed stream has no id: what comes next is older than it, and a reader that is cut off
      // meanwhile must ask for it again.
      const snapshot = encodeEvent({ seq: resume ? null : seq, event: "snapshot", data });
      controller.enqueue(encoder.encode(`retry: 2000\n\n${snapshot}`));
      this.#feed(reader);
    };
    return new ReadableStream<Uint8Array>(
      { start, pull: () => this.#feed(reader), cancel: () => this.#drop(reader) },
      new ByteLengthQueuingStrategy({ highWaterMark: AHEAD_BYTES }),
    );
  }

  /** The history was written up to `seq`: readers hear of it once it is durable, which it is when this resolves. */
  async publish(seq: number): Promise<void> {
    this.#written = seq;
    if (this.#durable >= seq) return;
    this.#settling ??= this.#settle();
    await this.#settling;
  }

  async #settle(): Promise<void> {
    try {
      while (this.#durable < this.#written) {
        const written = this.#written;
        await this.#source.durable();
        this.#durable = written;
        this.#announce();
      }
    } finally {
      this.#settling = null;
    }
  }

  /** Ends every stream, because what they watch is gone. */
  close(): void {
    this.#feedAll();
    this.#end([...this.#readers]);
  }

  /** Ends the streams of these readers. */
  end(ids: string[]): void {
    this.#end([...this.#readers].filter(({ id }) => ids.includes(id)));
  }

  #end(readers: Reader[]): void {
    for (const reader of readers) {
      this.#drop(reader);
      attempt(() => reader.controller.close());
    }
  }

  /** Sends what is new: the first at once, what follows closely together. */
  #announce(): void {
    if (this.#readers.size === 0) return;
    this.#changed = true;
    if (this.#pause !== null) return;
    const send = () => {
      this.#pause = this.#changed ? setTimeout(send, APART_MS) : null;
      this.#changed = false;
      this.#feedAll();
    };
    send();
  }

  #feedAll(): void {
    for (const reader of this.#readers) this.#feed(reader);
  }

  /** Sends the reader what it has not had yet, as far as it takes it; it asks for more by itself. */
  #feed(reader: Reader): void {
    while (reader.seq < this.#durable && this.#readers.has(reader) && (reader.controller.desiredSize ?? 0) > 0) {
      const { bytes, last } = this.#page(reader.seq);
      reader.seq = last;
      this.#send(reader, bytes);
    }
  }

  /** History after `seq`, to the end of its page or as far as it is durable; encoded once for all who want it. */
  #page(seq: number): Page {
    const last = Math.min(this.#durable, seq - (seq % PAGE_EVENTS) + PAGE_EVENTS);
    const kept = this.#pages.get(seq);
    this.#pages.delete(seq);
    const page = kept?.last === last ? kept : { bytes: this.#encode(seq, last), last };
    this.#pages.set(seq, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= PAGES_KEPT) break;
      this.#pages.delete(oldest);
    }
    return page;
  }

  #encode(seq: number, last: number): Uint8Array {
    return encoder.encode(
      this.#source
        .after(seq, last - seq)
        .map(encodeEvent)
        .join(""),
    );
  }

  #send(reader: Reader, bytes: Uint8Array): void {
    try {
      reader.controller.enqueue(bytes);
    } catch {
      // Its stream is over already.
      this.#drop(reader);
    }
  }

  #beat(): void {
    this.#audience.beat();
    for (const reader of this.#readers) {
      const idle = (reader.controller.desiredSize ?? 0) > 0;
      const stalled = idle || reader.seq !== reader.beat.seq ? 0 : reader.beat.stalled + 1;
      reader.beat = { seq: reader.seq, stalled };
      if (idle) this.#send(reader, KEEP_ALIVE);
      if (stalled < MOST_STALLED_BEATS) continue;
      this.#drop(reader);
      attempt(() => reader.controller.error(new Error("the reader does not keep up")));
    }
  }

  #drop(reader: Reader): void {
    if (this.#readers.delete(reader)) this.#audience.left(reader.id);
    if (this.#readers.size > 0) return;
    this.#pages.clear();
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#changed = false;
  }
}

/** Closing a stream its reader has already closed throws, and means nothing. */
function attempt(close: () => void): void {
  try {
    close();
  } catch {
    // It is closed, which is what was wanted.
  }
}
