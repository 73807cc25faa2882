/** A step of an object's schema. Released steps are never changed, moved or removed: every change is a new step. */
export interface Migration {
  /** The id under which a completed step is recorded. */
  id: string;
  sql: string;
}

type Storage = Pick<DurableObjectStorage, "sql" | "transactionSync">;

const TABLE =
  "CREATE TABLE IF NOT EXISTS migrations (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL)";

/**
 * Brings an object's tables to the newest schema: runs the steps it does not have yet, all of them or, where one fails,
 * none. To be called when the object is created and whenever one that holds data is built. An object that a newer
 * release has migrated further is left as it is, so that a release can be rolled back.
 * @throws TypeError where the recorded steps are not the first of `steps`: history was rewritten
 */
export function migrate(storage: Storage, steps: readonly Migration[], now: number): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec(TABLE);
    const applied = sql.exec<{ id: string }>("SELECT id FROM migrations ORDER BY n").toArray();
    for (const [n, { id }] of applied.entries()) {
      const step = steps[n];
      if (step && step.id !== id) throw new TypeError(`migration ${n} was ${id} and is now ${step.id}`);
    }
    for (const [n, step] of steps.entries()) {
      if (n < applied.length) continue;
      sql.exec(step.sql);
      sql.exec("INSERT INTO migrations VALUES (?, ?, ?)", n, step.id, now);
    }
  });
}

/** Whether the object has a table of this name; the check does not write to an empty object. */
export function hasTable({ sql }: Pick<DurableObjectStorage, "sql">, name: string): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name).toArray().length > 0;
}
