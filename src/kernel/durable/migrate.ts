import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A step of an object's schema. Released steps are never changed, moved or removed: every change is a new step. */
export interface Migration {
  /** The id under which a completed step is recorded. */
  id: string;
  sql: string;
}

type Storage = Pick<DurableObjectStorage, "sql" | "transactionSync">;

const TABLE =
  "CREATE TABLE migrations (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, at INTEGER NOT NULL)";

/** Returns the first step of an object's schema: all of its tables, as they are in release 0.3.0. */
export function firstStep(...tables: string[]): Migration {
  return { id: "release-0.3", sql: tables.join("\n") };
}

/**
 * Brings an object's tables to the newest schema: runs the steps it does not have yet, all of them or, where one fails,
 * none. To be called when the object is created and whenever one that holds data is built. An object that a newer
 * release has migrated further is left as it is, so that a release can be rolled back.
 * @throws OtherSchema where the object was made with other steps than these
 */
export function migrate(storage: Storage, steps: readonly Migration[], now: number): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    if (!hasTable(storage, "migrations")) createTable(sql);
    const applied = sql.exec<{ id: string; hash?: string }>("SELECT * FROM migrations ORDER BY n").toArray();
    for (const [n, { id, hash }] of applied.entries()) {
      const step = steps[n];
      if (step && (step.id !== id || hashOfStep(step) !== hash)) throw new OtherSchema(id);
    }
    for (const [n, step] of steps.entries()) {
      if (n < applied.length) continue;
      sql.exec(step.sql);
      sql.exec("INSERT INTO migrations (n, id, hash, at) VALUES (?, ?, ?, ?)", n, step.id, hashOfStep(step), now);
    }
  });
}

/** @throws OtherSchema where there are tables already: they were made before steps were recorded */
function createTable(sql: SqlStorage): void {
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";
  const [first] = sql.exec<{ name: string }>(`${tables} LIMIT 1`).toArray();
  if (first) throw new OtherSchema(first.name);
  sql.exec(TABLE);
}

/** The object's tables were made by steps that this version of the service does not have. */
export class OtherSchema extends Error {
  override name = "OtherSchema";

  /** @param made the step, or the table, that is not of this version */
  constructor(made: string) {
    super(
      `this object was stored by another version of the service (${made}), from before release 0.3.0 or newer than this one: on your machine, delete the state (STATE_DIR, or else .wrangler/state) and start again; in a deployment, deploy the version that stored it`,
    );
  }
}

const hashes = new WeakMap<Migration, string>();

/** Returns the SHA-256 of the step's text, hexadecimal. Its objects refuse it with any other text. */
export function hashOfStep(step: Migration): string {
  const known = hashes.get(step);
  if (known !== undefined) return known;
  const hash = bytesToHex(sha256(utf8ToBytes(step.sql)));
  hashes.set(step, hash);
  return hash;
}

/** Whether the object has a table of this name; the check does not write to an empty object. */
export function hasTable({ sql }: Pick<DurableObjectStorage, "sql">, name: string): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name).toArray().length > 0;
}
