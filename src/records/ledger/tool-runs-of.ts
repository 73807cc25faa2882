import type { Ledger } from "./ledger.ts";
import type { ToolRunRow } from "./report.ts";
import { KEPT_RUNS } from "./tool-run-queries.ts";

/** Returns a tool's last runs over all volumes since a time, newest first. */
export async function toolRunsOf(ledger: Ledger, tool_name: string, since: string): Promise<ToolRunRow[]> {
  const volumes = await ledger.volumes();
  const found = await Promise.all(volumes.map((volume) => volume.lastToolRuns(tool_name, since)));
  return found
    .flat()
    .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
    .slice(0, KEPT_RUNS);
}
