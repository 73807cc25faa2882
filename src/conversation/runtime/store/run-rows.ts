import type { Effect } from "../../../agent/tools/effect.ts";
import type { RunState } from "../tools/run-state.ts";

/** A tool run of a conversation. Times are ms. */
export type RunRow = {
  /** Sent to the service as Idempotency-Key. */
  id: string;
  name: string;
  /** The tool call that first requested it. */
  tool_call_id: string;
  effect: Effect;
  state: RunState;
  requested_at: number;
  /** When its request was sent; null if none was. */
  started_at: number | null;
  ended_at: number | null;
  /** The HTTP status of the answer, null if none came. */
  status: number | null;
  error: string | null;
  /** Whether its process was lost while it ran. */
  lost: number;
  /** Whether it was reported to the ledger. */
  listed: number;
};
export type RunChanges = Partial<Omit<RunRow, "id" | "name" | "tool_call_id" | "requested_at">>;

interface Dependencies {
  sql: SqlStorage;
  /** Schedules a write for the next flush. */
  write(write: () => void): void;
}

/** A conversation's tool runs: in memory, where a change applies at once, and in the object's table. */
export class RunRows {
  readonly #deps: Dependencies;
  readonly #rows = new Map<string, RunRow>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  load(): void {
    for (const row of this.#deps.sql.exec<RunRow>("SELECT * FROM tool_runs ORDER BY requested_at, id"))
      this.#rows.set(row.id, row);
  }

  /** All runs in order of their requests. */
  get all(): RunRow[] {
    return [...this.#rows.values()];
  }

  find(id: string): RunRow | null {
    return this.#rows.get(id) ?? null;
  }

  add(row: RunRow): void {
    this.#rows.set(row.id, row);
    const { sql, write } = this.#deps;
    const names = Object.keys(row);
    const values = Object.values(row);
    write(() => {
      const marks = names.map(() => "?").join(", ");
      sql.exec(`INSERT INTO tool_runs (${names.join(", ")}) VALUES (${marks})`, ...values);
    });
  }

  /** Changes a run, unless it was removed. */
  update(id: string, changes: RunChanges): void {
    const before = this.#rows.get(id);
    if (!before) return;
    this.#rows.set(id, Object.assign({}, before, changes));
    const { sql, write } = this.#deps;
    const assignments = Object.keys(changes).map((name) => `${name} = ?`);
    const values = Object.values(changes);
    write(() => sql.exec(`UPDATE tool_runs SET ${assignments.join(", ")} WHERE id = ?`, ...values, id));
  }

  /** Deletes a run that never started. */
  remove(id: string): void {
    if (!this.#rows.delete(id)) return;
    const { sql, write } = this.#deps;
    write(() => sql.exec("DELETE FROM tool_runs WHERE id = ?", id));
  }

  /** Removes all runs from memory after their tables were deleted. */
  clear(): void {
    this.#rows.clear();
  }
}
