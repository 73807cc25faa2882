import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";

export const TOOL_RATES = `
  -- The tool runs of the last minute, one row per run and holder (a conversation or a visitor); at is ms.
  CREATE TABLE tool_runs_of_minute (
    holder TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE INDEX tool_runs_of_minute_holder ON tool_runs_of_minute (holder, at);
  CREATE INDEX tool_runs_of_minute_at ON tool_runs_of_minute (at);
  -- The number of a visitor's runs in a day; day counts days (UTC) since 1970.
  CREATE TABLE tool_runs_of_day (
    visitor TEXT NOT NULL,
    day INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (visitor, day)
  );
`;

/**
 * The maximum number of tool runs in any minute: of one visitor in all their conversations, and in one conversation.
 */
export const MAX_RUNS_A_MINUTE = 60;
/** The maximum number of tool runs of one visitor in a day (UTC). */
export const MAX_RUNS_A_DAY = 600;

/** The conversation in which a tool runs, and its visitor if it has one. */
export interface ToolRunner {
  conversation: string;
  visitor: string | null;
}

/** Whether a tool may run. If not, which rate was reached and how long (ms) until one more run fits. */
export type ToolRunAdmission =
  | { outcome: "admitted" }
  | { outcome: "refused"; limit: "minute" | "day"; retryAfterMs: number };

/** Counts tool runs by visitor and by conversation: within any minute, and per visitor and day. */
export class ToolRates implements ObjectPart {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a run unless it exceeds a limit; then it counts nothing. */
  admit({ conversation, visitor }: ToolRunner, now: number): ToolRunAdmission {
    const holders = [`conversation ${conversation}`, ...(visitor === null ? [] : [`visitor ${visitor}`])];
    this.#prune(now);
    const waits = holders.map((holder) => this.#minuteFull(holder, now));
    const minute = Math.max(...waits);
    const day = visitor === null ? 0 : this.#dayFull(visitor, now);
    if (day > 0) return { outcome: "refused", limit: "day", retryAfterMs: day };
    if (minute > 0) return { outcome: "refused", limit: "minute", retryAfterMs: minute };
    const sql = this.#sql;
    for (const holder of holders) sql.exec("INSERT INTO tool_runs_of_minute (holder, at) VALUES (?, ?)", holder, now);
    if (visitor !== null) {
      sql.exec(
        "INSERT INTO tool_runs_of_day (visitor, day, runs) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET runs = runs + 1",
        visitor,
        dayOf(now),
      );
    }
    return { outcome: "admitted" };
  }

  /** Returns when (ms) there is something to prune; null if nothing is counted. */
  dueAt(): number | null {
    const sql = this.#sql;
    const [day] = sql.exec<{ day: number | null }>("SELECT min(day) day FROM tool_runs_of_day").toArray();
    const [last] = sql.exec<{ at: number | null }>("SELECT max(at) at FROM tool_runs_of_minute").toArray();
    // On a busy day the runs themselves prune old rows, so one alarm a day is enough.
    if (typeof day?.day === "number") return (day.day + 1) * DAY_MS;
    return typeof last?.at === "number" ? (dayOf(last.at) + 1) * DAY_MS : null;
  }

  /** Prunes the rows that no longer count. */
  async run(now: number): Promise<void> {
    this.#prune(now);
  }

  #prune(now: number): void {
    const sql = this.#sql;
    sql.exec("DELETE FROM tool_runs_of_minute WHERE at <= ?", now - MINUTE_MS);
    sql.exec("DELETE FROM tool_runs_of_day WHERE day < ?", dayOf(now));
  }

  /** Returns how long (ms) until one more run of the holder fits into a minute; 0 if one fits now. */
  #minuteFull(holder: string, now: number): number {
    // The run that must become a minute old before there is room again.
    const [blocking] = this.#sql
      .exec<{ at: number }>(
        "SELECT at FROM tool_runs_of_minute WHERE holder = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
        holder,
        now - MINUTE_MS,
        MAX_RUNS_A_MINUTE - 1,
      )
      .toArray();
    return blocking === undefined ? 0 : blocking.at + MINUTE_MS - now;
  }

  #dayFull(visitor: string, now: number): number {
    const day = dayOf(now);
    const [counted] = this.#sql
      .exec<{ runs: number }>("SELECT runs FROM tool_runs_of_day WHERE visitor = ? AND day = ?", visitor, day)
      .toArray();
    return (counted?.runs ?? 0) < MAX_RUNS_A_DAY ? 0 : (day + 1) * DAY_MS - now;
  }
}

/** Returns the number of the day (UTC) that contains a time (ms). */
const dayOf = (at: number) => Math.floor(at / DAY_MS);
