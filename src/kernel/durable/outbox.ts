import { unavailable } from "../http/errors.ts";
import { logError } from "../log.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../time.ts";
import { type After, withinTime } from "../time-limit.ts";
import { earliest } from "./alarm.ts";
import type { ObjectPart } from "./object-part.ts";
import { DELIVERY_ROWS, type OutboxRow, OutboxRows, type Owed, type OwedRows } from "./outbox-rows.ts";

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
  byReference?: Partial<Record<Destination, Pick<ObjectPart, "dueAt">>>;
  /** When the object was built, ms; now by default. */
  builtAt?: number;
  /** The timer that ends a delivery; the runtime's own by default. */
  after?: After;
}

/** After a failure a destination is tried again, ms; the wait doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = MINUTE_MS;
/**
 * The longest delivery, ms. One that takes longer counts as failed, even if its destination takes the rows later: an
 * object's next alarm comes only after this one has ended.
 */
export const LONGEST_DELIVERY_MS = MINUTE_MS;
/** The same of a row that is tried alone, ms. */
const LONGEST_TRY_MS = 5 * SECOND_MS;
/** Retry delay for emptying an object that still has pending rows, ms. */
const DRAIN_AGAIN_MS = 5_000;
const NO_ROWS: OwedRows = { isWaiting: false, parkedAt: null };
/** A row that its destination has refused for this long is parked, and tried again this often, ms. */
const PARKED_AFTER_MS = DAY_MS;
/** How many rows are tried one by one from each end, to tell a refused row from a destination that is away. */
const TRIED_ALONE = 10;

/**
 * What an object owes to others. A row is written in the transaction of the change that causes it and stays until its
 * destination has taken it, so that a crash loses nothing and may deliver twice: destinations go by the row's key or
 * revision. A row under the key of one that was not taken yet replaces it. Destinations do not wait for each other, and
 * each is delivered to by one at a time.
 *
 * A batch that fails is halved until the row that fails is alone. Once its destination has refused it for a day while it
 * takes others, it is parked: it no longer holds up the rows behind it, is still owed, and is tried again every day and
 * whenever the object is built.
 */
export class Outbox<Destination extends string> implements ObjectPart {
  readonly #deps: Dependencies<Destination>;
  readonly #rows: OutboxRows<Destination>;
  readonly #failures = new Map<Destination, { count: number; notBefore: number; since: number }>();
  /** The last delivery to each destination, or other work in its turn. */
  readonly #turns = new Map<Destination, Promise<unknown>>();
  /** Most rows of the next delivery, where a failure has made it fewer. */
  readonly #batchSizes = new Map<Destination, number>();
  /** Parked rows last tried before this are due, ms: those of an earlier life of the object at once. */
  readonly #builtAt: number;

  constructor(deps: Dependencies<Destination>) {
    this.#deps = deps;
    this.#rows = new OutboxRows(deps.sql);
    this.#builtAt = deps.builtAt ?? Date.now();
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
    const owed = this.#rows.owed(this.#destinations);
    return this.#destinations.some((name) => this.#dueAt(name, owed) !== null);
  }

