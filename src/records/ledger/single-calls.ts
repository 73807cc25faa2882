import { inArray, sql } from "drizzle-orm";
import type { Act } from "../../kernel/db/account-store.ts";
import { areOfAnotherCall } from "./call-state.ts";
import {
  afterEvents,
  type CallEvents,
  endedAnswered,
  type LineChange,
  type LineClock,
  lineAfter,
  type TakenEvents,
} from "./line.ts";
import type { LedgerRecords } from "./records.ts";
import type { CallLine, CallRow } from "./report.ts";
import { calls } from "./schema.ts";

/**
 * The calls whose line is written by the ledger itself: single and inbound calls. Each event is decided in the
 * transaction that writes it.
 */
export class SingleCalls {
  readonly #records: LedgerRecords;

  constructor(records: LedgerRecords) {
    this.#records = records;
  }

  /** Opens a call unless it is already recorded, and returns the recorded call. */
  open(id: string, line: CallLine, act: Act | null): { row: CallRow; isNew: boolean } {
    const isNew = this.#records.openCall(id, line, act);
    const row = this.#records.call(id);
    if (row === null) throw new RangeError("calls from that time are no longer kept");
    return { row, isNew };
  }

  /** Applies carriers' events. Those of one call are applied in their order. */
  take(reported: CallEvents[], clock: LineClock): TakenEvents[] {
    return reported.map((one) => this.#takeOne(one, clock));
  }

  #takeOne(reported: CallEvents, clock: LineClock): TakenEvents {
    const result: { taken: TakenEvents } = { taken: { outcome: "unknown" } };
    const found = this.#records.changeLine(reported.id, (row) => {
      const { events, proof, uncounted = false } = reported;
      if (proof && areOfAnotherCall(row, events, proof.credentials_id)) {
        result.taken = { outcome: "another_call" };
        return null;
      }
      const { row: after, step } = afterEvents(row, events, clock);
      result.taken = { outcome: "taken", row, step, ended: endedAnswered(row, after) };
      if (after === row) return null;
      const isEnd = row.ended_at === null && after.ended_at !== null;
      return Object.assign({}, after, { uncounted: row.uncounted || (isEnd && uncounted) });
    });
    const { taken } = result;
    return found && taken.outcome === "taken" ? Object.assign(taken, { row: found.row }) : taken;
  }

  change(id: string, change: LineChange): { row: CallRow; changed: boolean } | null {
    return this.#records.changeLine(id, (row) => lineAfter(row, change));
  }

  /** Returns which of the calls are recorded. */
  some(ids: string[]): CallRow[] {
    const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
    return this.#records.db
      .select()
      .from(calls)
      .where(sql`${inArray(calls.id, theirs)} AND line_revision > 0`)
      .all();
  }

  /** Returns the call with this id at the carrier; null if there is none. */
  inbound(provider: string, providerCallId: string): CallRow | null {
    // The literal allows SQLite to use the partial index.
    const isOne = sql`provider = ${provider} AND provider_call_id = ${providerCallId} AND direction = 'inbound'`;
    return this.#records.db.select().from(calls).where(isOne).limit(1).get() ?? null;
  }
}
