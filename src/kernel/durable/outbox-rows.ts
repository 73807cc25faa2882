import type { Migration } from "./migrate.ts";
import { hasTable } from "./migrate.ts";

/** The step of an object's schema that adds its outbox. */
export const OUTBOX: Migration = {
  id: "outbox",
  sql: `
    CREATE TABLE outbox (
      n INTEGER PRIMARY KEY AUTOINCREMENT, destination TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
      UNIQUE (destination, key)
    );
    CREATE INDEX outbox_order ON outbox (destination, n);
  `,
};

/** Something that is owed: what it is called at its destination, and the JSON that goes there. */
export interface Owed {
  key: string;
  body: string;
}

/** A row of the outbox, by its number. */
export type OutboxRow = { n: number; key: string; body: string };

/** Most rows, and most characters of them unless the first has more, in one delivery. */
export const DELIVERY_ROWS = 500;
/** Readers of the object or its destination wait for a delivery that is under way. */
const DELIVERY_CHARS = 500_000;

/** The rows of an object's outbox, as they are stored. An object that holds nothing owes nothing. */
export class OutboxRows<Destination extends string> {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a row in the caller's transaction; it replaces one under its key that was not taken yet. */
  add(destination: Destination, key: string, body: object): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (destination, key, body) VALUES (?, ?, ?)",
      destination,
      key,
      JSON.stringify(body),
    );
  }

  has(destination: Destination): boolean {
    if (!hasTable({ sql: this.#sql }, "outbox")) return false;
    return this.#sql.exec("SELECT 1 FROM outbox WHERE destination = ? LIMIT 1", destination).toArray().length > 0;
  }

  /** The first rows for a destination, as many as go out at once. */
  first(destination: Destination): OutboxRow[] {
    const rows: OutboxRow[] = [];
    let chars = 0;
    const cursor = this.#sql.exec<OutboxRow>(
      "SELECT n, key, body FROM outbox WHERE destination = ? ORDER BY n LIMIT ?",
      destination,
      DELIVERY_ROWS,
    );
    for (const row of cursor) {
      chars += row.body.length;
      if (rows.length > 0 && chars > DELIVERY_CHARS) break;
      rows.push(row);
    }
    return rows;
  }

  /** Removes rows that were taken; one that was replaced meanwhile has another number and stays. */
  remove(rows: OutboxRow[]): void {
    if (rows.length === 0) return;
    const taken = JSON.stringify(rows.map(({ n }) => n));
    this.#sql.exec("DELETE FROM outbox WHERE n IN (SELECT value FROM json_each(?))", taken);
  }
}
