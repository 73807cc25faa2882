import { HOUR_MS } from "../../kernel/time.ts";

/** How long an operation is kept, ms: as long as the idempotency key that fixed its ID, plus the time of a retry. */
const REMEMBERED_MS = 25 * HOUR_MS;

/**
 * The operations of requests with idempotency keys, by the ID that the key fixed. Each is stored in the operation's own
 * transaction, so that a retry can tell whether an interrupted attempt got that far. Without a key the ID is null.
 */
export class OperationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(id: string | null): { contacts: number } | null {
    if (id === null) return null;
    const rows = this.#sql.exec<{ contacts: number }>("SELECT contacts FROM operations WHERE id = ?", id);
    return rows.toArray()[0] ?? null;
  }

  /** Records the operation and how many contacts it changed. Part of its transaction. */
  note(id: string | null, contacts: number, now: number): void {
    if (id === null) return;
    this.#sql.exec("DELETE FROM operations WHERE at < ?", now - REMEMBERED_MS);
    this.#sql.exec("INSERT INTO operations (id, contacts, at) VALUES (?, ?, ?)", id, contacts, now);
  }
}
