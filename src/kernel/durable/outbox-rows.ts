import { hasTable } from "./migrate.ts";

export const OUTBOX = `
  CREATE TABLE outbox (
    n INTEGER PRIMARY KEY AUTOINCREMENT, destination TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
    -- When (ms) its destination first refused it, and when a parked row was last tried.
    refused_at INTEGER, parked_at INTEGER,
    UNIQUE (destination, key)
  );
  CREATE INDEX outbox_order ON outbox (destination, n) WHERE parked_at IS NULL;
  CREATE INDEX outbox_parked ON outbox (destination, parked_at, n) WHERE parked_at IS NOT NULL;
  -- Only erasures change bodies. A parked row is deleted instead, because it may never be delivered.
  CREATE TRIGGER outbox_parked_erased AFTER UPDATE OF body ON outbox WHEN old.parked_at IS NOT NULL
    BEGIN DELETE FROM outbox WHERE n = old.n; END;
`;

/** A pending message: its key at the destination, and its body in JSON. */
export interface Owed {
  key: string;
  body: string;
}

export type OutboxRow = { n: number; key: string; body: string; refused_at: number | null };

/** A destination's rows: whether any row waits, and when (ms) the parked row that has waited longest was last tried. */
export interface OwedRows {
  isWaiting: boolean;
  parkedAt: number | null;
}

/**
 * The limits of one delivery: the number of rows, and of characters unless the first row alone has more. Larger
 * deliveries would delay readers of both objects.
 */
export const DELIVERY_ROWS = 500;
const DELIVERY_CHARS = 500_000;

const COLUMNS = "n, key, body, refused_at";

/** Reads and writes the rows of an object's outbox. The outbox of an object without tables is empty. */
export class OutboxRows<Destination extends string> {
  readonly #sql: SqlStorage;
  /** Whether the table is known to exist. */
  #isThere = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a row within the caller's transaction. It replaces an undelivered row with the same key. */
  add(destination: Destination, key: string, body: object): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (destination, key, body) VALUES (?, ?, ?)",
      destination,
      key,
      JSON.stringify(body),
    );
  }

  /** Returns the destinations with rows, in one statement. */
  owed(destinations: Destination[]): Map<Destination, OwedRows> {
    this.#isThere ||= hasTable({ sql: this.#sql }, "outbox");
    if (!this.#isThere) return new Map();
    const rows = this.#sql.exec<{ destination: Destination; waiting: number; parked_at: number | null }>(
      `SELECT value AS destination,
         EXISTS (SELECT 1 FROM outbox WHERE destination = value AND parked_at IS NULL) AS waiting,
         (SELECT min(parked_at) FROM outbox WHERE destination = value AND parked_at IS NOT NULL) AS parked_at
       FROM json_each(?)`,
      JSON.stringify(destinations),
    );
    const owed = new Map<Destination, OwedRows>();
    for (const { destination, waiting, parked_at } of rows)
      owed.set(destination, { isWaiting: waiting === 1, parkedAt: parked_at });
    return owed;
  }

  /** Makes the next call check again whether the table exists, because the object may have been emptied. */
  mayBeGone(): void {
    this.#isThere = false;
  }

  /** Returns the first rows for a destination that are not parked: at most `most`, within the limits of a delivery. */
  first(destination: Destination, most: number): OutboxRow[] {
    const rows: OutboxRow[] = [];
    let chars = 0;
    const cursor = this.#sql.exec<OutboxRow>(
      `SELECT ${COLUMNS} FROM outbox WHERE destination = ? AND parked_at IS NULL ORDER BY n LIMIT ?`,
      destination,
      most,
    );
    for (const row of cursor) {
      chars += row.body.length;
      if (rows.length > 0 && chars > DELIVERY_CHARS) break;
      rows.push(row);
    }
    return rows;
  }

  /** Removes delivered rows. A row that was replaced in the meantime has another number and is kept. */
  remove(rows: OutboxRow[]): void {
    if (rows.length === 0) return;
    const taken = JSON.stringify(rows.map(({ n }) => n));
    this.#sql.exec("DELETE FROM outbox WHERE n IN (SELECT value FROM json_each(?))", taken);
  }

  /** Returns the oldest and the newest rows for a destination that are not parked, at most `each` of both. */
  ends(destination: Destination, each: number): OutboxRow[] {
    const rows = (order: string) =>
      `SELECT * FROM (SELECT ${COLUMNS} FROM outbox WHERE destination = ?1 AND parked_at IS NULL ORDER BY n ${order} LIMIT ?2)`;
    return this.#sql.exec<OutboxRow>(`${rows("ASC")} UNION ${rows("DESC")} ORDER BY n`, destination, each).toArray();
  }

  /** Records that a destination refused these rows at `now` (ms). */
  noteRefused(rows: OutboxRow[], now: number): void {
    this.#sql.exec(
      "UPDATE outbox SET refused_at = ? WHERE refused_at IS NULL AND n IN (SELECT value FROM json_each(?))",
      now,
      JSON.stringify(rows.map(({ n }) => n)),
    );
  }

  /** Parks rows that were tried at `now` (ms). They stay in the outbox but block no others. */
  park(rows: OutboxRow[], now: number): void {
    const list = JSON.stringify(rows.map(({ n }) => n));
    this.#sql.exec("UPDATE outbox SET parked_at = ? WHERE n IN (SELECT value FROM json_each(?))", now, list);
  }

  /** Returns parked rows that were last tried before `before` (ms). */
  parked(destination: Destination, before: number, limit: number): OutboxRow[] {
    const query = `SELECT ${COLUMNS} FROM outbox WHERE destination = ? AND parked_at < ? ORDER BY parked_at, n LIMIT ?`;
    return this.#sql.exec<OutboxRow>(query, destination, before, limit).toArray();
  }
}
