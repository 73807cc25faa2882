import type { AnalysisReport, PastAnalyses } from "../analysis/brief.ts";
import { fitted, NO_PAST } from "../analysis/brief.ts";
import { analysisContributions, totalOf } from "./counters.ts";
import type { ConversationRow } from "./report.ts";

/** Keeps the recorded analysis in a newly reported conversation, because the analysis is reported by another writer. */
export function withAnalysis(row: ConversationRow, before: ConversationRow | null): ConversationRow {
  if (!before?.analysis_brief) return row;
  const { analysis_status, successful, analysis_brief } = before;
  return Object.assign({}, row, { analysis_status, successful, analysis_brief });
}

/** Applies a report of an analysis to its conversation; null if the same or a later report is already recorded. */
export function analyzed(before: ConversationRow, report: AnalysisReport): ConversationRow | null {
  const recorded = before.analysis_brief;
  const { run, revision, operation, reason, model, usage, rates, status } = report;
  if (recorded && (recorded.run > run || (recorded.run === run && recorded.revision >= revision))) return null;
  const past = recorded && recorded.run < run ? sumsOf(before) : (recorded?.past ?? NO_PAST);
  const short = fitted(report);
  const analysis_brief = Object.assign({ run, revision, operation, reason, model, usage, rates, past }, short);
  const successful = status === "pending" ? null : report.successful;
  return Object.assign({}, before, { analysis_status: status, successful, analysis_brief });
}

function sumsOf(row: ConversationRow): PastAnalyses {
  const contributions = analysisContributions(row);
  return {
    input_tokens: totalOf(contributions, "input_tokens"),
    cached_tokens: totalOf(contributions, "cached_tokens"),
    output_tokens: totalOf(contributions, "output_tokens"),
    cost_micros: totalOf(contributions, "cost_micros"),
    cost_incomplete: totalOf(contributions, "cost_incomplete"),
    model: contributions[1]?.key.model ?? "",
  };
}
