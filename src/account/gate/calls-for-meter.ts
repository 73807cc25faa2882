import { hasTable, type Migration } from "../../kernel/durable/migrate.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";

/** A row of calls that the gate held: its table, and its columns as JSON. */
export interface HeldRow {
  name: "call_leases" | "admissions" | "days" | "turns";
  columns: string;
}

/**
 * Calls that releases before the meter kept here, set aside until the meter has taken them. Done in one step with
 * dropping the old tables, so that no call is admitted by two objects.
 */
export const CALLS_FOR_METER: Migration = {
  id: "calls-go-to-the-meter",
  sql: `
    CREATE TABLE calls_for_meter (name TEXT NOT NULL, columns TEXT NOT NULL);
    INSERT INTO calls_for_meter SELECT 'call_leases', json_object(
      'call_id', call_id, 'campaign', campaign, 'admitted_at', admitted_at, 'expires_at', expires_at,
      'look_at', look_at, 'looked_at', looked_at, 'hang_up', hang_up
    ) FROM call_leases;
    INSERT INTO calls_for_meter SELECT 'admissions', json_object('at', at, 'calls', calls) FROM admissions;
    INSERT INTO calls_for_meter SELECT 'days', json_object('day', day, 'calls', calls) FROM days;
    INSERT INTO calls_for_meter
      SELECT 'turns', json_object('campaign', campaign, 'called_at', called_at) FROM turns ORDER BY place;
    DROP TABLE call_leases;
    DROP TABLE admissions;
    DROP TABLE days;
    DROP TABLE turns;
  `,
};

interface Dependencies {
  storage: DurableObjectStorage;
  /** Hands the calls over to the meter; resolves once the meter has stored them. */
  meterTakesOver(): Promise<void>;
}

/** Hands the calls that an earlier release of the gate admitted over to the account's meter. */
export class CallsForMeter implements ObjectPart {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether there are any that the meter may not have yet. */
  get hasPending(): boolean {
    return this.rows().length > 0;
  }

  /** All of them, in order; the same again until the meter has them. */
  rows(): HeldRow[] {
    const { storage } = this.#deps;
    if (!hasTable(storage, "calls_for_meter")) return [];
    return storage.sql
      .exec<HeldRow & Record<string, SqlStorageValue>>("SELECT name, columns FROM calls_for_meter ORDER BY rowid")
      .toArray();
  }

  dueAt(): number | null {
    return this.hasPending ? 0 : null;
  }

  async run(): Promise<void> {
    const { storage, meterTakesOver } = this.#deps;
    await meterTakesOver();
    storage.sql.exec("DELETE FROM calls_for_meter");
  }
}
