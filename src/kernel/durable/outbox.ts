import { logError } from "../log.ts";
import { earliest } from "./alarm.ts";
import type { Migration } from "./migrate.ts";
import type { ObjectPart } from "./object-part.ts";

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

/** Takes rows that are owed, all or, by throwing, none. It may be handed the same row again after a crash. */
export type Deliver = (rows: Owed[]) => Promise<void>;

interface Dependencies<Destination extends string> {
  sql: SqlStorage;
  /** Where rows go, by destination. */
  deliver: Record<Destination, Deliver>;
}

/** Most rows, and most characters of them unless the first has more, in one delivery. */
export const DELIVERY_ROWS = 500;
const DELIVERY_CHARS = 4_000_000;
/** After a failure a destination is tried again, ms; the wait doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * What an object owes to others. A row is written in the transaction of the change that causes it and stays until its
 * destination has taken it, so that a crash loses nothing and may deliver twice: destinations go by the row's key or
 * revision. A row under the key of one that was not taken yet replaces it. Destinations do not wait for each other.
 */
export class Outbox<Destination extends string> implements ObjectPart {
  readonly #deps: Dependencies<Destination>;
  readonly #failures = new Map<string, { count: number; notBefore: number }>();
  /** Destinations that have rows; null until that is looked up. */
  #owing: Set<Destination> | null = null;

  constructor(deps: Dependencies<Destination>) {
    this.#deps = deps;
  }

  /** Adds a row, in the caller's transaction; arm the object's alarm once that is done. */
  add(destination: Destination, key: string, body: object): void {
    const { sql } = this.#deps;
    sql.exec("DELETE FROM outbox WHERE destination = ? AND key = ?", destination, key);
    sql.exec("INSERT INTO outbox (destination, key, body) VALUES (?, ?, ?)", destination, key, JSON.stringify(body));
    this.#owing?.add(destination);
  }

  /** Whether anything is owed: such an object must not be emptied. */
  get owes(): boolean {
    return this.#destinations.size > 0;
  }

  nextAt(): number | null {
    return earliest([...this.#destinations].map((name) => this.#failures.get(name)?.notBefore ?? 0));
  }

  resume(): void {
    this.#owing = null;
  }

  /** Delivers what is due, a batch to each destination; a failure is logged and tried again later. */
  async round(now: number): Promise<void> {
    const due = [...this.#destinations].filter((name) => (this.#failures.get(name)?.notBefore ?? 0) <= now);
    await Promise.all(due.map((name) => this.#deliver(name, now)));
  }

  async #deliver(destination: Destination, now: number): Promise<void> {
    const { sql, deliver } = this.#deps;
    const rows = this.#batch(destination);
    try {
      if (rows.length > 0) await deliver[destination](rows);
      this.#failures.delete(destination);
    } catch (error) {
      const count = (this.#failures.get(destination)?.count ?? 0) + 1;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1));
      this.#failures.set(destination, { count, notBefore: now + wait });
      logError("outbox", error, { destination });
      return;
    }
    // A row that was replaced meanwhile has another number and stays.
    const taken = JSON.stringify(rows.map(({ n }) => n));
    sql.exec("DELETE FROM outbox WHERE n IN (SELECT value FROM json_each(?))", taken);
    this.#owing = null;
  }

  #batch(destination: Destination): (Owed & { n: number })[] {
    const rows: (Owed & { n: number })[] = [];
    let chars = 0;
    const cursor = this.#deps.sql.exec<{ n: number; key: string; body: string }>(
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

  get #destinations(): Set<Destination> {
    this.#owing ??= new Set(
      this.#deps.sql
        .exec<{ destination: string }>("SELECT DISTINCT destination FROM outbox")
        .toArray()
        .flatMap(({ destination }) => (this.#isKnown(destination) ? [destination] : [])),
    );
    return this.#owing;
  }

  #isKnown(name: string): name is Destination {
    return Object.hasOwn(this.#deps.deliver, name);
  }
}
