import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Opens a stored campaign's database. The service must be stopped, because only its own code may use the database while
 * it runs.
 * @throws Error if there is no such campaign
 */
function inStoredCampaign<T>(stateDir: string, id: string, work: (database: DatabaseSync) => T): T {
  for (const file of globSync(join(stateDir, "**/*.sqlite"))) {
    const database = new DatabaseSync(file);
    try {
      if (holds(database, id)) return work(database);
    } finally {
      database.close();
    }
  }
  throw new Error(`no campaign ${id} in ${stateDir}`);
}

function holds(database: DatabaseSync, id: string): boolean {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'campaign' AND type = 'table'").get();
  // Neither the list of campaigns nor any other object has a table of this name.
  return table !== undefined && database.prepare("SELECT 1 FROM campaign WHERE id = ?").get(id) !== undefined;
}

/** Pauses a stored campaign and fails its pending contacts, with each of the outcomes in turn. */
export function failEverybody(stateDir: string, id: string, outcomes: string[]): void {
  inStoredCampaign(stateDir, id, (database) => {
    const outcome = outcomes.map((name, i) => `WHEN ${i} THEN '${name}'`).join(" ");
    database.exec(`
      BEGIN;
      UPDATE contacts SET status = 'failed', outcome = CASE id % ${outcomes.length} ${outcome} END, attempts = 1, next_attempt_at = NULL
      WHERE status = 'pending';
      UPDATE campaign SET status = 'paused', failed = failed + pending, pending = 0;
      COMMIT;`);
  });
}
