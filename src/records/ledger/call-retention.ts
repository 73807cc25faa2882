import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { firstIdAt } from "../../kernel/instant-ids.ts";

/** The most calls deleted in one transaction. */
const BATCH_ROWS = 500;

/**
 * Deletes calls that are older than the account's retention, by the object's alarm and in bounded batches. The counters
 * don't change. A running call stays until it ends. The time up to which calls were deleted is stored, so that a late
 * report does not restore a deleted call.
 */
export class CallRetention implements ObjectPart {
  readonly #storage: DurableObjectStorage;
  /** The lowest id that is kept, and whether calls below it remain; null until read. */
  #state: { keptFrom: string; due: boolean } | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Schedules the deletion of calls from before `at` (ms). */
  deleteBefore(at: number): void {
    const { keptFrom } = this.#current;
    const from = firstIdAt(at);
    this.#save({ keptFrom: from > keptFrom ? from : keptFrom, due: true });
  }

  /** Checks whether a missing call with this id was deleted. */
  hasPassed(id: string): boolean {
    return id < this.#current.keptFrom;
  }

  dueAt(): number | null {
    return this.#current.due ? 0 : null;
  }

  async run(): Promise<void> {
    const { keptFrom } = this.#current;
    this.#storage.transactionSync(() => {
      const { rowsWritten } = this.#storage.sql.exec(
        `DELETE FROM calls WHERE id IN
          (SELECT id FROM calls WHERE id < ? AND (ended_at IS NOT NULL OR line_revision = 0) ORDER BY id LIMIT ?)`,
        keptFrom,
        BATCH_ROWS,
      );
      if (rowsWritten === 0) this.#save({ keptFrom, due: false });
    });
  }

  resume(): void {
    this.#state = null;
  }

  get #current(): { keptFrom: string; due: boolean } {
    if (this.#state) return this.#state;
    const [row] = this.#storage.sql
      .exec<{ kept_from: string; due: number }>("SELECT kept_from, due FROM call_retention")
      .toArray();
    this.#state = { keptFrom: row?.kept_from ?? "", due: row?.due === 1 };
    return this.#state;
  }

  #save(state: { keptFrom: string; due: boolean }): void {
    this.#storage.sql.exec(
      "INSERT OR REPLACE INTO call_retention (one, kept_from, due) VALUES (1, ?, ?)",
      state.keptFrom,
      state.due ? 1 : 0,
    );
    this.#state = state;
  }
}
