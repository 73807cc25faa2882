import { firstStep, hasTable, type Migration, migrate } from "../../kernel/durable/migrate.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import type { CallEvent, CallOrder } from "./carrier.ts";
import type { Progress } from "./sandbox-caller.ts";
import { recordingLength } from "./sandbox-recording.ts";
import type { MachineDetection, Moment } from "./sandbox-script.ts";

/** How long ended calls can be looked up, ms. */
const KEPT_MS = HOUR_MS;
const MAX_TRIES = 6;
/** Calls with a present or future conversation. */
const HELD = "talk IS NOT NULL AND ended_at IS NULL AND hung_up_at IS NULL";

export interface Talk extends Pick<CallOrder, "session_token" | "runtime_url" | "max_duration"> {
  own_number: string;
  direction: "outbound" | "inbound";
  /** The caller's lines; null for a person chosen by the number. */
  says: string[] | null;
  /** The agent's language (BCP 47), which the person speaks too. */
  language: string;
}

/** A call to simulate. `to_number` is the other side's number and determines the course of the call. */
export type SandboxOrder = Pick<CallOrder, "call_id" | "to_number" | "webhook_url"> &
  MachineDetection & {
    provider_call_id: string;
    recorded: number;
  };

export interface CallRow extends Record<string, SqlStorageValue> {
  call_id: string;
  provider_call_id: string;
  to_number: string;
  webhook_url: string;
  placed_at: number;
  recorded: number;
  hung_up_at: number | null;
  /** The conversation's data as JSON; null for a call without a conversation. */
  talk: string | null;
  /** When a call with a conversation is answered. */
  answers_at: number | null;
  said: number;
  answered: number;
  /** When a call with a conversation ends, or a call with a machine that was given a message, if that is known. */
  ended_at: number | null;
  /** 1 if an answering machine waits for a message. */
  takes_message: number;
  detects_machines: number;
}

export interface ReportRow extends Record<string, SqlStorageValue> {
  n: number;
  call_id: string;
  webhook_url: string;
  body: string;
  tries: number;
}

const CALLS = `
  CREATE TABLE calls (
    call_id TEXT PRIMARY KEY, provider_call_id TEXT NOT NULL, to_number TEXT NOT NULL, webhook_url TEXT NOT NULL,
    placed_at INTEGER NOT NULL, hung_up_at INTEGER,
    -- the data of its conversation: JSON of a Talk; null for none
    talk TEXT, answers_at INTEGER, said INTEGER NOT NULL DEFAULT 0, answered INTEGER NOT NULL DEFAULT 0, ended_at INTEGER,
    recorded INTEGER NOT NULL, takes_message INTEGER NOT NULL, detects_machines INTEGER NOT NULL
  );
  CREATE INDEX calls_placed ON calls (placed_at);
  CREATE INDEX calls_held ON calls (answers_at) WHERE ${HELD};
  CREATE TABLE reports (
    n INTEGER PRIMARY KEY AUTOINCREMENT, call_id TEXT NOT NULL, due_at INTEGER NOT NULL, body TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX reports_due ON reports (due_at, n);
  CREATE INDEX reports_call ON reports (call_id);
`;

export const SANDBOX_MIGRATIONS: readonly Migration[] = [firstStep(CALLS)];

