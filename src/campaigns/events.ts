/** Bytes a reader may lie behind before it is dropped; it comes back with Last-Event-ID and misses nothing. */
const MAX_BEHIND = 1024 * 1024;
/** Ms between comments that keep idle connections open and show which readers have left. */
const HEARTBEAT = 15_000;
/** Events encoded and sent at a time. Pages of the history begin at its multiples, so that readers can share them. */
const PAGE = 100;
/** Encoded pages kept for others who come back at the same time. */
const PAGES_KEPT = 32;
/** Bytes of history sent ahead of a reader. It may have them for itself, times a thousand readers: keep it small. */
const AHEAD = 32 * 1024;
/** Ms between two sendings to a reader. What happens meanwhile goes out together: a thousand readers cost a write each. */
export const APART = 40;

const encoder = new TextEncoder();

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
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** The last event it was sent. */
  seq: number;
  /** Whether it has caught up with the history and takes events as they happen. */
  live: boolean;
}

/** Some history, encoded. */
interface Page {
  bytes: Uint8Array;
  /** Its last event, null where it has none. */
  last: number | null;
  /** There may be more behind it. */
  more: boolean;
}

/** What the hub asks of the campaign. */
export interface EventSource {
  /** Events after `seq` in order, at most `limit`. */
  after(seq: number, limit: number): StreamEvent[];
  /** Where the history stands, and the campaign as it is then. */
  snapshot(): { seq: number; data: unknown };
}

/** Sends a campaign's events to everybody who watches: each is encoded once, however many there are. */
export class EventHub {
  readonly #source: EventSource;
  readonly #readers = new Set<Reader>();
  /** Whole pages by the event before them, the latest used last. */
  readonly #pages = new Map<number, Page>();
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  /** Events that are encoded and not sent yet, and when they will be. */
  #held: { text: string; seq: number }[] = [];
  #sending: ReturnType<typeof setTimeout> | null = null;

  constructor(source: EventSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#readers.size;
  }

  /** A stream for a new reader; with `lastSeen` it first gets what it missed since then. */
  open(lastSeen: number | null): ReadableStream<Uint8Array> {
    let reader: Reader;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { seq, data } = this.#source.snapshot();
      const resume = lastSeen !== null && lastSeen <= seq;
      reader = { controller, seq: resume ? lastSeen : seq, live: false };
      this.#readers.add(reader);
      this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT);
      // The snapshot of a resumed stream has no id: what comes next is older than it, and a reader that is cut off
      // meanwhile must ask for it again.
      const snapshot = encodeEvent({ seq: resume ? null : seq, event: "snapshot", data });
      controller.enqueue(encoder.encode(`retry: 2000\n\n${snapshot}`));
      this.#catchUp(reader);
    };
    return new ReadableStream<Uint8Array>(
      { start, pull: () => this.#catchUp(reader), cancel: () => this.#drop(reader) },
      new ByteLengthQueuingStrategy({ highWaterMark: AHEAD }),
    );
  }

  /** Sends events that just happened, in order: the first at once, what follows closely together. */
  publish(events: StreamEvent[]): void {
    if (events.length === 0 || this.#readers.size === 0) return;
    for (const event of events) this.#held.push({ text: encodeEvent(event), seq: event.seq });
    if (this.#sending !== null) return;
    this.#sendHeld();
    const next = () => {
      this.#sending = this.#held.length === 0 ? null : setTimeout(next, APART);
      this.#sendHeld();
    };
    this.#sending = setTimeout(next, APART);
  }

  /**
   * Readers queue the very same bytes; only the piece on its way to a reader is copied for it, and so the pieces are
   * small.
   */
  #sendHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (let from = 0; from < held.length; from += PAGE) {
      const piece = held.slice(from, from + PAGE);
      const bytes = encoder.encode(piece.map(({ text }) => text).join(""));
      const seq = piece.at(-1)?.seq ?? 0;
      for (const reader of this.#readers) if (reader.live) this.#send(reader, bytes, seq);
    }
  }

  /** Ends every stream, because the campaign is gone. */
  close(): void {
    this.#sendHeld();
    for (const reader of [...this.#readers]) {
      this.#drop(reader);
      attempt(() => reader.controller.close());
    }
  }

  /** Sends history a page at a time, as the reader takes it, until it has caught up. */
  #catchUp(reader: Reader): void {
    // What is held back is part of the history that is read here: it must not come again.
    if (!reader.live) this.#sendHeld();
    while (!reader.live && this.#readers.has(reader) && (reader.controller.desiredSize ?? 0) > 0) {
      const { bytes, last, more } = this.#page(reader.seq);
      if (last !== null) this.#send(reader, bytes, last);
      if (!more) reader.live = true;
    }
  }

  /** History after `seq`, to the end of its page. A whole page never changes: it is encoded once for all who want it. */
  #page(seq: number): Page {
    const kept = this.#pages.get(seq);
    if (kept) {
      this.#pages.delete(seq);
      this.#pages.set(seq, kept);
      return kept;
    }
    const room = PAGE - (seq % PAGE);
    const events = this.#source.after(seq, room);
    const bytes = encoder.encode(events.map(encodeEvent).join(""));
    const page = { bytes, last: events.at(-1)?.seq ?? null, more: events.length === room };
    if (events.length === PAGE) {
      this.#pages.set(seq, page);
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= PAGES_KEPT) break;
        this.#pages.delete(oldest);
      }
    }
    return page;
  }

  #send(reader: Reader, bytes: Uint8Array, seq: number): void {
    try {
      // Judged by what it has left lying before, so that no single piece, however large, can keep it from ever catching up.
      if ((reader.controller.desiredSize ?? 0) < -MAX_BEHIND) throw new Error("the reader is too far behind");
      reader.controller.enqueue(bytes);
      reader.seq = seq;
    } catch (error) {
      this.#drop(reader);
      attempt(() => reader.controller.error(error));
    }
  }

  #beat(): void {
    const comment = encoder.encode(": keep-alive\n\n");
    for (const reader of this.#readers) this.#send(reader, comment, reader.seq);
  }

  #drop(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#pages.clear();
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    if (this.#sending !== null) clearTimeout(this.#sending);
    this.#sending = null;
    this.#held = [];
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
