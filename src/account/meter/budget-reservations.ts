import type { Freed } from "./settlement.ts";

/**
 * The requests that a consumer may start without asking: up to number `through`, each of at most `each`, before `until`
 * (ms).
 */
export interface Credit {
  through: number;
  each: number;
  until: number;
}

/** The number and size of requests that a consumer without budgets may start. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * A reservation of `amount` for the consumer's request `n`, made at `reservedAt`. The request may start before `until`;
 * the reservation lapses at `lapsesAt`. Times are in ms.
 */
export interface Reservation {
  id: string;
  n: number;
  amount: number;
  /** Whether the request starts now. Otherwise the reservation is credit for later. */
  started: boolean;
  reservedAt: number;
  until: number;
  lapsesAt: number;
}

type ReservationRow = {
  n: number;
  amount: number;
  started: number;
  lapsed: number;
  reserved_at: number;
  until: number;
};

/** Stores reservations for consumers' requests. The ledger owns the pots from which they are taken. */
export class BudgetReservations {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns how much must be added to the reservation of request `n`. */
  missing(id: string, n: number, amount: number): number {
    return Math.max(0, amount - (this.#find(id, n)?.amount ?? 0));
  }

  put({ id, n, amount, started, reservedAt, until, lapsesAt }: Reservation): void {
    this.#sql.exec(
      `INSERT INTO budget_reservations (consumer, n, amount, started, reserved_at, until, lapses_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
       ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount), started = max(started, excluded.started),
         until = max(until, excluded.until), lapses_at = max(lapses_at, excluded.lapses_at)`,
      id,
      n,
      amount,
      Number(started),
      reservedAt,
      until,
      lapsesAt,
    );
  }

  /** Returns the credit that is reserved for the requests that follow number `done` without a gap. */
  credit(id: string, done: number, until: number, now: number): Credit {
    const rows = this.#sql
      .exec<ReservationRow>("SELECT * FROM budget_reservations WHERE consumer = ? AND n > ? ORDER BY n", id, done)
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

  /** Deletes the lapsed reservation of request `n` and returns it; null if there is none. */
  takeBackLapsed(id: string, n: number): Freed | null {
    const row = this.#find(id, n);
    if (row?.lapsed !== 1) return null;
    this.#sql.exec("DELETE FROM budget_reservations WHERE consumer = ? AND n = ?", id, n);
    return { amount: row.amount, hasLapsed: true, reservedAt: row.reserved_at };
  }

  /** Deletes and returns the reservations of requests up to number `through`. */
  free(id: string, through: number): Freed[] {
    return this.#sql
      .exec<Pick<ReservationRow, "amount" | "lapsed" | "reserved_at">>(
        "DELETE FROM budget_reservations WHERE consumer = ? AND n <= ? RETURNING amount, lapsed, reserved_at",
        id,
        through,
      )
      .toArray()
      .map(({ amount, lapsed, reserved_at }) => ({ amount, hasLapsed: lapsed === 1, reservedAt: reserved_at }));
  }

  /** Lets due reservations lapse: those of started requests are kept as lapsed, and credit is deleted. */
  lapse(now: number): { consumer: string; amount: number; started: boolean; reservedAt: number }[] {
    const due = this.#sql
      .exec<ReservationRow & { consumer: string }>(
        "SELECT * FROM budget_reservations WHERE lapsed = 0 AND lapses_at <= ?",
        now,
      )
      .toArray();
    return due.map(({ consumer, n, amount, started, reserved_at }) => {
      const isStarted = started === 1;
      if (isStarted)
        this.#sql.exec("UPDATE budget_reservations SET lapsed = 1 WHERE consumer = ? AND n = ?", consumer, n);
      else this.#sql.exec("DELETE FROM budget_reservations WHERE consumer = ? AND n = ?", consumer, n);
      return { consumer, amount, started: isStarted, reservedAt: reserved_at };
    });
  }

  /** Returns when (ms) the next reservation lapses; null if there is none. */
  nextLapseAt(): number | null {
    return this.#sql
      .exec<{ at: number | null }>("SELECT min(lapses_at) at FROM budget_reservations WHERE lapsed = 0")
      .one().at;
  }

  /** Deletes lapsed reservations of consumers whose last report was before `before` (ms). */
  pruneLapsed(before: number): void {
    this.#sql.exec(
      `DELETE FROM budget_reservations WHERE lapsed = 1
       AND consumer IN (SELECT id FROM budget_consumers WHERE reported_at < ?)`,
      before,
    );
  }

  #find(id: string, n: number): ReservationRow | undefined {
    return this.#sql
      .exec<ReservationRow>("SELECT * FROM budget_reservations WHERE consumer = ? AND n = ?", id, n)
      .toArray()[0];
  }
}
