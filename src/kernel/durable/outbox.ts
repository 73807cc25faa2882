import { unavailable } from "../http/errors.ts";
import { logError } from "../log.ts";
import { MINUTE_MS } from "../time.ts";
import { earliest } from "./alarm.ts";
import type { ObjectPart } from "./object-part.ts";
import { OutboxRows, type Owed } from "./outbox-rows.ts";

export { DELIVERY_ROWS, OUTBOX, type Owed } from "./outbox-rows.ts";

/** Takes rows that are owed, all or, by throwing, none. It may be handed the same row again after a crash. */
export type Deliver = (rows: Owed[]) => Promise<void>;

interface Dependencies<Destination extends string> {
  sql: SqlStorage;
  /** The destinations of rows, by name. */
  deliver: Record<Destination, Deliver>;
  /**
   * What is owed without a row in the outbox, because the object's own tables show it: when (ms) it is due, null if
   * nothing is. The destination's `deliver` finds it there, builds what is sent, and records there what was taken.
   */
  byReference?: Partial<Record<Destination, () => number | null>>;
}

/** After a failure a destination is tried again, ms; the wait doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = MINUTE_MS;
/** Retry delay for emptying an object that still has pending rows, ms. */
const DRAIN_AGAIN_MS = 5_000;

/**
 * What an object owes to others. A row is written in the transaction of the change that causes it and stays until its
 * destination has taken it, so that a crash loses nothing and may deliver twice: destinations go by the row's key or
 * revision. A row under the key of one that was not taken yet replaces it. Destinations do not wait for each other, and
 * each is delivered to by one at a time.
 */
export class Outbox<Destination extends string> implements ObjectPart {
  readonly #deps: Dependencies<Destination>;
  readonly #rows: OutboxRows<Destination>;
  readonly #failures = new Map<Destination, { count: number; notBefore: number; since: number }>();
  /** The last delivery to each destination, or other work in its turn. */
  readonly #turns = new Map<Destination, Promise<unknown>>();

  constructor(deps: Dependencies<Destination>) {
    this.#deps = deps;
    this.#rows = new OutboxRows(deps.sql);
  }

  get #destinations(): Destination[] {
    return Object.keys(this.#deps.deliver) as Destination[];
  }

  /** Adds a row, in the caller's transaction; arm the object's alarm once that is done. */
  add(destination: Destination, key: string, body: object): void {
    this.#rows.add(destination, key, body);
  }

  /** Whether anything is owed: such an object must not be emptied. */
  get owes(): boolean {
    return this.#destinations.some((name) => this.#dueAt(name) !== null);
  }

  /** How much is owed, and since when (ms) a destination has not taken it; null if each takes what it is owed. */
  get backlog(): { rows: number; since: number | null } {
    const { rows } = this.#deps.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM outbox").one();
    return { rows, since: earliest([...this.#failures.values()].map(({ since }) => since)) };
  }

  /** Whether the row of this key is still owed there. */
  holds(destination: Destination, key: string): boolean {
    const { sql } = this.#deps;
    return sql.exec("SELECT 1 FROM outbox WHERE destination = ? AND key = ?", destination, key).toArray().length > 0;
  }

  nextAt(): number | null {
    return earliest(this.#destinations.map((name) => this.#nextAt(name)));
  }

  /** Delivers what is due, a batch to each destination; a failure is logged and tried again later. */
  async round(now: number): Promise<void> {
    await Promise.all(this.#destinations.map((name) => this.roundOf(name, now)));
  }

  /**
   * Delivers a batch to this destination if that is due, and gives when (ms) to go on; for an object whose destinations
   * are driven one by one, so that a slow one holds up no other.
   */
  async roundOf(destination: Destination, now: number): Promise<number | null> {
    if ((this.#nextAt(destination) ?? Number.POSITIVE_INFINITY) <= now)
      await this.push(destination, now).catch((error: unknown) => logError("outbox", error, { destination }));
    return this.#nextAt(destination);
  }

  /** Delivers a batch to this destination at once, due or not. @throws what the destination does */
  async push(destination: Destination, now = Date.now()): Promise<void> {
    await this.inTurn(destination, () => this.#deliver(destination, now));
  }

  /** Runs work while nothing is delivered to this destination. */
  inTurn<T>(destination: Destination, work: () => Promise<T>): Promise<T> {
    const mine = (this.#turns.get(destination) ?? Promise.resolve()).then(work);
    this.#turns.set(
      destination,
      mine.catch(() => {}),
    );
    return mine;
  }

  /**
   * Runs work while nothing else is delivered, such as emptying the object: `drain` first delivers everything owed by
   * then, or throws an ApiError 503, because an unreachable destination comes back.
   */
  async alone<T>(work: (drain: () => Promise<void>) => Promise<T>): Promise<T> {
    const drain = async () => {
      while (this.owes) await settled(this.#destinations.map((name) => this.#drain(name)));
    };
    const nested = this.#destinations.reduce<() => Promise<T>>(
      (inner, name) => () => this.inTurn(name, inner),
      () => work(drain),
    );
    return nested();
  }

  async #drain(destination: Destination): Promise<void> {
    try {
      await this.#deliver(destination, Date.now());
    } catch (error) {
      logError("outbox", error, { destination });
      throw unavailable("not_delivered", "not all that happened is on record yet; try again", DRAIN_AGAIN_MS);
    }
  }

  async #deliver(destination: Destination, now: number): Promise<void> {
    if (this.#dueAt(destination) === null) return;
    const rows = this.#rows.has(destination) ? this.#rows.first(destination) : [];
    try {
      await this.#deps.deliver[destination](rows);
    } catch (error) {
      this.#noteFailure(destination, now);
      throw error;
    }
    this.#failures.delete(destination);
    this.#rows.remove(rows);
  }

  #noteFailure(destination: Destination, now: number): void {
    const { count, notBefore, since } = this.#failures.get(destination) ?? { count: 0, notBefore: 0, since: now };
    // A delivery that was requested early does not delay the others.
    if (now < notBefore) return;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
    this.#failures.set(destination, { count: count + 1, notBefore: now + wait, since });
  }

  /** When (ms) what is owed to the destination is due; null if nothing is. */
  #dueAt(destination: Destination): number | null {
    if (this.#rows.has(destination)) return 0;
    return this.#deps.byReference?.[destination]?.() ?? null;
  }

  #nextAt(destination: Destination): number | null {
    const dueAt = this.#dueAt(destination);
    return dueAt === null ? null : Math.max(dueAt, this.#failures.get(destination)?.notBefore ?? 0);
  }
}

/** Waits for all of them even if one fails. @throws the first error */
async function settled(all: Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === "rejected") throw one.reason;
}
