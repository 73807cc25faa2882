/**
 * The ids of rows that were removed before their retention ended, so that a late report does not restore them. After a
 * call's id is added, nothing more can be recorded about the call.
 */
export class Removals {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  has(id: string): boolean {
    return this.#sql.exec("SELECT 1 FROM removed WHERE id = ?", id).toArray().length > 0;
  }

  /**
   * Removes conversations with their found values and questions, unlinks their tool runs, and returns the calls of the conversations.
   */
  conversations(ids: string[]): { call_id: string | null }[] {
    const list = JSON.stringify(ids);
    this.#sql.exec(
      "UPDATE tool_runs SET conversation_id = NULL WHERE conversation_id IN (SELECT value FROM json_each(?))",
      list,
    );
    for (const table of ["analysis_values", "questions"])
      this.#sql.exec(`DELETE FROM ${table} WHERE conversation_id IN (SELECT value FROM json_each(?))`, list);
    return this.#remove("conversations", list);
  }

  recordings(ids: string[]): { call_id: string }[] {
    return this.#remove("recordings", JSON.stringify(ids));
  }

  #remove<CallId extends string | null>(table: "conversations" | "recordings", list: string): { call_id: CallId }[] {
    this.#sql.exec("INSERT OR IGNORE INTO removed (id) SELECT value FROM json_each(?)", list);
    return this.#sql
      .exec<{ call_id: CallId }>(
        `DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) RETURNING call_id`,
        list,
      )
      .toArray();
  }
}
