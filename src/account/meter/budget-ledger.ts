import { LONGEST_ANSWER_MS } from "../../agent/models/output-limit.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import type { Reached } from "./budget-events.ts";
import { BudgetPots, type PendingWarning } from "./budget-pots.ts";
import {
  type Budget,
  hasCredit,
  hasRoom,
  isHard,
  type Measure,
  type Payer,
  type Pot,
  type PotUse,
  potsOf,
  type Room,
  roomFor,
  stopsNew,
  WHOLE,
} from "./budget-rules.ts";
import { comeBack, leave, pastPayer, settlePast } from "./past-payers.ts";

/** What a payer has used since it began: cumulative, so that saying it again changes nothing. */
export interface CumulativeUse {
  total: number;
  /** How many requests are over, whatever came of them. */
  requests: number;
}

/** Who is to be charged. */
export interface OpenPayer {
  id: string;
  /** The object that holds it, by the account's name for it. */
  object: string;
  payer: Payer;
}

/** What a payer may start without asking: requests up to number `through`, each of at most `each`, before `until` (ms). */
export interface Credit {
  through: number;
  each: number;
  until: number;
}

/** What a payer without budgets may start, and of what size. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** How long credit is good for, ms: longer than most visitors take to write. */
const CREDIT_MS = 2 * MINUTE_MS;
/** What is late by no more than the way to the meter still counts as in time, ms. */
const GRACE_MS = 5_000;
/** The one reservation of a payer that does not use things up request by request. */
const ONLY = 1;
/** A payer that was not heard of for so long will not settle any more, ms. */
const FORGOTTEN_AFTER_MS = 3 * DAY_MS;

type PayerRow = {
  id: string;
  object: string;
  measure: Measure;
  payer: string;
  settled: number;
  requests: number;
  closing: number;
  answered_at: number | null;
};
type ReservationRow = { n: number; amount: number; asked: number; lapsed: number; until: number };

/**
 * What budgets have left, in the meter's storage. All methods are synchronous: nothing comes between the count and the
 * reservation it allows, and a reservation is stored before anybody is told of it.
 */
export class BudgetLedger {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  readonly #pots: BudgetPots;
  #budgets: ReadonlyMap<string, Budget> = new Map();

  /** @param reached hears once of each share of a limit in a period, in the transaction of what reaches it */
  constructor(
    storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
    reached: (reached: Reached) => void = () => {},
  ) {
    this.#storage = storage;
    this.#pots = new BudgetPots(storage.sql, reached);
  }

