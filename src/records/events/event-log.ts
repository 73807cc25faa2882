import { nextSweep } from "../../kernel/durable/alarm.ts";
import { MOST_OBJECT_BYTES } from "../../kernel/durable/most-object-bytes.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { type AgentIds, isWithin } from "../../kernel/scopes.ts";
import { DAY_MS, HOUR_MS } from "../../kernel/time.ts";
import { agentOf } from "./agent-of.ts";
import type { NewEvent } from "./event.ts";
import type { EventType } from "./types.ts";

/** An event as it is stored, with its data as JSON. */
export type StoredEvent = {
  [T in EventType]: { id: string; type: T; at: string; sequence: number; data: string };
}[EventType];

/** Which events to read, and from where in which direction. */
export interface Walk {
  /** The sequence number after which, or before which, reading begins. */
  from: number;
  direction: "older" | "newer";
  /** Null for all types. */
  types: readonly EventType[] | null;
  /** Only events about these agents; null for all agents. */
  agentIds: AgentIds;
  /** Only events that happened at this time (ISO 8601) or later; null for any time. */
  since: string | null;
  limit: number;
}

/** Some events in the requested order; `next` is where to continue, null at the end. */
export interface Stretch {
  events: StoredEvent[];
  next: number | null;
}

interface Dependencies {
  storage: DurableObjectStorage;
  keptDays(): Promise<number>;
  /** How many events are kept, and how many are pruned in one round. */
  mostKept?: number;
  mostPruned?: number;
  /** The size of the object's database (bytes) beyond which the oldest events are pruned. */
  mostBytes?: number;
}

/** The sequence number of the last pruned event, and the latest time (ms) at which a pruned event happened. */
interface Pruned {
  sequence: number;
  at: number;
}

/** Events are kept for at most this many days, and at most this many events are kept. */
export const MOST_DAYS = 30;
const MOST_KEPT = 5_000_000;
/** The log may exceed its limit by this share before it is pruned, so that not every new event causes a pruning. */
const BEYOND = 0.01;
const MOST_PRUNED = 5_000;
/** How long (ms) expired events may stay, so that many are deleted together. Each round of deletions reads D1. */
const PRUNE_EVERY_MS = HOUR_MS;
/** The most rows that one read scans. */
const MOST_READ = 20_000;
/** How much clocks may differ, ms. An event may arrive up to this long before the time that it states. */
const CLOCKS_DIFFER_MS = HOUR_MS;
const PRUNED = "pruned";
const KEPT_DAYS = "kept_days";
/** The columns of an event, in the order in which stream readers receive its fields. */
const COLUMNS = "id, type, at, sequence, data";

/**
 * The events of an account in the order in which they arrived, without gaps except for the oldest, which are pruned.
 * Each id is stored once. An event that happened before the latest pruned event is assumed to be stored already.
 */
export class EventLog implements ObjectPart {
  readonly #storage: DurableObjectStorage;
  readonly #deps: Required<Dependencies>;
  #isPruneDue = false;

  constructor(deps: Dependencies) {
    this.#storage = deps.storage;
    this.#deps = Object.assign({ mostKept: MOST_KEPT, mostPruned: MOST_PRUNED, mostBytes: MOST_OBJECT_BYTES }, deps);
  }

  /** The sequence number of the last event, even if it was pruned. */
  get last(): number {
    return (
      this.#sql.exec<{ last: number | null }>("SELECT max(sequence) last FROM events").one().last ??
      this.#pruned.sequence
    );
  }

  /** The oldest event that is kept. */
  get first(): StoredEvent | null {
    return this.#rows("ORDER BY sequence LIMIT 1")[0] ?? null;
  }

