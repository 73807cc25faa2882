import type { SweepCursor } from "./row-sweep.ts";

/** Where an erasure continues: after a history entry, or in the sweep of the other tables. */
export type ErasureCursor = { history: number } | SweepCursor;

export type ErasedCounts = Record<CountedKind, number>;
type CountedKind = "contacts" | "contact_attempts" | "history_entries" | "import_rows" | "mentions";

/** The erasure of a person in this campaign. It doesn't contain the number. */
export interface ErasureRow {
  id: string;
  /** The person's contacts, by row. */
  contacts: number[];
  /** Contacts that had the number earlier and now have another. */
  formerly: number[];
  counts: ErasedCounts;
  /** Null once all tables were swept. */
  cursor: ErasureCursor | null;
  /** The first history entry that was rehashed; null if there is none yet. */
  rewritten_from: number | null;
  /** Whether the history is being rehashed, so that its hashes may currently be inconsistent. */
  rewriting: boolean;
  done: boolean;
}

type Stored = {
  id: string;
  contacts: string;
  formerly: string;
  counts: string;
  cursor: string | null;
  rewritten_from: number | null;
  rewriting: number;
  done: number;
};

export const NOTHING_ERASED: Readonly<ErasedCounts> = {
  contacts: 0,
  contact_attempts: 0,
  history_entries: 0,
  import_rows: 0,
  mentions: 0,
};

/** The erasures in the campaign. Each is kept, so that repeating it counts nothing twice. */
export class ErasureStore {
  readonly #sql: SqlStorage;

  /** How often this instance has changed hashes of the history. */
  rewrites = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(id: string): ErasureRow | null {
    const [row] = this.#sql.exec<Stored>("SELECT * FROM erasures WHERE id = ?", id).toArray();
    if (!row) return null;
    return {
      id: row.id,
      contacts: JSON.parse(row.contacts),
      formerly: JSON.parse(row.formerly),
      counts: JSON.parse(row.counts),
      cursor: row.cursor === null ? null : JSON.parse(row.cursor),
      rewritten_from: row.rewritten_from,
      rewriting: row.rewriting === 1,
      done: row.done === 1,
    };
  }

  /** Stores the progress, in the transaction that made it. */
  put(row: ErasureRow): void {
    if (row.rewriting || this.get(row.id)?.rewritten_from !== row.rewritten_from) this.rewrites++;
    this.#sql.exec(
      `INSERT OR REPLACE INTO erasures (id, contacts, formerly, counts, cursor, rewritten_from, rewriting, done)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      JSON.stringify(row.contacts),
      JSON.stringify(row.formerly),
      JSON.stringify(row.counts),
      row.cursor && JSON.stringify(row.cursor),
      row.rewritten_from,
      row.rewriting ? 1 : 0,
      row.done ? 1 : 0,
    );
  }

  /** Whether the history is being rehashed, so that its hashes may not match. */
  get rewriting(): boolean {
    return this.#sql.exec("SELECT 1 FROM erasures WHERE rewriting = 1 LIMIT 1").toArray().length > 0;
  }
}