  /** Takes over the budgets as they are configured now; what is reserved counts against those that are new too. */
  configure(budgets: Budget[], now: number): void {
    this.#budgets = new Map(budgets.map((budget) => [budget.id, budget]));
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      this.#pots.reset([...this.#budgets.keys()]);
      const holders = sql.exec<PayerRow & { held: number }>(
        `SELECT p.*, sum(r.amount) held FROM budget_payers p JOIN budget_reservations r ON r.payer = p.id
         WHERE r.lapsed = 0 GROUP BY p.id`,
      );
      for (const { held, ...row } of holders.toArray()) this.#pots.add(this.#potsOf(row), 0, held, now);
    });
  }

  /** What of a budget's whole is gone at `now`, ms. */
  use(budget: Budget, now: number): PotUse {
    return this.#pots.use({ budget, share: WHOLE }, now);
  }

  /**
   * How many uses of up to `amount` each the budgets leave a new payer room for, which of them leaves the least, and
   * whether what others have reserved alone takes that room.
   */
  roomFor(payer: Payer, measure: Measure, amount: number, now: number): Room {
    let least: Room = { count: UNLIMITED, pot: null, isUsedUp: false };
    for (const pot of potsOf(this.#budgets.values(), payer, measure).filter(stopsNew)) {
      const use = this.#pots.use(pot, now);
      const count = roomFor(pot, use, amount);
      const isUsedUp = !hasRoom(pot, { used: use.used, reserved: 0 }, amount);
      // Of budgets that leave no room the one that is used up matters most.
      if (count < least.count || (count === least.count && isUsedUp && !least.isUsedUp))
        least = { count, pot, isUsedUp };
    }
    return least;
  }

  /** Notes who uses something up, once; `object` is what closes it. */
  open({ id, object, payer }: OpenPayer, measure: Measure, now: number): void {
    const { sql } = this.#storage;
    if (this.has(id)) {
      sql.exec("UPDATE budget_payers SET heard_at = ? WHERE id = ?", now, id);
      return;
    }
    this.#storage.transactionSync(() => {
      sql.exec(
        "INSERT INTO budget_payers (id, object, measure, payer, settled, heard_at) VALUES (?, ?, ?, ?, ?, ?)",
        id,
        object,
        measure,
        JSON.stringify(payer),
        // One that was taken to be done is not charged again for what it had used.
        comeBack(sql, id),
        now,
      );
    });
  }

  /** Whether the payer was noted, and is not done. */
  has(id: string): boolean {
    return this.#payer(id) !== undefined;
  }

  /** Who is charged for this payer, and since when (ms) it has been using something up; null where it is not noted. */
  noted(id: string): { payer: Payer; answeredAt: number | null } | null {
    const row = this.#payer(id);
    return row ? { payer: JSON.parse(row.payer) as Payer, answeredAt: row.answered_at } : null;
  }

  /** The payer begins to use something up, at `now`, ms; saying it again changes nothing. */
  answered(id: string, now: number): void {
    this.#storage.sql.exec("UPDATE budget_payers SET answered_at = coalesce(answered_at, ?) WHERE id = ?", now, id);
  }

  /**
   * Holds `amount` for all that the payer will use, until `lapsesAt`, ms. Then it is free again, unless the payer has
   * `started`: that is charged with all of it until it is settled.
   */
  hold(id: string, { amount, started, lapsesAt }: { amount: number; started: boolean; lapsesAt: number }, now: number) {
    this.#storage.transactionSync(() => {
      const row = this.#payer(id);
      if (!row) return;
      const pots = this.#potsOf(row);
      this.#undoLapse(id, ONLY, pots, now);
      const more = this.#missing(id, ONLY, amount);
      this.#reserve(pots, { id, n: ONLY, amount, more, asked: started ? 1 : 0 }, { until: lapsesAt, lapsesAt }, now);
    });
  }

  /** Charges what the payer has used since it last said so, and frees what was reserved for that. */
  settle(id: string, use: CumulativeUse, now: number): void {
    this.#storage.transactionSync(() => this.#settle(id, use, now));
  }

  #settle(id: string, use: CumulativeUse, now: number): void {
    const row = this.#payer(id);
    if (!row) return;
    const pots = this.#potsOf(row);
    const requests = Math.max(row.requests, use.requests);
    const settled = Math.max(row.settled, use.total);
    const freed = this.#free(id, requests);
    this.#pots.add(pots, settled - row.settled - freed.charged, -freed.reserved, now);
    this.#storage.sql.exec(
      "UPDATE budget_payers SET settled = ?, requests = ?, heard_at = ? WHERE id = ?",
      settled,
      requests,
      now,
      id,
    );
    this.#endFull(pots, now);
  }

  /** Closes whoever draws on a hard pot that is used up. */
  #endFull(pots: Pot[], now: number): void {
    const full = pots.filter((pot) => isHard(pot) && this.#pots.use(pot, now).used >= pot.limit);
    if (full.length > 0) this.#reached(full, now);
  }

  /**
   * Reserves the next `count` requests, each of up to `amount`, ahead where no hard budget is nearly used up; gives what
   * the payer may start then.
   */
  grant(id: string, amount: number, count: number, now: number): Credit {
    return this.#storage.transactionSync(() => {
      const row = this.#payer(id);
      const pots = row ? this.#potsOf(row) : [];
      const until = now + CREDIT_MS;
      if (row?.closing !== 0) return { through: row?.requests ?? 0, each: 0, until };
      if (pots.length === 0) return { through: UNLIMITED, each: UNLIMITED, until };
      for (let n = row.requests + 1; n <= row.requests + count; n++) {
        this.#undoLapse(id, n, pots, now);
        const more = this.#missing(id, n, amount);
        const isFree = pots.every((pot) => !isHard(pot) || hasCredit(pot, this.#pots.use(pot, now), more, amount));
        if (!isFree) break;
        // Credit may start at its very end, and then takes as long as any.
        const lapsesAt = until + LONGEST_ANSWER_MS + GRACE_MS;
        this.#reserve(pots, { id, n, amount, more, asked: 0 }, { until, lapsesAt }, now);
      }
      return this.#credit(id, row.requests, until, now);
    });
  }

  /**
   * Reserves request `n`, of up to `amount`, which is about to start. Where a hard budget has no room for it, it is
   * reached: then all who draw on it are to be closed.
   */
  ask(id: string, n: number, amount: number, now: number, holdMs = LONGEST_ANSWER_MS): boolean {
    return this.#storage.transactionSync(() => {
      const row = this.#payer(id);
      if (row?.closing !== 0) return false;
      const pots = this.#potsOf(row);
      if (pots.length === 0) return true;
      this.#undoLapse(id, n, pots, now);
      const more = this.#missing(id, n, amount);
      const full = pots.filter((pot) => isHard(pot) && !hasRoom(pot, this.#pots.use(pot, now), more));
      if (full.length > 0) {
        this.#reached(full, now);
        return false;
      }
      const until = now + holdMs;
      this.#reserve(pots, { id, n, amount, more, asked: 1 }, { until, lapsesAt: until + GRACE_MS }, now);
      return true;
    });
  }

  /**
   * The payer is done: what it used is charged, and whatever it still holds is free. Said again, it charges what was told
   * since: what a runtime of one's own reports may come after the end.
   */
  close(id: string, use: CumulativeUse, now: number): void {
    this.#storage.transactionSync(() => {
      this.#settle(id, use, now);
      const row = this.#payer(id);
      if (!row) return this.#chargeLate(id, use, now);
      const freed = this.#free(id, UNLIMITED);
      this.#pots.add(this.#potsOf(row), -freed.charged, -freed.reserved, now);
      leave(this.#storage.sql, id, now);
    });
  }

  /** Charges a payer that has left with what it used beyond what it had settled. */
  #chargeLate(id: string, { total }: CumulativeUse, now: number): void {
    const past = pastPayer(this.#storage.sql, id);
    if (!past || total <= past.settled) return;
    const pots = this.#potsOf(past);
    this.#pots.add(pots, total - past.settled, 0, now);
    settlePast(this.#storage.sql, id, total);
    this.#endFull(pots, now);
  }

  /**
   * Lets lapse what was reserved for longer than any answer takes. Credit is free again; a request that had asked had
   * started, so that it stays charged with its reserve until its payer says what became of it.
   */
  lapse(now: number): void {
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const due = sql
        .exec<ReservationRow & { payer: string }>(
          "SELECT * FROM budget_reservations WHERE lapsed = 0 AND lapses_at <= ?",
          now,
        )
        .toArray();
      for (const { payer, n, amount, asked } of due) {
        const row = this.#payer(payer);
        if (row) this.#pots.add(this.#potsOf(row), asked === 1 ? amount : 0, -amount, now);
        if (asked === 1) sql.exec("UPDATE budget_reservations SET lapsed = 1 WHERE payer = ? AND n = ?", payer, n);
        else sql.exec("DELETE FROM budget_reservations WHERE payer = ? AND n = ?", payer, n);
      }
      this.#forgetPast(now);
    });
  }

  /** When (ms) something lapses next, null for never. */
  nextLapseAt(): number | null {
    return this.#storage.sql
      .exec<{ at: number | null }>("SELECT min(lapses_at) at FROM budget_reservations WHERE lapsed = 0")
      .one().at;
  }

  /** The payers that are to be closed because a budget of theirs is reached, and do not know yet. */
  toClose(limit: number): { id: string; object: string }[] {
    return this.#storage.sql
      .exec<{ id: string; object: string }>("SELECT id, object FROM budget_payers WHERE closing = 1 LIMIT ?", limit)
      .toArray();
  }

  /** The payer was told that it is over. */
  closed(id: string): void {
    this.#storage.sql.exec("UPDATE budget_payers SET closing = 2 WHERE id = ?", id);
  }

  pendingWarnings(limit: number): PendingWarning[] {
    return this.#pots.pendingWarnings(limit);
  }

  warned(warning: PendingWarning): void {
    this.#pots.warned(warning);
  }

  /** The hard pots have no room left: it goes on record, and everybody who draws on them is to be closed. */
  #reached(full: Pot[], now: number): void {
    const { sql } = this.#storage;
    const isFull = new Set(full.map(({ budget, share }) => `${budget.id} ${share}`));
    this.#pots.reached(full, now);
    const live = sql.exec<PayerRow>("SELECT * FROM budget_payers WHERE closing = 0 AND measure = 'tokens'").toArray();
    for (const row of live) {
      if (this.#potsOf(row).some(({ budget, share }) => isFull.has(`${budget.id} ${share}`)))
        sql.exec("UPDATE budget_payers SET closing = 1 WHERE id = ?", row.id);
    }
  }

  /** How much more a reservation of request `n` has to hold. */
  #missing(id: string, n: number, amount: number): number {
    return Math.max(0, amount - (this.#reservation(id, n)?.amount ?? 0));
  }

  #reserve(
    pots: Pot[],
    { id, n, amount, more, asked }: { id: string; n: number; amount: number; more: number; asked: 0 | 1 },
    { until, lapsesAt }: { until: number; lapsesAt: number },
    now: number,
  ): void {
    this.#pots.add(pots, 0, more, now);
    this.#storage.sql.exec(
      `INSERT INTO budget_reservations (payer, n, amount, asked, until, lapses_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
       ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount), asked = max(asked, excluded.asked),
         until = max(until, excluded.until), lapses_at = max(lapses_at, excluded.lapses_at)`,
      id,
      n,
      amount,
      asked,
      until,
      lapsesAt,
    );
  }

  /** What is reserved for requests after the `done`-th, without a gap. */
  #credit(id: string, done: number, until: number, now: number): Credit {
    const rows = this.#storage.sql
      .exec<ReservationRow>("SELECT * FROM budget_reservations WHERE payer = ? AND n > ? ORDER BY n", id, done)
      .toArray();
    const credit = { through: done, each: UNLIMITED, until };
    for (const { n, amount, lapsed, until: ends } of rows) {
      if (n !== credit.through + 1 || lapsed === 1 || ends <= now) break;
      credit.through = n;
      credit.each = Math.min(credit.each, amount);
      credit.until = Math.min(credit.until, ends);
    }
    return credit.through === done ? { through: done, each: 0, until } : credit;
  }

  #reservation(id: string, n: number): ReservationRow | undefined {
    return this.#storage.sql
      .exec<ReservationRow>("SELECT * FROM budget_reservations WHERE payer = ? AND n = ?", id, n)
      .toArray()[0];
  }

  /** A request that asked and was not started in time asks again: what it was charged with is taken back. */
  #undoLapse(id: string, n: number, pots: Pot[], now: number): void {
    const row = this.#reservation(id, n);
    if (row?.lapsed !== 1) return;
    this.#pots.add(pots, -row.amount, 0, now);
    this.#storage.sql.exec("DELETE FROM budget_reservations WHERE payer = ? AND n = ?", id, n);
  }

  /** Deletes the reservations of requests up to number `through`: how much they held, and were charged with. */
  #free(id: string, through: number): { reserved: number; charged: number } {
    const freed = { reserved: 0, charged: 0 };
    const rows = this.#storage.sql.exec<Pick<ReservationRow, "amount" | "lapsed">>(
      "DELETE FROM budget_reservations WHERE payer = ? AND n <= ? RETURNING amount, lapsed",
      id,
      through,
    );
    for (const { amount, lapsed } of rows.toArray()) freed[lapsed === 1 ? "charged" : "reserved"] += amount;
    return freed;
  }

  #payer(id: string): PayerRow | undefined {
    return this.#storage.sql.exec<PayerRow>("SELECT * FROM budget_payers WHERE id = ?", id).toArray()[0];
  }

  #potsOf({ payer, measure }: Pick<PayerRow, "payer" | "measure">): Pot[] {
    return potsOf(this.#budgets.values(), JSON.parse(payer) as Payer, measure);
  }

  /** Drops what no period and nobody needs any more. */
  #forgetPast(now: number): void {
    const { sql } = this.#storage;
    this.#pots.forgetPast(now);
    const gone = now - FORGOTTEN_AFTER_MS;
    sql.exec(
      `DELETE FROM budget_reservations WHERE lapsed = 1
       AND payer IN (SELECT id FROM budget_payers WHERE heard_at < ?)`,
      gone,
    );
    sql.exec(
      `DELETE FROM budget_payers WHERE heard_at < ?
       AND NOT EXISTS (SELECT 1 FROM budget_reservations WHERE payer = budget_payers.id)`,
      gone,
    );
  }
}
