import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { ROOT, STATE_DIR } from "./paths.ts";

export type LocalDatabase = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** wrangler's own bookkeeping, so that `wrangler d1 migrations apply --local` carries on where this left off. */
const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** The migration with which records of calls and conversations moved from the database to each account's ledger. */
const LEDGER = "0003_ledger.sql";

/** Retries of a database whose runtime has closed the idle connection. */
const TRIES = 5;

/**
 * Applies the pending migrations, each in one transaction with its bookkeeping; records from before the ledger are not
 * migrated, which is reported if there are any. @throws Error with a sentence if the database was migrated by files
 * that are not here
 */
export async function migrate(db: LocalDatabase): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      return await applyMissing(db);
    } catch (error) {
      // A busy machine notices late that an idle connection was closed. What was applied all the same is found again.
      const isLost = error instanceof TypeError && error.message === "fetch failed";
      if (!isLost || n === TRIES) throw error;
    }
  }
}

async function applyMissing(db: LocalDatabase): Promise<void> {
  await db.prepare(BOOKKEEPING).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const folder = join(ROOT, "migrations");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  if ([...applied].some((name) => !files.includes(name)))
    throw new Error(
      `the state in ${STATE_DIR} is from another version of the service; delete it, or use another folder: STATE_DIR=… npm start`,
    );
  if (applied.size > 0 && !applied.has(LEDGER) && (await hasRecords(db)))
    console.warn(
      `switchboard: the calls and conversations in ${STATE_DIR} are from an earlier edition and are not shown any more; to begin anew, delete that folder, or use another: STATE_DIR=… npm start`,
    );
  for (const name of files.filter((file) => !applied.has(file))) {
    const sql = await readFile(join(folder, name), "utf8");
    // Migrations hold no semicolon but between statements (test/process/db/migrations.test.ts).
    const statements = sql.split(";").filter((statement) => statement.trim() !== "");
    const note = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await db.batch([...statements.map((statement) => db.prepare(statement)), note]);
  }
}

/** Whether an earlier edition left calls or conversations in the database. */
async function hasRecords(db: LocalDatabase): Promise<boolean> {
  const found = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM conversations) AS found";
  return (await db.prepare(found).first<{ found: number }>())?.found === 1;
}
