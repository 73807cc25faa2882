import { unavailable } from "../http/errors.ts";
import { logError } from "../log.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../time.ts";
import { type After, withinTime } from "../time-limit.ts";
import { earliest } from "./alarm.ts";
import type { ObjectPart } from "./object-part.ts";
import { DELIVERY_ROWS, type OutboxRow, OutboxRows, type Owed } from "./outbox-rows.ts";

export { DELIVERY_ROWS, OUTBOX, type Owed } from "./outbox-rows.ts";

/** Delivers all rows, or throws and delivers none. After a crash, a row may be delivered again. */
export type Deliver = (rows: Owed[]) => Promise<void>;

interface Dependencies<Destination extends string> {
  sql: SqlStorage;
  deliver: Record<Destination, Deliver>;
  /**
   * Destinations whose messages are derived from the object's own tables instead of outbox rows. `dueAt` returns when
   * (ms) the next message is due; null if none is. Their `deliver` reads the tables and records there what was
   * delivered.
   */
  byReference?: Partial<Record<Destination, { dueAt(): number | null }>>;
  /** When the object was built (ms); by default now. */
  builtAt?: number;
  /** The timer that ends a delivery; by default the runtime's own. */
  after?: After;
}

/** The retry delay after a failure, ms. It doubles up to the maximum. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = MINUTE_MS;
/**
 * The maximum duration of a delivery, ms. A longer one counts as failed even if its destination accepts the rows later,
 * because the object's next alarm must wait for it.
 */
export const LONGEST_DELIVERY_MS = MINUTE_MS;
/** The maximum duration of delivering a single row, ms. */
const LONGEST_TRY_MS = 5 * SECOND_MS;
/** The retry delay for emptying an object that still has pending rows, ms. */
const DRAIN_AGAIN_MS = 5_000;
/** After this time, a row that its destination keeps refusing is parked, and retried at this interval, ms. */
const PARKED_AFTER_MS = DAY_MS;
/**
 * The number of rows at each end that are tried one by one, to distinguish refused rows from an unavailable
 * destination.
 */
const TRIED_ALONE = 10;

/**
 * The messages that an object owes to others. A row is written in the transaction of the change that causes it, and
 * stays until its destination has accepted it. A crash loses no message but may deliver one twice, so destinations
 * deduplicate by key or revision. A row replaces an undelivered one with the same key. Deliveries to one destination
 * run one at a time, and don't wait for other destinations.
 *
 * A failing batch is halved until the failing row is alone. A row that its destination refuses for a day while it
 * accepts others is parked: it no longer blocks the rows behind it, and is retried every day and whenever the object is
 * built.
 */
export class Outbox<Destination extends string> implements ObjectPart {
  readonly #deps: Dependencies<Destination>;
  readonly #rows: OutboxRows<Destination>;
  readonly #failures = new Map<Destination, { count: number; notBefore: number; since: number }>();
  /** The last delivery to each destination, or other work that runs in its turn. */
  readonly #turns = new Map<Destination, Promise<unknown>>();
  /** When (ms) deliveries start, cached for all parts of the outbox that are asked at the same time. */
  #answer: { asking: object; startsAt: Map<Destination, number> } | null = null;
  /** The reduced batch size of destinations after a failure. */
  readonly #batchSizes = new Map<Destination, number>();
  /**
   * Parked rows that were last tried before this time (ms) are retried at once. These are the rows from before the
   * object was rebuilt.
   */
  readonly #builtAt: number;

  constructor(deps: Dependencies<Destination>) {
    this.#deps = deps;
    this.#rows = new OutboxRows(deps.sql);
    this.#builtAt = deps.builtAt ?? Date.now();
  }

  get #destinations(): Destination[] {
    return Object.keys(this.#deps.deliver) as Destination[];
  }

  /** Adds a row within the caller's transaction. Set the object's alarm afterwards. */
  add(destination: Destination, key: string, body: object): void {
    this.#rows.add(destination, key, body);
  }

  /** Whether anything must still be delivered. If so, the object must not be emptied. */
  get owes(): boolean {
    return this.#dueAts(this.#destinations).size > 0;
  }

