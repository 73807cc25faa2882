import type { LedgerReport, ToolRunRow } from "../../../records/ledger/report.ts";

/** Most characters of an error that are kept. */
const MAX_ERROR_CHARS = 500;

/** The report of one run of a tool: when and how it went, never what was said. */
export function toolRunReport(row: ToolRunRow): LedgerReport {
  return { part: "tool_run", row: Object.assign({}, row, { error: row.error?.slice(0, MAX_ERROR_CHARS) ?? null }) };
}