  /** How much is owed, and since when (ms) a destination has not taken it; null if each takes what it is owed. */
  get backlog(): { rows: number; parked: number; since: number | null } {
    const query = "SELECT count(*) AS rows, count(parked_at) AS parked FROM outbox";
    const { rows, parked } = this.#deps.sql.exec<{ rows: number; parked: number }>(query).one();
    return { rows, parked, since: earliest([...this.#failures.values()].map(({ since }) => since)) };
  }

  /** Whether the row of this key is still owed there. */
  holds(destination: Destination, key: string): boolean {
    const { sql } = this.#deps;
    return sql.exec("SELECT 1 FROM outbox WHERE destination = ? AND key = ?", destination, key).toArray().length > 0;
  }

  dueAt(): number | null {
    return this.#nextAt(this.#destinations);
  }

  /** Delivers what is due, a batch to each destination; a failure is logged and tried again later. */
  async run(now: number): Promise<void> {
    const owed = this.#rows.owed(this.#destinations);
    const due = this.#destinations.filter((name) => (this.#notBefore(name, owed) ?? Number.POSITIVE_INFINITY) <= now);
    await Promise.all(due.map((name) => this.#try(name, now)));
  }

  /** The deliveries to one destination as a part of their own, so that a slow one holds up no other. */
  to(destination: Destination): ObjectPart {
    return {
      dueAt: () => this.#nextAt([destination]),
      run: (now) => this.#try(destination, now),
    };
  }

  async #try(destination: Destination, now: number): Promise<void> {
    await this.push(destination, now).catch((error: unknown) => logError("outbox", error, { destination }));
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
    return nested().finally(() => this.#rows.mayBeGone());
  }

  /** Delivers everything that is owed to this destination. @throws ApiError 503 if it does not take it */
  async drain(destination: Destination): Promise<void> {
    await this.inTurn(destination, async () => {
      while (this.#owes(destination)) await this.#drain(destination);
    });
  }

  async #drain(destination: Destination): Promise<void> {
    try {
      await this.#deliver(destination, Date.now());
      const parked = this.#rows.parked(destination, Number.MAX_SAFE_INTEGER, TRIED_ALONE);
      if ((await this.#tryEach(destination, parked)).length > 0) throw new Error("a parked row was refused again");
    } catch (error) {
      logError("outbox", error, { destination });
      throw unavailable("not_delivered", "not all that happened is on record yet; try again", DRAIN_AGAIN_MS);
    }
  }

  async #deliver(destination: Destination, now: number): Promise<void> {
    const owed = this.#rows.owed([destination]).get(destination);
    if (owed && owed.parkedAt !== null) await this.#retryParked(destination, now);
    const most = this.#batchSizes.get(destination) ?? DELIVERY_ROWS;
    const rows = owed?.isWaiting ? this.#rows.first(destination, most) : [];
    if (rows.length === 0 && this.#referredAt(destination) === null) return;
    try {
      await this.#give(destination, rows);
    } catch (error) {
      this.#rows.noteRefused(rows, now);
      this.#batchSizes.set(destination, Math.max(1, Math.floor(rows.length / 2)));
      if (rows.length === 1 && (await this.#park(destination, now)) > 0) return void this.#failures.delete(destination);
      this.#noteFailure(destination, now);
      throw error;
    }
    this.#failures.delete(destination);
    if (most < DELIVERY_ROWS) this.#batchSizes.set(destination, most * 2);
    else this.#batchSizes.delete(destination);
    this.#rows.remove(rows);
  }

  /**
   * Parks the rows that the destination has refused for long enough while it takes others; gives how many. If it takes
   * none at all it is away, and every row waits for it.
   */
  async #park(destination: Destination, now: number): Promise<number> {
    const isOld = ({ refused_at }: OutboxRow) => refused_at !== null && now - refused_at >= PARKED_AFTER_MS;
    if (!this.#rows.first(destination, 1).some(isOld)) return 0;
    const rows = this.#rows.ends(destination, TRIED_ALONE);
    const refused = await this.#tryEach(destination, rows);
    this.#rows.noteRefused(refused, now);
    const parked = refused.length === rows.length ? [] : refused.filter(isOld);
    this.#rows.park(parked, now);
    for (const { key } of parked)
      logError("outbox", new Error("a row that was refused for a day is parked"), { destination, key });
    return parked.length;
  }

  /** Tries parked rows that are due: those not tried for a day, and those last tried in an earlier life of the object. */
  async #retryParked(destination: Destination, now: number): Promise<void> {
    const rows = this.#rows.parked(destination, Math.max(this.#builtAt, now - PARKED_AFTER_MS + 1), TRIED_ALONE);
    if (rows.length === 0) return;
    // Noted before they are tried, so that one that brings the object down is not tried at every alarm.
    this.#rows.park(rows, now);
    await this.#tryEach(destination, rows);
  }

  /** Delivers rows one by one; gives those that were not taken. */
  async #tryEach(destination: Destination, rows: OutboxRow[]): Promise<OutboxRow[]> {
    const refused: OutboxRow[] = [];
    for (const row of rows) {
      try {
        await this.#give(destination, [row], LONGEST_TRY_MS);
        this.#rows.remove([row]);
      } catch {
        refused.push(row);
      }
    }
    return refused;
  }

  async #give(destination: Destination, rows: Owed[], ms = LONGEST_DELIVERY_MS): Promise<void> {
    const { deliver, after } = this.#deps;
    await withinTime(deliver[destination](rows), ms, after);
  }

  #noteFailure(destination: Destination, now: number): void {
    const { count, notBefore, since } = this.#failures.get(destination) ?? { count: 0, notBefore: 0, since: now };
    // A delivery that was requested early does not delay the others.
    if (now < notBefore) return;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
    this.#failures.set(destination, { count: count + 1, notBefore: now + wait, since });
  }

  #owes(destination: Destination): boolean {
    return this.#dueAt(destination, this.#rows.owed([destination])) !== null;
  }

  /** When (ms) what is owed to the destination is due; null if nothing is. */
  #dueAt(destination: Destination, owed: Map<Destination, OwedRows>): number | null {
    const { isWaiting, parkedAt } = owed.get(destination) ?? NO_ROWS;
    if (isWaiting) return 0;
    const referredAt = this.#referredAt(destination);
    if (parkedAt === null) return referredAt;
    return earliest([referredAt, parkedAt < this.#builtAt ? 0 : parkedAt + PARKED_AFTER_MS]);
  }

  /** When (ms) what is owed without a row is due; null if nothing is. */
  #referredAt(destination: Destination): number | null {
    return this.#deps.byReference?.[destination]?.dueAt() ?? null;
  }

  /** The same, no earlier than a destination that fails is tried again. */
  #notBefore(destination: Destination, owed: Map<Destination, OwedRows>): number | null {
    const dueAt = this.#dueAt(destination, owed);
    return dueAt === null ? null : Math.max(dueAt, this.#failures.get(destination)?.notBefore ?? 0);
  }

  /** When (ms) the first of these destinations is delivered to next; null if none is owed anything. */
  #nextAt(destinations: Destination[]): number | null {
    const owed = this.#rows.owed(destinations);
    let next: number | null = null;
    for (const destination of destinations) {
      const at = this.#notBefore(destination, owed);
      if (at !== null) next = Math.min(next ?? at, at);
    }
    return next;
  }
}

/** Waits for all of them even if one fails. @throws the first error */
async function settled(all: Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === "rejected") throw one.reason;
}
