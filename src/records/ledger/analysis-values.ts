import { type AnalysisReport, lookedFor } from "../analysis/brief.ts";
import type { ConversationRow } from "./report.ts";

/** Writes by what values a conversation can be found, in the caller's transaction, in place of those before. */
export function writeValues(
  sql: SqlStorage,
  { id, started_at }: Pick<ConversationRow, "id" | "started_at">,
  { data }: Pick<AnalysisReport, "data">,
): void {
  sql.exec("DELETE FROM analysis_values WHERE conversation_id = ?", id);
  for (const [name, value] of Object.entries(data)) {
    sql.exec(
      "INSERT INTO analysis_values (id, conversation_id, name, value, started_at) VALUES (?, ?, ?, ?, ?)",
      `${id}/${name}`,
      id,
      name,
      lookedFor(value),
      started_at,
    );
  }
}
