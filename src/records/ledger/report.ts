import type { Act } from "../../kernel/db/account-store.ts";
import type { AnalysisReport } from "../analysis/brief.ts";
import type { ConversationUsage, ModelShare } from "../prices/conversation-usage.ts";
import type { Rate } from "../prices/cost.ts";
import type { calls, conversations, questions, recordings, toolRuns } from "./schema.ts";

export type CallRow = typeof calls.$inferSelect;
export type ConversationRow = typeof conversations.$inferSelect;
export type RecordingRow = typeof recordings.$inferSelect;
export type ToolRunRow = typeof toolRuns.$inferSelect;

/** A question for which a search of a conversation found nothing. */
export type AskedQuestion = Omit<typeof questions.$inferSelect, "conversation_id" | "agent_id">;

/** The line of a call: the carrier's side and the outcome, as its writer knows them. */
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
  | "uncounted"
>;

/** Model usage outside conversations, such as in tests of agents. */
export interface UsageRow extends Pick<ConversationUsage, "input_tokens" | "cached_tokens" | "output_tokens"> {
  id: string;
  /** The kind under which it is counted. */
  kind: string;
  agent_id: string;
  agent_version: number | null;
  api_key_id: string | null;
  /** The usage by model; omitted if only one model answered. */
  models?: ModelShare[];
  /** The prices that apply. */
  rates: Rate[];
}

/**
 * A report to the ledger: facts, never increments. Each part has one writer, which numbers its revisions from 1; a
 * report applies if its revision is higher than the stored one. Reports may arrive twice, in any order, and before the
 * line of their call.
 */
export type LedgerReport =
  | { part: "line"; id: string; revision: number; line: CallLine }
  /** A hang-up of the call was requested. */
  | { part: "hangup"; id: string }
  /**
   * A conversation with its revision, and once it has ended the questions that replace its recorded ones. It is also
   * recorded at its call.
   */
  | { part: "conversation"; row: ConversationRow; questions?: AskedQuestion[] }
  /** The analysis of a recorded conversation. */
  | { part: "analysis"; id: string; analysis: AnalysisReport }
  /** A recording. It never changes. */
  | { part: "recording"; row: RecordingRow }
  /** A finished tool run. It never changes. */
  | { part: "tool_run"; row: ToolRunRow }
  /** Model usage outside conversations. It never changes. */
  | { part: "usage"; row: UsageRow }
  /** An act's audit entry, stored in the volume of the id `locator`. */
  | { part: "act"; locator: string; act: Act };

/** Returns the reports of a requested hang-up, with its audit entry. */
export function hangUpReports(id: string, act: Act): LedgerReport[] {
  return [
    { part: "hangup", id },
    { part: "act", locator: id, act },
  ];
}

/** Returns the id whose time determines the report's volume. */
export function locatorOf(report: LedgerReport): string {
  switch (report.part) {
    case "line":
    case "hangup":
    case "analysis":
      return report.id;
    case "act":
      return report.locator;
    case "tool_run":
      return report.row.conversation_id ?? report.row.id;
    default:
      return report.row.id;
  }
}

/** The line of a call until it is reported: other parts of the call may be reported first. */
export const NO_LINE: CallLine = {
  direction: "outbound",
  status: "queued",
  agent_id: "",
  agent_version: null,
  campaign_id: null,
  contact_id: null,
  api_key_id: null,
  from_number: "",
  to_number: "",
  provider: "",
  credentials_id: null,
  provider_call_id: null,
  end_reason: null,
  started_at: null,
  connected_at: null,
  ended_at: null,
  disclosure: null,
  recorded: false,
  voicemail: null,
  message: null,
  message_until: null,
  metadata: {},
  variables: {},
  own_metadata: {},
};
