import { DAY_SUMS, type DayTotal } from "../../kernel/db/schema/index.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import type { Outbox } from "../../kernel/durable/outbox.ts";

/** How long changes of a day are collected before its totals are sent, ms. */
export const GATHERING_MS = 30_000;

interface Dependencies {
  storage: DurableObjectStorage;
  outbox: Pick<Outbox<"d1">, "add">;
}

/**
 * Absolute sums of each day's counters for operators, with a revision. They are sent some time after the first change.
 */
export class DayTotals implements ObjectPart {
  readonly #deps: Dependencies;
  /** The days whose totals changed, and when (ms) to send them; null until read. */
  #due: Map<string, number> | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Records in the caller's transaction that counters of these days changed at `now` (ms). */
  changed(days: Iterable<string>, now: number): void {
    for (const day of days) {
      if (this.#days.has(day)) continue;
      this.#deps.storage.sql.exec(
        "INSERT INTO days (day, due_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET due_at = excluded.due_at",
        day,
        now + GATHERING_MS,
      );
      this.#days.set(day, now + GATHERING_MS);
    }
  }

  dueAt(): number | null {
    return this.#days.size === 0 ? null : Math.min(...this.#days.values());
  }

  async run(now: number): Promise<void> {
    for (const [day, at] of this.#days) if (at <= now) this.#send(day);
  }

  resume(): void {
    this.#due = null;
  }

  #send(day: string): void {
    const { storage, outbox } = this.#deps;
    storage.transactionSync(() => {
      const { revision } = storage.sql
        .exec<{ revision: number }>(
          `INSERT INTO days (day, revision) VALUES (?, 1)
            ON CONFLICT DO UPDATE SET revision = revision + 1, due_at = NULL RETURNING revision`,
          day,
        )
        .one();
      const sums = DAY_SUMS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(", ");
      const total = storage.sql
        .exec<Omit<DayTotal, "day" | "revision">>(
          `SELECT ${sums} FROM counters WHERE hour >= ? AND hour < ?`,
          `${day}T`,
          `${day}U`,
        )
        .one();
      outbox.add("d1", day, Object.assign({ day, revision }, total));
    });
    this.#days.delete(day);
  }

  get #days(): Map<string, number> {
    this.#due ??= new Map(
      this.#deps.storage.sql
        .exec<{ day: string; due_at: number }>("SELECT day, due_at FROM days WHERE due_at IS NOT NULL")
        .toArray()
        .map(({ day, due_at }) => [day, due_at]),
    );
    return this.#due;
  }
}
