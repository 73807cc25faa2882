import { VALUED_STATES } from "../analysis/analysis.ts";
import { lookedFor, type ShortValues, valuesIn } from "../analysis/brief.ts";
import type { ConversationRow } from "./report.ts";

/** Replaces the values by which a conversation can be searched, in the caller's transaction. */
export function writeValues(
  sql: SqlStorage,
  { id, started_at }: Pick<ConversationRow, "id" | "started_at">,
  values: ShortValues,
): void {
  sql.exec("DELETE FROM analysis_values WHERE conversation_id = ?", id);
  for (const state of VALUED_STATES) {
    for (const [name, value] of Object.entries(valuesIn(values, [state]))) {
      sql.exec(
        "INSERT INTO analysis_values (id, conversation_id, name, value, state, started_at) VALUES (?, ?, ?, ?, ?, ?)",
        `${id}/${name}`,
        id,
        name,
        lookedFor(value),
        state,
        started_at,
      );
    }
  }
}
