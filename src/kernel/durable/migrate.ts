import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A step of an object's schema. Never change, move or remove a released step; add a new one. */
export interface Migration {
  /** The id with which the completed step is recorded. */
  id: string;
  sql: string;
}

type Storage = Pick<DurableObjectStorage, "sql" | "transactionSync">;

const TABLE =
  "CREATE TABLE migrations (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, at INTEGER NOT NULL)";

/** Returns the first step of an object's schema. It creates the tables as of release 0.3.0. */
export function firstStep(...tables: string[]): Migration {
  return { id: "release-0.3", sql: tables.join("\n") };
}

/**
 * Brings an object's tables to the newest schema by running the missing steps in one transaction. It must be called
 * when the object is created, and whenever one that holds data is built. An object that a newer release has migrated
 * further is left unchanged, so that a release can be rolled back.
 * @throws OtherSchema if the object was made with other steps
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

/** @throws OtherSchema if the object has tables from before steps were recorded */
function createTable(sql: SqlStorage): void {
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";
  const [first] = sql.exec<{ name: string }>(`${tables} LIMIT 1`).toArray();
  if (first) throw new OtherSchema(first.name);
  sql.exec(TABLE);
}

/** Thrown if the object's tables were made by steps that this release does not have. */
class OtherSchema extends Error {
  override name = "OtherSchema";

  /** @param made the unknown step or table */
  constructor(made: string) {
    super(
      `this object was stored by another version of the service (${made}), from before release 0.3.0 or newer than this one: on your machine, delete the state (STATE_DIR, or else .wrangler/state) and start again; in a deployment, deploy the version that stored it`,
    );
  }
}

const hashes = new WeakMap<Migration, string>();

/** Returns the SHA-256 of the step's text in hexadecimal. Objects that ran the step refuse any other text. */
export function hashOfStep(step: Migration): string {
  const known = hashes.get(step);
  if (known !== undefined) return known;
  const hash = bytesToHex(sha256(utf8ToBytes(step.sql)));
  hashes.set(step, hash);
  return hash;
}

/** Checks whether the object has a table with this name. The check does not write to an empty object. */
export function hasTable({ sql }: Pick<DurableObjectStorage, "sql">, name: string): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name).toArray().length > 0;
}