/** The sandbox's calls and pending reports, in the object's storage. */
export class SandboxCalls {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  /** The tables are created at the first call, so that a sandbox that is only read stores nothing. */
  #hasTables = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    if (hasTable(storage, "calls")) this.#createTables();
  }

  /** Whether a call was ever placed here. */
  get any(): boolean {
    return this.#hasTables;
  }

  #createTables(): void {
    if (this.#hasTables) return;
    migrate(this.#storage, SANDBOX_MIGRATIONS, Date.now());
    this.#hasTables = true;
  }

  find(callId: string): CallRow | undefined {
    if (!this.#hasTables) return undefined;
    return this.#sql.exec<CallRow>("SELECT * FROM calls WHERE call_id = ?", callId).toArray()[0];
  }

  /** Adds a call; false if it exists already. */
  add(order: SandboxOrder, held: { talk: Talk; answers_at: number } | null, now: number): boolean {
    this.#createTables();
    const { rowsWritten } = this.#sql.exec(
      `INSERT OR IGNORE INTO calls (call_id, provider_call_id, to_number, webhook_url, recorded, placed_at, talk, answers_at,
         takes_message, detects_machines)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      order.call_id,
      order.provider_call_id,
      order.to_number,
      order.webhook_url,
      order.recorded,
      now,
      held && JSON.stringify(held.talk),
      held?.answers_at ?? null,
      Number(order.leaves_message),
      Number(order.detects_machines),
    );
    return rowsWritten > 0;
  }

  hangUp(call: CallRow, now: number): void {
    this.#sql.exec("UPDATE calls SET hung_up_at = ? WHERE call_id = ?", now, call.call_id);
    this.#sql.exec("DELETE FROM reports WHERE call_id = ?", call.call_id);
  }

  dropReports(callId: string, now: number): void {
    this.#sql.exec("DELETE FROM reports WHERE call_id = ? AND due_at > ?", callId, now);
  }

  /** Ends the call's conversation at `at`; false if it had ended before. */
  end(callId: string, at: number): boolean {
    const ended = this.#sql.exec(
      "UPDATE calls SET ended_at = ? WHERE call_id = ? AND ended_at IS NULL AND hung_up_at IS NULL",
      at,
      callId,
    );
    return ended.rowsWritten > 0;
  }

  keep(callId: string, { spoken, answered }: Progress): void {
    this.#sql.exec("UPDATE calls SET said = ?, answered = ? WHERE call_id = ?", spoken, Number(answered), callId);
  }

  /** Returns the answered calls with a present or future conversation. */
  held(now: number): CallRow[] {
    return this.#sql.exec<CallRow>(`SELECT * FROM calls WHERE ${HELD} AND answers_at <= ?`, now).toArray();
  }

  /** Checks whether there are present or future conversations. */
  anyHeld(): boolean {
    return this.#sql.exec(`SELECT 1 FROM calls WHERE ${HELD} LIMIT 1`).toArray().length > 0;
  }

  /**
   * Deletes a person's calls and their reports: those to or from the number, and those with the given ids. Returns the
   * ids of the deleted calls.
   */
  erasePerson(number: string | null, callIds: string[]): string[] {
    if (!this.#hasTables) return [];
    const mine = "SELECT call_id FROM calls WHERE to_number = ?1 OR call_id IN (SELECT value FROM json_each(?2))";
    const ids = JSON.stringify(callIds);
    return this.#storage.transactionSync(() => {
      this.#sql.exec(`DELETE FROM reports WHERE call_id IN (${mine})`, number, ids);
      return this.#sql
        .exec<{ call_id: string }>(`DELETE FROM calls WHERE call_id IN (${mine}) RETURNING call_id`, number, ids)
        .toArray()
        .map(({ call_id }) => call_id);
    });
  }

  prune(now: number, longestMs: number): void {
    const before = now - KEPT_MS - longestMs;
    this.#sql.exec(
      `DELETE FROM calls WHERE placed_at < ?1 AND coalesce(ended_at, ?1 - 1) < ?1 AND NOT (${HELD})
       AND call_id NOT IN (SELECT call_id FROM reports)`,
      before,
    );
  }

  schedule(call: Pick<SandboxOrder, "call_id" | "provider_call_id" | "recorded">, moment: Moment, at: number): void {
    const body = JSON.stringify(toEvent(call, moment));
    this.#sql.exec("INSERT INTO reports (call_id, due_at, body) VALUES (?, ?, ?)", call.call_id, at, body);
  }

  dueReports(now: number, limit: number): ReportRow[] {
    return this.#sql
      .exec<ReportRow>(
        `SELECT r.n, r.call_id, r.body, r.tries, c.webhook_url FROM reports r JOIN calls c ON c.call_id = r.call_id
         WHERE r.due_at <= ? ORDER BY r.due_at, r.n LIMIT ?`,
        now,
        limit,
      )
      .toArray();
  }

  /** Removes a delivered report, or schedules one of a few retries. */
  reported({ n, tries }: ReportRow, arrived: boolean, now: number): void {
    if (arrived || tries + 1 >= MAX_TRIES) this.#sql.exec("DELETE FROM reports WHERE n = ?", n);
    else this.#sql.exec("UPDATE reports SET tries = tries + 1, due_at = ? WHERE n = ?", now + 500 * 2 ** tries, n);
  }

  /** Returns when the next report is due, ms. */
  nextReportAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(due_at) at FROM reports").one().at;
  }
}

/** Returns the data of the call's conversation; null if it has none. */
export function talkOf({ talk }: CallRow): Talk | null {
  return talk === null ? null : (JSON.parse(talk) as Talk);
}

export function toEvent(
  { call_id, provider_call_id, recorded }: Pick<SandboxOrder, "call_id" | "provider_call_id" | "recorded">,
  moment: Moment,
): CallEvent {
  const { after, status, answered_by, machine, reason } = moment;
  const recording =
    status === "completed" && recorded === 1
      ? { id: call_id, url: "", duration_ms: recordingLength(after), content_type: "audio/wav" }
      : null;
  return { provider_call_id, status, answered_by, ...(machine && { machine }), reason, recording };
}

export function hungUp(before: Moment): Moment {
  if (isTerminal(before.status)) return before;
  const talking = before.status === "in-progress";
  return { ...before, status: talking ? "completed" : "canceled", reason: "hangup" };
}
