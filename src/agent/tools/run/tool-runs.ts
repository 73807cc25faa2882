import type { LedgerReport, ToolRunRow } from "../../../records/ledger/report.ts";

/** The maximum number of characters of an error that are stored. */
const MAX_ERROR_CHARS = 500;

/** Returns the report of a tool's run: its time and outcome, but nothing that was said. */
export function toolRunReport(row: ToolRunRow): LedgerReport {
  return { part: "tool_run", row: Object.assign({}, row, { error: row.error?.slice(0, MAX_ERROR_CHARS) ?? null }) };
}
