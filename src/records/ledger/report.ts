import type { Act } from "../../kernel/db/account-store.ts";
import type { AnalysisReport } from "../analysis/brief.ts";
import type { ConversationUsage, ModelShare } from "../prices/conversation-usage.ts";
import type { Rate } from "../prices/cost.ts";
import type { calls, conversations, recordings, toolRuns } from "./schema.ts";

export type CallRow = typeof calls.$inferSelect;
export type ConversationRow = typeof conversations.$inferSelect;
export type RecordingRow = typeof recordings.$inferSelect;
export type ToolRunRow = typeof toolRuns.$inferSelect;

/** What the line's writer knows about a call: its carrier's side and its outcome. */
export type CallLine = Omit<
  CallRow,
  | "id"
  | "line_revision"
  | "created_at"
  | "stage"
  | "disclosed"
  | "disclosed_at"
  | "conversation_id"
  | "transferred_to"
  | "recording_id"
  | "hangup_requested"
>;

/** Model usage outside conversations, such as by tests of agents. */
export interface UsageRow extends Pick<ConversationUsage, "input_tokens" | "cached_tokens" | "output_tokens"> {
  id: string;
  /** What it is counted as. */
  kind: string;
  agent_id: string;
  agent_version: number | null;
  api_key_id: string | null;
  /** The same by model; left out if one model answered. */
  models?: ModelShare[];
  /** The prices that apply to it. */
  rates: Rate[];
}

/**
 * What is reported to the ledger: facts, never increments. Each part has one writer, who numbers its revisions from 1;
 * a part applies if its revision is higher than the stored one. Parts may come twice, in any order, and before the line
 * of their call.
 */
export type LedgerReport =
  | { part: "line"; id: string; revision: number; line: CallLine }
  /** A hang-up of the call was requested. */
  | { part: "hangup"; id: string }
  /** A conversation, with its revision; that of a call is recorded there too. */
  | { part: "conversation"; row: ConversationRow }
  /** The analysis of a conversation that is on record. */
  | { part: "analysis"; id: string; analysis: AnalysisReport }
  /** A recording, which never changes. */
  | { part: "recording"; row: RecordingRow }
  /** A tool run that is over, which never changes. */
  | { part: "tool_run"; row: ToolRunRow }
  /** Model usage outside conversations, which never changes. */
  | { part: "usage"; row: UsageRow }
  /** The audit entry of an act, stored in the volume of the id `place`. */
  | { part: "act"; place: string; act: Act };

/** The id whose instant determines the report's volume. */
export function placeOf(report: LedgerReport): string {
  switch (report.part) {
    case "line":
    case "hangup":
    case "analysis":
      return report.id;
    case "act":
      return report.place;
    case "tool_run":
      return report.row.conversation_id ?? report.row.id;
    default:
      return report.row.id;
  }
}
