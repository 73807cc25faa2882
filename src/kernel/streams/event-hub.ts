/** The interval of the comments that keep idle connections open and detect readers that have left, ms. */
const HEARTBEAT_MS = 15_000;
/** The number of heartbeats after which a reader that accepts nothing is dropped. */
const MOST_STALLED_BEATS = 4;
/**
 * The number of events that are encoded and sent at a time. Pages begin at multiples of it, so that readers can share
 * them.
 */
const PAGE_EVENTS = 100;
/** The number of encoded pages that are cached for other readers. */
const PAGES_KEPT = 32;
/** The number of bytes that are buffered for a reader. It is small, because there may be a thousand readers. */
const AHEAD_BYTES = 32 * 1024;
/**
 * The interval between two writes to a reader, ms. Events in between are sent together, because each write is repeated
 * for up to a thousand readers.
 */
export const APART_MS = 40;

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(": keep-alive\n\n");

export interface StreamEvent {
  seq: number;
  /** The event's id for clients; by default `seq`. */
  id?: string;
  event: string;
  data: unknown;
}

/** Encodes a server-sent event (HTML Living Standard, 9.2). It has no id if clients must not store one. */
export function encodeEvent({ seq, id, event, data }: Omit<StreamEvent, "seq"> & { seq: number | null }): string {
  // The id comes last. Some clients store it as soon as they read its line, and must have the data by then in case the
  // connection breaks.
  const named = id ?? seq;
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${named === null ? "" : `id: ${named}\n`}\n`;
}

interface Reader {
  id: string;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** The reader's position: all wanted events up to this one were sent. */
  seq: number;
  /** The names of the wanted events, sorted; null for all. */
  only: readonly string[] | null;
  /** The position at the last heartbeat, and for how many heartbeats it has not moved although events were ready. */
  beat: { seq: number; stalled: number };
}

/** An encoded page of the history. */
interface Page {
  bytes: Uint8Array;
  last: number;
  /** Whether the page is complete, so that no later event belongs to it. */
  isFull: boolean;
}

export interface EventSource {
  /** Returns at most `limit` events after `seq` in order: all events, or those with these names. */
  after(seq: number, limit: number, only: readonly string[] | null): StreamEvent[];
  /**
   * Returns the end of the history, and the snapshot at that point. The data is null if streams begin without a
   * snapshot.
   */
  snapshot(): { seq: number; data: unknown };
  /** The storage of the history, which is durable when `sync` resolves. */
  storage: Pick<DurableObjectStorage, "sync">;
}

/** Callbacks that track the readers. */
export interface Audience {
  /** Called at each heartbeat, to check whether the readers still have access. */
  beat(): void;
  /** Called when a reader's stream has ended, on either side. */
  left(id: string): void;
}

/**
 * Streams an object's events to all readers. Each reads the history in pages at its own pace, so no reader loses
 * events, however fast they occur. A page is encoded once for all readers.
 */
export class EventHub {
  readonly #source: EventSource;
  readonly #audience: Audience;
  readonly #readers = new Set<Reader>();
  /** The pages by the preceding event and the wanted names. The most recently used page comes last. */
  readonly #pages = new Map<string, Page>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  /**
   * The last event that was written, and the last one that is durable. Later events are not sent yet, because after a
   * crash another event could get the same id.
   */
  #written: number;
  #durable: number;
  #settling: Promise<void> | null = null;
  /** The timer of the next send, and whether anything is waiting for it. */
  #pause: ReturnType<typeof setTimeout> | null = null;
  #changed = false;

  /** @param durable the last event of the history; all events up to it are durable */
  constructor(source: EventSource, durable: number, audience: Audience = { beat: () => {}, left: () => {} }) {
    this.#source = source;
    this.#audience = audience;
    this.#written = durable;
    this.#durable = durable;
  }

  get size(): number {
    return this.#readers.size;
  }

  /**
   * Opens a stream for a new reader. With `lastSeen` the reader first receives the events that it missed. With `only`
   * it receives just the events with these names.
   */
  open(
    lastSeen: number | null,
    id: string = crypto.randomUUID(),
    only: readonly string[] | null = null,
  ): ReadableStream<Uint8Array> {
    let reader: Reader;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { seq, data } = this.#source.snapshot();
      const resume = lastSeen !== null && lastSeen <= seq;
      const from = resume ? lastSeen : seq;
      reader = { id, controller, seq: from, only: only && [...only].sort(), beat: { seq: from, stalled: 0 } };
      this.#readers.add(reader);
      this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS);
      // The snapshot of a resumed stream has no id. The events that follow it are older, and a reader whose connection
      // breaks before it has them must request them again.
      const snapshot = data === null ? "" : encodeEvent({ seq: resume ? null : seq, event: "snapshot", data });
      controller.enqueue(encoder.encode(`retry: 2000\n\n${snapshot}`));
      this.#feed(reader);
    };
    return new ReadableStream<Uint8Array>(
      { start, pull: () => this.#feed(reader), cancel: () => this.#drop(reader) },
      new ByteLengthQueuingStrategy({ highWaterMark: AHEAD_BYTES }),
    );
  }

  /**
   * Announces that the history was written up to `seq`. Readers receive it when it is durable, which is when this
   * resolves.
   */
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
        await this.#source.storage.sync();
        this.#durable = written;
        if (this.#readers.size > 0) this.#announce();
      }
    } finally {
      this.#settling = null;
    }
  }

  /**
   * Discards encoded pages, because an erasure has changed earlier events. Readers that have not received these events
   * yet get the changed ones.
   */
  refresh(): void {
    this.#pages.clear();
  }

  /** Ends all streams, because the observed object is gone. */
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

  /** Sends new events: the first at once, and those that follow shortly after it together. */
  #announce(): void {
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

  /** Sends the reader new events while its buffer has room. It pulls the rest. */
  #feed(reader: Reader): void {
    while (reader.seq < this.#durable && this.#readers.has(reader) && (reader.controller.desiredSize ?? 0) > 0) {
      const { bytes, last } = this.#page(reader.seq, reader.only);
      reader.seq = last;
      if (bytes.length > 0) this.#send(reader, bytes);
    }
  }

  /**
   * Returns the page that follows `seq`. It contains the durable events up to the page's end, and is encoded once for
   * all readers that want the same events.
   */
  #page(seq: number, only: readonly string[] | null): Page {
    const name = `${seq} ${only ?? ""}`;
    const cachedPage = this.#pages.get(name);
    this.#pages.delete(name);
    const isCurrent = cachedPage && (cachedPage.isFull || cachedPage.last === this.#durable);
    const page = isCurrent ? cachedPage : only === null ? this.#encode(seq) : this.#encodeOnly(seq, only);
    this.#pages.set(name, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= PAGES_KEPT) break;
      this.#pages.delete(oldest);
    }
    return page;
  }

  #encode(seq: number): Page {
    const end = seq - (seq % PAGE_EVENTS) + PAGE_EVENTS;
    const last = Math.min(this.#durable, end);
    return { bytes: encode(this.#source.after(seq, last - seq, null)), last, isFull: last === end };
  }

  /** Encodes the next events with these names, however far apart they are. */
  #encodeOnly(seq: number, only: readonly string[]): Page {
    const events = this.#source.after(seq, PAGE_EVENTS, only).filter((event) => event.seq <= this.#durable);
    const isFull = events.length === PAGE_EVENTS;
    return { bytes: encode(events), last: isFull ? (events.at(-1)?.seq ?? seq) : this.#durable, isFull };
  }

  #send(reader: Reader, bytes: Uint8Array): void {
    try {
      reader.controller.enqueue(bytes);
    } catch {
      // The stream has already been closed.
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
      attempt(() => reader.controller.error(new Error("the reader is too slow")));
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

function encode(events: StreamEvent[]): Uint8Array {
  return encoder.encode(events.map(encodeEvent).join(""));
}

/** Closes a stream, and ignores the error if its reader has already closed it. */
function attempt(close: () => void): void {
  try {
    close();
  } catch {
    // The stream has already been closed.
  }
}
