import { HOUR_MS } from "../../kernel/time.ts";

/** How long an operation is remembered, ms: as long as the idempotency key that fixed its id, and the time of a retry. */
const REMEMBERED_MS = 25 * HOUR_MS;

/**
 * What requests under idempotency keys have done here, by the id that the key fixed. It is noted in the transaction that
 * does it, so that a retry finds out whether an attempt that was cut off got so far. Without a key the id is null.
 */
export class OperationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** What came of it, where it was done; else null. */
  find(id: string | null): { contacts: number } | null {
    if (id === null) return null;
    const rows = this.#sql.exec<{ contacts: number }>("SELECT contacts FROM operations WHERE id = ?", id);
    return rows.toArray()[0] ?? null;
  }

  /** It is done, to so many contacts; part of the transaction that does it. */
  note(id: string | null, contacts: number, now: number): void {
    if (id === null) return;
    this.#sql.exec("DELETE FROM operations WHERE at < ?", now - REMEMBERED_MS);
    this.#sql.exec("INSERT INTO operations (id, contacts, at) VALUES (?, ?, ?)", id, contacts, now);
  }
}