  /** Stores events at `now` (ms), each id once. */
  take(events: readonly NewEvent[], now: number): void {
    this.#storage.transactionSync(() => {
      let last = this.last;
      const takenAt = Math.max(now, this.#takenAt(last));
      for (const { id, type, at, data } of events) {
        if (this.isPast(Date.parse(at), now)) continue;
        const taken = this.#sql.exec(
          `INSERT INTO events (sequence, id, type, at, taken_at, data) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING RETURNING 1`,
          last + 1,
          id,
          type,
          at,
          takenAt,
          JSON.stringify(data),
        );
        last += taken.toArray().length;
      }
    });
  }

  /** Returns the sequence number of an event; null if it was never stored or was pruned. */
  sequenceOf(id: string): number | null {
    const [found] = this.#sql.exec<{ sequence: number }>("SELECT sequence FROM events WHERE id = ?", id).toArray();
    return found?.sequence ?? null;
  }

  /** Checks whether an event that happened at this time (ms) is no longer kept at `now` (ms). */
  isPast(at: number, now: number): boolean {
    return at <= Math.max(this.#pruned.at, now - this.#keptMs);
  }

  /** Checks whether an event after this sequence number was pruned, so that continuing from it would skip events. */
  hasPrunedAfter(sequence: number): boolean {
    return sequence < this.#pruned.sequence;
  }

  /** Returns the sequence number before the first event that was stored at that time (ms) or later. */
  sequenceBefore(time: number): number {
    return this.#firstTakenSince(time) - 1;
  }

  prunedAfter(sequence: number): number {
    return Math.max(0, this.#pruned.sequence - sequence);
  }

  /** Reads events. Scans a bounded number of rows and returns where to continue. */
  walk({ from, direction, types, agentIds, since, limit }: Walk): Stretch {
    const isForward = direction === "newer";
    const floor = since === null ? 0 : this.#firstTakenSince(Date.parse(since) - CLOCKS_DIFFER_MS) - 1;
    const events: StoredEvent[] = [];
    let position = isForward ? Math.max(from, floor) : from;
    let remaining = MOST_READ;
    for (;;) {
      const page = isForward
        ? this.#after(position, types, limit + 1)
        : this.#before(position, types, limit + 1).filter(({ sequence }) => sequence > floor);
      for (const event of page) {
        if (events.length === limit) return { events, next: events.at(-1)?.sequence ?? position };
        if ((since === null || event.at >= since) && isAbout(event, agentIds)) events.push(event);
        position = event.sequence;
      }
      remaining -= page.length;
      if (page.length <= limit) return { events, next: null };
      if (remaining <= 0) return { events, next: position };
    }
  }

  /**
   * Returns up to `limit` events after a sequence number, in order. Without types, reads the next `limit` sequence
   * numbers.
   */
  after(sequence: number, limit: number, types: readonly EventType[] | null): StoredEvent[] {
    if (types !== null) return this.#after(sequence, types, limit);
    return this.#rows("WHERE sequence > ? AND sequence <= ? ORDER BY sequence", sequence, sequence + limit);
  }

  #after(from: number, types: readonly EventType[] | null, limit: number): StoredEvent[] {
    if (types === null) return this.#rows("WHERE sequence > ? ORDER BY sequence LIMIT ?", from, limit);
    const sequences = types.flatMap((type) =>
      this.#sequences("type = ? AND sequence > ? ORDER BY sequence", type, from, limit),
    );
    return this.#at(sequences.sort((a, b) => a - b).slice(0, limit));
  }

  #before(from: number, types: readonly EventType[] | null, limit: number): StoredEvent[] {
    if (types === null) return this.#rows("WHERE sequence < ? ORDER BY sequence DESC LIMIT ?", from, limit);
    const sequences = types.flatMap((type) =>
      this.#sequences("type = ? AND sequence < ? ORDER BY sequence DESC", type, from, limit),
    );
    return this.#at(sequences.sort((a, b) => b - a).slice(0, limit)).reverse();
  }

  /** Returns the sequence numbers of the first events of one type, using only its index. */
  #sequences(where: string, type: EventType, from: number, limit: number): number[] {
    const sql = `SELECT sequence FROM events WHERE ${where} LIMIT ?`;
    return this.#sql
      .exec<{ sequence: number }>(sql, type, from, limit)
      .toArray()
      .map(({ sequence }) => sequence);
  }

  #at(sequences: number[]): StoredEvent[] {
    const which = "WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence";
    return this.#rows(which, JSON.stringify(sequences));
  }

  /** Finds the first event that was stored at that time (ms) or later. The times rise along the sequence. */
  #firstTakenSince(time: number): number {
    let [low, high] = [this.first?.sequence ?? 1, this.last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#takenAt(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #takenAt(sequence: number): number {
    const sql = "SELECT taken_at FROM events WHERE sequence = ?";
    return this.#sql.exec<{ taken_at: number }>(sql, sequence).toArray()[0]?.taken_at ?? 0;
  }

  /** Schedules a pruning, because the retention period may have changed. */
  retentionChanged(): void {
    this.#isPruneDue = true;
  }

  resume(): void {
    this.#isPruneDue = true;
  }

  dueAt(): number | null {
    const { first } = this;
    if (first === null) return null;
    const hasTooMany = this.last - first.sequence + 1 > this.#deps.mostKept * (1 + BEYOND);
    if (this.#isPruneDue || hasTooMany || this.#isTooLarge) return 0;
    return nextSweep(this.#takenAt(first.sequence) + this.#keptMs, PRUNE_EVERY_MS);
  }

  /** Deletes the oldest events that are due, up to one round. */
  async run(now: number): Promise<void> {
    const days = Math.min(MOST_DAYS, await this.#deps.keptDays());
    this.#isPruneDue = false;
    this.#storage.transactionSync(() => {
      if (days !== this.#keptDays) this.#storage.kv.put(KEPT_DAYS, days);
      const { first, last } = this;
      if (first === null) return;
      const tooOld = this.#firstTakenSince(now - this.#keptMs + 1) - 1;
      const due = this.#isTooLarge ? last : Math.max(tooOld, last - this.#deps.mostKept);
      const end = Math.min(due, first.sequence + this.#deps.mostPruned - 1);
      if (end >= first.sequence) this.#prune(end);
    });
  }

  #prune(end: number): void {
    const { latest } = this.#sql
      .exec<{ latest: string }>("SELECT max(at) latest FROM events WHERE sequence <= ?", end)
      .one();
    // If the clock was ahead, new events must not be mistaken for stored ones.
    const at = Math.max(this.#pruned.at, Math.min(Date.parse(latest), this.#takenAt(end)));
    this.#storage.kv.put(PRUNED, { sequence: end, at } satisfies Pruned);
    this.#sql.exec("DELETE FROM events WHERE sequence <= ?", end);
  }

  get #pruned(): Pruned {
    return this.#storage.kv.get<Pruned>(PRUNED) ?? { sequence: 0, at: 0 };
  }

  get #keptDays(): number {
    return this.#storage.kv.get<number>(KEPT_DAYS) ?? MOST_DAYS;
  }

  get #keptMs(): number {
    return this.#keptDays * DAY_MS;
  }

  get #isTooLarge(): boolean {
    return this.#sql.databaseSize > this.#deps.mostBytes;
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }

  #rows(rest: string, ...values: SqlStorageValue[]): StoredEvent[] {
    return this.#sql.exec<StoredEvent>(`SELECT ${COLUMNS} FROM events ${rest}`, ...values).toArray();
  }
}

const isAbout = ({ data }: StoredEvent, agentIds: AgentIds): boolean =>
  agentIds === null || isWithin(agentIds, agentOf(JSON.parse(data)));
