import type { LiveLease } from "./live-lease.ts";

export const LIVE_LEASES = `
  -- Leases of live things: JSON of a LiveLease. Their expiry is only in memory.
  CREATE TABLE live_leases (id TEXT PRIMARY KEY, lease TEXT NOT NULL) WITHOUT ROWID;
`;

/** The stored leases. They are written when a lease is taken or released, not when it is renewed. */
export class LiveLeaseRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): LiveLease[] {
    return this.#sql
      .exec<{ lease: string }>("SELECT lease FROM live_leases")
      .toArray()
      .map(({ lease }) => JSON.parse(lease) as LiveLease);
  }

  put(lease: LiveLease): void {
    this.#sql.exec("INSERT OR REPLACE INTO live_leases (id, lease) VALUES (?, ?)", lease.id, JSON.stringify(lease));
  }

  delete(id: string): void {
    this.#sql.exec("DELETE FROM live_leases WHERE id = ?", id);
  }
}
