import type { Miniflare } from "miniflare";
import {
  type AppliedMigration,
  changedSince,
  HASHES_TABLE,
  type MigrationFile,
  migrationFiles,
} from "./migration-files.ts";
import { STATE_DIR } from "./paths.ts";

export type LocalDatabase = Awaited<ReturnType<Miniflare["getD1Database"]>>;
type D1Statement = ReturnType<LocalDatabase["prepare"]>;

/** wrangler's own table, so that `wrangler d1 migrations apply --local` continues from here. */
const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** How often a migration is tried if the runtime has closed the idle connection. */
const TRIES = 5;

/**
 * Applies the pending migrations, each in one transaction with its record. @throws Error with a sentence if a migration
 * that the database has is missing here or was changed since
 */
export async function migrate(db: LocalDatabase): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      return await applyMissing(db);
    } catch (error) {
      // A busy machine notices late that an idle connection was closed. Migrations that were nevertheless applied are
      // found by the retry.
      const isLost = error instanceof TypeError && error.message === "fetch failed";
      if (!isLost || n === TRIES) throw error;
    }
  }
}

async function applyMissing(db: LocalDatabase): Promise<void> {
  await db.prepare(BOOKKEEPING).run();
  await db.prepare(HASHES_TABLE).run();
  const { results } = await db
    .prepare("SELECT name, hash FROM d1_migrations LEFT JOIN migration_hashes USING (name)")
    .all<AppliedMigration>();
  const files = await migrationFiles();
  assertOfThisVersion(results, files);
  const applied = new Map(results.map(({ name, hash }) => [name, hash]));
  for (const file of files) {
    const noteHash = db.prepare("INSERT INTO migration_hashes (name, hash) VALUES (?, ?)").bind(file.name, file.hash);
    if (!applied.has(file.name)) await apply(db, file, noteHash);
    // wrangler applied it without storing its hash.
    else if (applied.get(file.name) === null) await noteHash.run();
  }
}

/** @throws Error with a sentence */
function assertOfThisVersion(applied: AppliedMigration[], files: MigrationFile[]): void {
  if (applied.some(({ name }) => !files.some((file) => file.name === name)))
    throw new Error(
      `the state in ${STATE_DIR} is from another version of the service, from before release 0.3.0 or newer than this one; delete it (rm -r '${STATE_DIR}'), or use another folder: STATE_DIR=… npm start`,
    );
  const changed = changedSince(applied, files);
  if (changed.length > 0)
    throw new Error(
      `${changed.join(", ")} changed after they were applied to the state in ${STATE_DIR}; delete that state (rm -r '${STATE_DIR}'), or use another folder: STATE_DIR=… npm start`,
    );
}

/**
 * Applies a migration in one transaction with its record. All its statements are sent as one text, because each
 * prepared statement takes a round trip to the runtime.
 */
async function apply(db: LocalDatabase, { name, sql }: MigrationFile, noteHash: D1Statement): Promise<void> {
  const note = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
  await db.batch([db.prepare(sql), note, noteHash]);
}
