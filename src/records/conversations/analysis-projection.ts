import { type Analysis, type Findings, NO_ANALYSIS_USE, NOTHING_FOUND, type Verdict } from "../analysis/analysis.ts";
import type { ConversationRow } from "../ledger/report.ts";

type Row = Pick<ConversationRow, "analysis_status" | "successful" | "analysis_brief" | "agent_version">;

interface Listed {
  status: Analysis["status"];
  successful: Verdict;
  summary: string | null;
}

/** Returns the analysis as lists show it; null if there is none. */
export function listedAnalysis({
  analysis_status: status,
  successful,
  analysis_brief,
}: Pick<Row, "analysis_status" | "successful" | "analysis_brief">): Listed | null {
  return status && { status, successful: successful ?? "unknown", summary: analysis_brief?.summary ?? null };
}

/** Returns the analysis stored in a row, with its findings if they were read; null if there is none. */
export function analysisOf(row: Row, findings: Findings | null): Analysis | null {
  const { analysis_status: status, agent_version, analysis_brief } = row;
  if (status === null) return null;
  const { reason = null, model = null, usage = NO_ANALYSIS_USE, summary = null } = analysis_brief ?? {};
  const found = findings ?? Object.assign({}, NOTHING_FOUND, { summary, successful: row.successful ?? "unknown" });
  return Object.assign({ status, reason, model, agent_version, usage }, found);
}
