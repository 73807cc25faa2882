import { LONGEST_ANSWER_MS } from "../../agent/models/output-limit.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import { BudgetConsumers, type ConsumerRow, type CumulativeUse, type OpenConsumer } from "./budget-consumers.ts";
import { BudgetEnding } from "./budget-ending.ts";
import type { Reached } from "./budget-events.ts";
import { BudgetPots, type PendingWarning } from "./budget-pots.ts";
import { BudgetReservations, type Credit, type Reservation, UNLIMITED } from "./budget-reservations.ts";
import {
  type Budget,
  type Consumer,
  hasCredit,
  hasRoom,
  isFull,
  isHard,
  type Measure,
  type Pot,
  type PotUse,
  potsOf,
  type Room,
  roomFor,
  stopsNew,
  WHOLE,
} from "./budget-rules.ts";
import { comeBack, leave, pastConsumer, settlePast } from "./past-consumers.ts";
import { type Freed, settlement } from "./settlement.ts";

/** How long credit is valid, ms: longer than most visitors take to write. */
const CREDIT_MS = 2 * MINUTE_MS;
/** How late a report may arrive and still count as in time, because it must travel to the meter, ms. */
const GRACE_MS = 5_000;
/** The request number of a consumer with a single reservation, which does not make separate requests. */
const ONLY = 1;
/** A consumer that has not reported for this long is assumed never to settle, ms. */
const PRUNED_AFTER_MS = 3 * DAY_MS;

/**
 * Stores what budgets have left. All methods are synchronous, so nothing happens between the count and the reservation
 * that it allows. A reservation is stored before it is returned.
 */
export class BudgetLedger {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  readonly #pots: BudgetPots;
  readonly #reservations: BudgetReservations;
  readonly #consumers: BudgetConsumers;
  readonly #ending: BudgetEnding;
  #budgets: ReadonlyMap<string, Budget> = new Map();

