import { hasTable, type Migration } from "../../kernel/durable/migrate.ts";

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

/** Retry delay after the meter failed to take them over, ms. */
export const HANDOVER_RETRY_MS = 2_000;

interface Dependencies {
  storage: DurableObjectStorage;
  /** Hands the calls over to the meter; resolves once the meter has stored them. */
  meterTakesOver(): Promise<void>;
  report(error: unknown): void;
}

/** Hands the calls that an earlier release of the gate admitted over to the account's meter. */
export class CallsForMeter {
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

  /** After a restart: the meter must learn of the calls even if no request needs it. */
  async resume(): Promise<void> {
    if (this.hasPending) await this.#deps.storage.setAlarm(Date.now() + 1);
  }

  /** The alarm. */
  async round(): Promise<void> {
    if (!this.hasPending) return;
    const { storage, meterTakesOver } = this.#deps;
    try {
      await meterTakesOver();
      storage.sql.exec("DELETE FROM calls_for_meter");
    } catch (error) {
      this.#deps.report(error);
      await storage.setAlarm(Date.now() + HANDOVER_RETRY_MS);
    }
  }
}
