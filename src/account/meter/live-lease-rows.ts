import type { Migration } from "../../kernel/durable/migrate.ts";
import type { LiveLease } from "./live-lease.ts";

export const LIVE_LEASES: Migration = {
  id: "live-leases",
  sql: `
    -- What is live: \`lease\` is a LiveLease as JSON, times are ms.
    CREATE TABLE live_leases (id TEXT PRIMARY KEY, lease TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  `,
};

/** A lease and until when (ms) it lasts. */
export interface HeldLease {
  lease: LiveLease;
  expiresAt: number;
}

/** The leases in the meter's storage. */
export class LiveLeaseRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): HeldLease[] {
    return this.#sql
      .exec<{ lease: string; expires_at: number }>("SELECT lease, expires_at FROM live_leases")
      .toArray()
      .map(({ lease, expires_at }) => ({ lease: JSON.parse(lease) as LiveLease, expiresAt: expires_at }));
  }

  put({ lease, expiresAt }: HeldLease): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO live_leases (id, lease, expires_at) VALUES (?, ?, ?)",
      lease.id,
      JSON.stringify(lease),
      expiresAt,
    );
  }

  delete(id: string): void {
    this.#sql.exec("DELETE FROM live_leases WHERE id = ?", id);
  }
}