  /** The number of rows, and since when (ms) a destination has been failing; null if none is. */
  get backlog(): { rows: number; parked: number; since: number | null } {
    const query = "SELECT count(*) AS rows, count(parked_at) AS parked FROM outbox";
    const { rows, parked } = this.#deps.sql.exec<{ rows: number; parked: number }>(query).one();
    return { rows, parked, since: earliest([...this.#failures.values()].map(({ since }) => since)) };
  }

  /** Checks whether the row with this key must still be delivered. */
  holds(destination: Destination, key: string): boolean {
    const { sql } = this.#deps;
    return sql.exec("SELECT 1 FROM outbox WHERE destination = ? AND key = ?", destination, key).toArray().length > 0;
  }

  dueAt(): number | null {
    const next = Math.min(...this.#startsAt(this.#destinations).values());
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  /** Delivers a batch to each destination that is due. Failures are logged and retried. */
  async run(now: number): Promise<void> {
    const due = [...this.#startsAt(this.#destinations)].filter(([, at]) => at <= now);
    await Promise.all(due.map(([name]) => this.#try(name, now)));
  }

  /**
   * Returns the deliveries to one destination as a separate part, so that a slow destination does not delay the others.
   */
  to(destination: Destination): ObjectPart {
    return {
      dueAt: (asking) => {
        if (this.#answer?.asking !== asking) this.#answer = { asking, startsAt: this.#startsAt(this.#destinations) };
        return this.#answer.startsAt.get(destination) ?? null;
      },
      run: (now) => this.#try(destination, now),
    };
  }

  async #try(destination: Destination, now: number): Promise<void> {
    await this.push(destination, now).catch((error: unknown) => logError("outbox", error, { destination }));
  }

  /** Delivers a batch to this destination at once, whether or not it is due. @throws what the destination throws */
  async push(destination: Destination, now = Date.now()): Promise<void> {
    await this.inTurn(destination, () => this.#deliver(destination, now));
  }

  /** Runs work while no delivery to this destination is in progress. */
  inTurn<T>(destination: Destination, work: () => Promise<T>): Promise<T> {
    const mine = (this.#turns.get(destination) ?? Promise.resolve()).then(work);
    this.#turns.set(
      destination,
      mine.catch(() => {}),
    );
    return mine;
  }

  /**
   * Runs work, such as emptying the object, while no delivery is in progress. `drain` first delivers everything. It
   * throws an ApiError 503 if a destination is unreachable, so that the caller retries.
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

  /** Delivers everything for this destination. @throws ApiError 503 if the destination does not accept it */
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
      throw unavailable("not_delivered", "not all events are recorded yet; try again", DRAIN_AGAIN_MS);
    }
  }

  async #deliver(destination: Destination, now: number): Promise<void> {
    const owed = this.#rows.owed([destination]).get(destination);
    if (owed && owed.parkedAt !== null) await this.#retryParked(destination, now);
    const most = this.#batchSizes.get(destination) ?? DELIVERY_ROWS;
    const rows = owed?.isWaiting ? this.#rows.first(destination, most) : [];
    if (rows.length === 0 && (this.#deps.byReference?.[destination]?.dueAt() ?? null) === null) return;
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
   * Parks the rows that the destination has refused for long enough while it accepts others. Returns how many were
   * parked. If the destination accepts none, it is unavailable and all rows wait for it.
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

  /**
   * Retries the parked rows that are due: those that were not tried for a day, and those last tried before the object
   * was rebuilt.
   */
  async #retryParked(destination: Destination, now: number): Promise<void> {
    const rows = this.#rows.parked(destination, Math.max(this.#builtAt, now - PARKED_AFTER_MS + 1), TRIED_ALONE);
    if (rows.length === 0) return;
    // Recorded before the try, so that a row that crashes the object is not tried again at every alarm.
    this.#rows.park(rows, now);
    await this.#tryEach(destination, rows);
  }

  /** Delivers rows one by one, and returns those that were refused. */
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
    // A failure of a delivery that was requested early must not lengthen the delay.
    if (now < notBefore) return;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count);
    this.#failures.set(destination, { count: count + 1, notBefore: now + wait, since });
  }

  #owes(destination: Destination): boolean {
    return this.#dueAts([destination]).has(destination);
  }

  /** Returns when (ms) the messages for these destinations are due. Destinations without messages are omitted. */
  #dueAts(destinations: Destination[]): Map<Destination, number> {
    const dueAts = new Map<Destination, number>();
    for (const name of destinations) {
      const referredAt = this.#deps.byReference?.[name]?.dueAt() ?? null;
      if (referredAt !== null) dueAts.set(name, referredAt);
    }
    for (const [name, { isWaiting, parkedAt }] of this.#rows.owed(destinations)) {
      if (isWaiting) dueAts.set(name, 0);
      else if (parkedAt !== null) {
        const retryAt = parkedAt < this.#builtAt ? 0 : parkedAt + PARKED_AFTER_MS;
        dueAts.set(name, Math.min(retryAt, dueAts.get(name) ?? retryAt));
      }
    }
    return dueAts;
  }

  /**
   * Returns when (ms) the next delivery to each of these destinations starts, which is later if the destination is
   * failing.
   */
  #startsAt(destinations: Destination[]): Map<Destination, number> {
    const startsAt = this.#dueAts(destinations);
    for (const [name, at] of startsAt) startsAt.set(name, Math.max(at, this.#failures.get(name)?.notBefore ?? 0));
    return startsAt;
  }
}

/** Waits for all promises even if one fails. @throws the first error */
async function settled(all: Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === "rejected") throw one.reason;
}
