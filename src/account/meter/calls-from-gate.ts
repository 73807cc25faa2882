import type { Migration } from "../../kernel/durable/migrate.ts";
import type { HeldRow } from "../gate/calls-for-meter.ts";

export const CALLS_FROM_GATE: Migration = {
  id: "calls-from-gate",
  sql: "CREATE TABLE calls_from_gate (taken_at INTEGER NOT NULL)",
};

interface Dependencies {
  storage: DurableObjectStorage;
  /** The calls that the gate still holds, until the meter confirms that it has them. */
  heldByGate(): Promise<HeldRow[]>;
  /** Opens the meter's tables. */
  open(): void;
  /** The calls are the meter's now. */
  taken(): Promise<void>;
}

const COLUMNS: Record<HeldRow["name"], string[]> = {
  call_leases: ["call_id", "campaign", "admitted_at", "expires_at", "look_at", "looked_at", "hang_up"],
  admissions: ["at", "calls"],
  days: ["day", "calls"],
  turns: ["campaign", "called_at"],
};
const TABLES = Object.keys(COLUMNS) as HeldRow["name"][];

/**
 * Takes over what the account's gate counted before there was a meter: once, before the meter admits its first call. The
 * rows and the note that they were taken are written together, and the gate forgets them only after that, so that a crash
 * in between loses no call and counts none twice.
 */
export class CallsFromGate {
  readonly #deps: Dependencies;
  #underWay: Promise<void> | null = null;
  #done = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Resolves when the meter has all the account's calls; rejects if the gate cannot be reached. */
  async done(): Promise<void> {
    if (this.#done) return;
    this.#underWay ??= this.#take().finally(() => {
      this.#underWay = null;
    });
    await this.#underWay;
  }

  async #take(): Promise<void> {
    const { storage, heldByGate, open, taken } = this.#deps;
    open();
    if (this.#isNoted()) {
      this.#done = true;
      return;
    }
    const rows = await heldByGate();
    storage.transactionSync(() => {
      for (const table of TABLES) this.#insert(table, rows);
      storage.sql.exec("INSERT INTO calls_from_gate (taken_at) VALUES (?)", Date.now());
    });
    this.#done = true;
    if (rows.length > 0) await taken();
  }

  #isNoted(): boolean {
    return this.#deps.storage.sql.exec("SELECT 1 FROM calls_from_gate").toArray().length > 0;
  }

  #insert(table: HeldRow["name"], rows: HeldRow[]): void {
    const columns = COLUMNS[table];
    const values = columns.map((column) => `value ->> '${column}'`).join(", ");
    for (const row of rows) {
      if (row.name !== table) continue;
      this.#deps.storage.sql.exec(
        `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values} FROM (SELECT ? value)`,
        row.columns,
      );
    }
  }
}
