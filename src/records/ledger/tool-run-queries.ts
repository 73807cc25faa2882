import { desc, eq, gte } from "drizzle-orm";
import type { DrizzleSqliteDODatabase } from "drizzle-orm/durable-sqlite";
import { all } from "../../kernel/db/conditions.ts";
import type { ToolRunRow } from "./report.ts";
import { toolRuns } from "./schema.ts";

export const KEPT_RUNS = 100;
/** The most runs deleted when one is stored. It is more than one, so that a backlog shrinks. */
const PRUNED_ROWS = 10;

/** Deletes all but a tool's last runs. The index alone finds the runs to delete. */
export function pruneToolRuns(sql: SqlStorage, tool_name: string): void {
  sql.exec(
    `DELETE FROM tool_runs WHERE id IN
      (SELECT id FROM tool_runs WHERE tool_name = ? ORDER BY at DESC, id DESC LIMIT ${PRUNED_ROWS} OFFSET ${KEPT_RUNS})`,
    tool_name,
  );
}

/** Returns a tool's last runs in a volume since a time, newest first. */
export function lastToolRuns(db: DrizzleSqliteDODatabase, tool_name: string, since: string): ToolRunRow[] {
  return db
    .select()
    .from(toolRuns)
    .where(all(eq(toolRuns.tool_name, tool_name), gte(toolRuns.at, since)))
    .orderBy(desc(toolRuns.at), desc(toolRuns.id))
    .limit(KEPT_RUNS)
    .all();
}

export function deleteToolRuns(db: DrizzleSqliteDODatabase, tool_name: string): void {
  db.delete(toolRuns).where(eq(toolRuns.tool_name, tool_name)).run();
}