  /**
   * @param reached called once for each share of a limit in a period, in the transaction in which the share is reached
   */
  constructor(
    storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
    reached: (reached: Reached) => void = () => {},
  ) {
    this.#storage = storage;
    this.#pots = new BudgetPots(storage.sql, reached);
    this.#reservations = new BudgetReservations(storage.sql);
    this.#consumers = new BudgetConsumers(storage.sql);
    this.#ending = new BudgetEnding({
      pots: this.#pots,
      consumers: this.#consumers,
      potsOf: (row) => this.#potsOf(row),
    });
  }

  /**
   * Replaces the budgets. Existing reservations count against new budgets too, and budgets that are used up end their
   * consumers.
   */
  configure(budgets: Budget[], now: number): void {
    this.#budgets = new Map(budgets.map((budget) => [budget.id, budget]));
    this.#storage.transactionSync(() => {
      this.#pots.reset([...this.#budgets.keys()]);
      for (const row of this.#consumers.holders()) this.#pots.add(this.#potsOf(row), { reserved: row.held, at: now });
      this.endFull(now);
    });
  }

  /** Closes the consumers of all budgets that are used up. */
  endFull(now: number): void {
    this.#ending.end(this.#pots.full(this.#budgets, now), now);
  }

  /** Returns how much of the whole budget is used and reserved at `now` (ms). */
  use(budget: Budget, now: number): PotUse {
    return this.#pots.use({ budget, share: WHOLE }, now);
  }

  /**
   * Returns how many uses of up to `amount` each the budgets allow a new consumer, which budget allows the fewest, and
   * whether that budget is used up or only reserved.
   */
  roomFor(consumer: Consumer, measure: Measure, amount: number, now: number): Room {
    let least: Room = { count: UNLIMITED, pot: null, isUsedUp: false };
    for (const pot of potsOf(this.#budgets.values(), consumer, measure).filter(stopsNew)) {
      const use = this.#pots.use(pot, now);
      const count = roomFor(pot, use, amount);
      const isUsedUp = !hasRoom(pot, { used: use.used, reserved: 0 }, amount);
      // If several budgets are exhausted, one that is used up takes precedence over one that is only reserved.
      if (count < least.count || (count === least.count && isUsedUp && !least.isUsedUp))
        least = { count, pot, isUsedUp };
    }
    return least;
  }

  /** Records a consumer. Repeating it changes nothing. `object` is the object that can close it. */
  open(consumer: OpenConsumer, measure: Measure, now: number): void {
    if (this.has(consumer.id)) {
      this.#consumers.seen(consumer.id, now);
      return;
    }
    this.#storage.transactionSync(() => {
      // A consumer that already left, and now continues, is not charged again for its earlier use.
      this.#consumers.add(consumer, measure, comeBack(this.#storage.sql, consumer.id), now);
    });
  }

  /** Checks whether the consumer is stored and has not left. */
  has(id: string): boolean {
    return this.#consumers.get(id) !== undefined;
  }

  /**
   * Returns which resources are charged for this consumer, since when (ms) it has been answered, and whether it must
   * end; null if it is not stored.
   */
  find(id: string): { consumer: Consumer; answeredAt: number | null; isEnding: boolean } | null {
    const row = this.#consumers.get(id);
    if (!row) return null;
    return { consumer: JSON.parse(row.consumer) as Consumer, answeredAt: row.answered_at, isEnding: row.closing !== 0 };
  }

  /** Records that the consumer begins to use something at `now` (ms). Idempotent. */
  answered(id: string, now: number): void {
    this.#consumers.answered(id, now);
  }

  /**
   * Reserves `amount` for everything that the consumer will use, until `lapsesAt` (ms). The amount is then free again,
   * unless the consumer has `started`: such a consumer is charged all of it until it settles.
   */
  hold(id: string, { amount, started, lapsesAt }: { amount: number; started: boolean; lapsesAt: number }, now: number) {
    this.#storage.transactionSync(() => {
      const row = this.#consumers.get(id);
      if (!row) return;
      const pots = this.#potsOf(row);
      this.#undoLapse(id, ONLY, pots);
      const more = this.#reservations.missing(id, ONLY, amount);
      this.#reserve(pots, { id, n: ONLY, amount, started, reservedAt: now, until: lapsesAt, lapsesAt }, more);
    });
  }

  /** Charges the consumer's use since its last report, and frees the reservations for it. */
  settle(id: string, use: CumulativeUse, now: number): void {
    this.#storage.transactionSync(() => this.#settle(id, use, now));
  }

  #settle(id: string, use: CumulativeUse, now: number): void {
    const row = this.#consumers.get(id);
    if (!row) return;
    const pots = this.#potsOf(row);
    const requests = Math.max(row.requests, use.requests);
    const settled = Math.max(row.settled, use.total);
    this.#charge(pots, { used: settled - row.settled, freed: this.#reservations.free(id, requests) }, now);
    this.#consumers.settle(id, { total: settled, requests }, now);
    this.#endFullOf(pots, now);
  }

  #charge(pots: Pot[], { used, freed }: { used: number; freed: Freed[] }, now: number): void {
    for (const change of settlement(used, freed, now)) this.#pots.add(pots, change);
  }

  /** Closes the consumers of these pots that are used up. */
  #endFullOf(pots: Pot[], now: number): void {
    this.#ending.end(
      pots.filter((pot) => isFull(pot, this.#pots.use(pot, now))),
      now,
    );
  }

  /**
   * Reserves the next `count` requests of up to `amount` each in advance, unless a budget is nearly used up, and
   * returns what the consumer may start. A consumer that makes no requests (`amount` 0) gets nothing.
   */
  grant(id: string, amount: number, count: number, now: number): Credit {
    return this.#storage.transactionSync(() => {
      const row = this.#consumers.get(id);
      const pots = row ? this.#potsOf(row) : [];
      const until = now + CREDIT_MS;
      if (row?.closing !== 0) return { through: row?.requests ?? 0, each: 0, until };
      if (pots.length === 0) return { through: UNLIMITED, each: UNLIMITED, until };
      const last = amount > 0 ? row.requests + count : row.requests;
      for (let n = row.requests + 1; n <= last; n++) {
        this.#undoLapse(id, n, pots);
        const more = this.#reservations.missing(id, n, amount);
        if (!pots.every((pot) => hasCredit(pot, this.#pots.use(pot, now), more, amount))) break;
        // A request may start just before the credit expires, and may then take as long as any request.
        const lapsesAt = until + LONGEST_ANSWER_MS + GRACE_MS;
        this.#reserve(pots, { id, n, amount, started: false, reservedAt: now, until, lapsesAt }, more);
      }
      return this.#reservations.credit(id, row.requests, until, now);
    });
  }

  /**
   * Reserves request `n` of up to `amount`, which is about to start. If a hard budget has no room for it, the budget
   * counts as reached, and all its consumers are closed. A background request is refused by any budget that would
   * refuse a new conversation, but it closes nothing.
   */
  reserve(id: string, n: number, amount: number, now: number, isBackground = false): boolean {
    const mayRefuse = isBackground ? stopsNew : isHard;
    return this.#storage.transactionSync(() => {
      const row = this.#consumers.get(id);
      if (row?.closing !== 0) return false;
      const pots = this.#potsOf(row);
      if (pots.length === 0) return true;
      this.#undoLapse(id, n, pots);
      const more = this.#reservations.missing(id, n, amount);
      const full = pots.filter((pot) => mayRefuse(pot) && !hasRoom(pot, this.#pots.use(pot, now), more));
      if (full.length > 0) {
        if (!isBackground) this.#ending.end(full, now);
        return false;
      }
      const until = now + LONGEST_ANSWER_MS;
      this.#reserve(pots, { id, n, amount, started: true, reservedAt: now, until, lapsesAt: until + GRACE_MS }, more);
      return true;
    });
  }

  /**
   * Charges the use of a consumer that has ended, and frees its reservations. A repeated call charges what was reported
   * since, because reports of customers' own runtimes may arrive after the end.
   */
  close(id: string, use: CumulativeUse, now: number): void {
    this.#storage.transactionSync(() => {
      this.#settle(id, use, now);
      const row = this.#consumers.get(id);
      if (!row) return this.#chargeLate(id, use, now);
      this.#charge(this.#potsOf(row), { used: 0, freed: this.#reservations.free(id, UNLIMITED) }, now);
      leave(this.#storage.sql, id, now);
    });
  }

  /** Charges a consumer after it has left, if it reports more use than it had settled. */
  #chargeLate(id: string, { total }: CumulativeUse, now: number): void {
    const past = pastConsumer(this.#storage.sql, id);
    if (!past || total <= past.settled) return;
    const pots = this.#potsOf(past);
    this.#pots.add(pots, { used: total - past.settled, at: now });
    settlePast(this.#storage.sql, id, total);
    this.#endFullOf(pots, now);
  }

  /**
   * Lets reservations lapse that are older than any response can take. Credit becomes free again. A started request
   * stays charged with its reservation, in the period in which it was reserved, until its consumer reports its use.
   */
  lapse(now: number): void {
    this.#storage.transactionSync(() => {
      for (const { consumer, amount, started, reservedAt } of this.#reservations.lapse(now)) {
        const row = this.#consumers.get(consumer);
        if (!row) continue;
        const pots = this.#potsOf(row);
        this.#pots.add(pots, { used: started ? amount : 0, reserved: -amount, at: reservedAt });
        this.#endFullOf(pots, now);
      }
      this.#prunePast(now);
    });
  }

  nextLapseAt(): number | null {
    return this.#reservations.nextLapseAt();
  }

  /** Returns the consumers that must be closed because one of their budgets is reached. */
  toClose(limit: number): { id: string; object: string }[] {
    return this.#consumers.toClose(limit);
  }

  /** Records that the consumer's object has been told to close it. */
  closed(id: string): void {
    this.#consumers.closed(id);
  }

  /**
   * Marks all closing consumers, so that their objects are told again: an object that was rebuilt in the meantime has
   * lost the message.
   */
  closeAgain(): void {
    this.#consumers.closeAgain();
  }

  pendingWarnings(limit: number): PendingWarning[] {
    return this.#pots.pendingWarnings(limit);
  }

  warned(warning: PendingWarning): void {
    this.#pots.warned(warning);
  }

  #reserve(pots: Pot[], reservation: Reservation, more: number): void {
    this.#pots.add(pots, { reserved: more, at: reservation.reservedAt });
    this.#reservations.put(reservation);
  }

  /** Reverses the charge for a request whose reservation has lapsed, because the request is reserved again. */
  #undoLapse(id: string, n: number, pots: Pot[]): void {
    const lapsed = this.#reservations.takeBackLapsed(id, n);
    if (lapsed !== null) this.#pots.add(pots, { used: -lapsed.amount, at: lapsed.reservedAt });
  }

  #potsOf({ consumer, measure }: Pick<ConsumerRow, "consumer" | "measure">): Pot[] {
    return potsOf(this.#budgets.values(), JSON.parse(consumer) as Consumer, measure);
  }

  /** Deletes rows that neither a current period nor a consumer needs. */
  #prunePast(now: number): void {
    this.#pots.prunePast(now);
    const before = now - PRUNED_AFTER_MS;
    this.#reservations.pruneLapsed(before);
    this.#consumers.prune(before);
  }
}
