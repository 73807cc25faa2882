import { and, asc, gt, sql } from "drizzle-orm";
import { type DrizzleSqliteDODatabase, drizzle } from "drizzle-orm/durable-sqlite";
import type { Act } from "../../kernel/db/account-store.ts";
import type { Outbox } from "../../kernel/durable/outbox.ts";
import { type ApiError, unavailable } from "../../kernel/http/errors.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import { logError } from "../../kernel/log.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { AnalysisReport } from "../analysis/brief.ts";
import type { ActRetention } from "./act-retention.ts";
import { writeAct } from "./acts.ts";
import { analyzed, withAnalysis } from "./analysis-part.ts";
import { writeValues } from "./analysis-values.ts";
import type { CallRetention } from "./call-retention.ts";
import { withCallsOwn } from "./calls-own.ts";
import { Consequences } from "./consequences.ts";
import {
  analysisContributions,
  callContributions,
  conversationContributions,
  totalOf,
  usageContributions,
} from "./counters.ts";
import type { DayTotals } from "./day-totals.ts";

import { writeQuestions } from "./questions.ts";
import { Removals } from "./removals.ts";
import {
  type AskedQuestion,
  type CallLine,
  type CallRow,
  type ConversationRow,
  type LedgerReport,
  locatorOf,
  NO_LINE,
  type RecordingRow,
  type ToolRunRow,
  type UsageRow,
} from "./report.ts";
import { Rows } from "./rows.ts";
import { calls, conversations, recordings, toolRuns } from "./schema.ts";
import { pruneToolRuns } from "./tool-run-queries.ts";
import {
  analysisEvents,
  callEvents,
  conversationEvents,
  disclosedOnCall,
  recordingEvent,
  stageOf,
  toolRunEvents,
  undisclosedCall,
} from "./transitions.ts";

/** The destinations of a volume's outbox. */
export type LedgerDestination = "events" | "d1" | "meter" | "notices";

interface Dependencies {
  storage: DurableObjectStorage;
  outbox: Pick<Outbox<LedgerDestination>, "add">;
  retention: Pick<CallRetention, "hasPassed">;
  acts: Pick<ActRetention, "added">;
  totals: Pick<DayTotals, "changed" | "resume">;
}

/**
 * The rows of a volume. A change is one transaction with its consequences: the counters, and an event for each
 * transition.
 */
export class LedgerRecords {
  readonly #deps: Dependencies;
  readonly #calls: Rows<typeof calls>;
  readonly #conversations: Rows<typeof conversations>;
  readonly #recordings: Rows<typeof recordings>;
  readonly #toolRuns: Rows<typeof toolRuns>;
  readonly #removals: Removals;
  /** The consequences of the current transaction. */
  #consequences = new Consequences();
  readonly db: DrizzleSqliteDODatabase;

  constructor(deps: Dependencies) {
    const { sql } = deps.storage;
    this.#deps = deps;
    this.#calls = new Rows(sql, calls);
    this.#conversations = new Rows(sql, conversations);
    this.#recordings = new Rows(sql, recordings);
    this.#toolRuns = new Rows(sql, toolRuns);
    this.#removals = new Removals(sql);
    this.db = drizzle(deps.storage);
  }

  /**
   * Stores reports, all or (by throwing) none. A report that is already stored changes nothing. A report that no volume
   * can ever store is logged and skipped, because it would block all later reports of its sender.
   */
  take(reports: LedgerReport[]): void {
    try {
      this.transaction(() => {
        for (const report of reports) this.#takeOne(report);
      });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#deps.storage.transactionSync(() => {
        for (const report of reports) this.#takeUnlessRefused(report);
      });
    }
  }

  /** Runs work on rows as one transaction, together with the counters and events that follow from it. */
  transaction<T>(work: () => T): T {
    const { storage, outbox, totals } = this.#deps;
    const around = this.#consequences;
    const own = new Consequences();
    this.#consequences = own;
    try {
      return storage.transactionSync(() => {
        const result = work();
        totals.changed(own.write(storage.sql, outbox), Date.now());
        return result;
      });
    } catch (error) {
      // The rollback also undid the totals' stored state, so the cached state is read again.
      totals.resume();
      throw error;
    } finally {
      this.#consequences = around;
    }
  }

  /** Returns the call with this id, even if its line was not reported yet. */
  anyCall(id: string): CallRow | null {
    return this.#calls.get(id);
  }

  /** Returns the call with this id, if its line was reported. */
  call(id: string): CallRow | null {
    const row = this.anyCall(id);
    return row === null || row.line_revision === 0 ? null : row;
  }

  conversation(id: string): ConversationRow | null {
    return this.#conversations.get(id);
  }

  recording(id: string): RecordingRow | null {
    return this.#recordings.get(id);
  }

  /** Checks whether the row was removed before its retention ended. The counters still include it. */
  wasRemoved(id: string): boolean {
    return this.#removals.has(id);
  }

  /**
   * Returns the next conversations, by id, whose objects still hold turns that are not in R2, or a pending analysis.
   */
  heldConversations(after: string, limit: number): { id: string; session_key: string }[] {
    const { id, session_key } = conversations;
    return this.db
      .select({ id, session_key })
      .from(conversations)
      .where(and(sql`(archived = 0 OR analysis_status = 'pending')`, gt(id, after)))
      .orderBy(asc(id))
      .limit(limit)
      .all();
  }

  /**
   * Changes a line that is written by the ledger itself, unless `change` returns null. Returns the row and whether it
   * changed; null if there is no such call.
   */
  changeLine(
    id: string,
    change: (row: CallRow) => Partial<CallLine> | null,
  ): { row: CallRow; changed: boolean } | null {
    return this.transaction(() => {
      const before = this.call(id);
      if (before === null) return null;
      const changes = change(before);
      if (changes === null) return { row: before, changed: false };
      const row = this.#putCall(before, Object.assign({}, changes, { line_revision: before.line_revision + 1 }));
      return { row, changed: true };
    });
  }

  /**
   * Opens a call whose line is written by the ledger itself, with its audit entry. Returns false if the id is already
   * recorded.
   */
  openCall(id: string, line: CallLine, act: Act | null): boolean {
    return this.transaction(() => {
      if (this.call(id) !== null) return false;
      this.#takeLine(id, 1, line);
      if (act !== null) this.#takeAct(act);
      return true;
    });
  }

  /** Removes conversations permanently: later reports about them change nothing. The counters don't change either. */
  removeConversations(ids: string[]): void {
    this.transaction(() => {
      for (const { call_id } of this.#removals.conversations(ids))
        if (call_id !== null) this.#changeCall(call_id, { conversation_id: this.#newestConversation(call_id) });
    });
  }

  /** Removes recordings permanently. */
  removeRecordings(ids: string[]): void {
    this.transaction(() => {
      for (const { call_id } of this.#removals.recordings(ids))
        this.#changeCall(call_id, { recording_id: this.newestRecording(call_id) });
    });
  }

  newestRecording(call_id: string): string | null {
    return this.#newest(
      "SELECT id FROM recordings WHERE call_id = ? ORDER BY created_at DESC, id DESC LIMIT 1",
      call_id,
    );
  }

  #newestConversation(call_id: string): string | null {
    return this.#newest(
      "SELECT id FROM conversations WHERE call_id = ? ORDER BY started_at DESC, id DESC LIMIT 1",
      call_id,
    );
  }

  #newest(query: string, call_id: string): string | null {
    const [row] = this.#deps.storage.sql.exec<{ id: string }>(query, call_id).toArray();
    return row?.id ?? null;
  }

  #takeOne(report: LedgerReport): void {
    if (report.part === "line") this.#takeLine(report.id, report.revision, report.line);
    else if (report.part === "hangup") this.#changeCall(report.id, { hangup_requested: true });
    else if (report.part === "conversation") this.#takeConversation(report.row, report.questions);
    else if (report.part === "analysis") this.#takeAnalysis(report.id, report.analysis);
    else if (report.part === "recording") this.#takeRecording(report.row);
    else if (report.part === "usage") this.#takeUsage(report.row);
    else if (report.part === "act") this.#takeAct(report.act);
    else if (report.part === "tool_run") this.#takeToolRun(report.row);
    else throw unknownPart(report);
  }

  #takeUnlessRefused(report: LedgerReport): void {
    try {
      this.transaction(() => this.#takeOne(report));
    } catch (error) {
      // If an act's entry cannot be stored, the act must fail.
      if (!isRefused(error) || report.part === "act") throw error;
      logError("ledger", error, { part: report.part, id: locatorOf(report) });
    }
  }

  #takeLine(id: string, revision: number, line: CallLine): void {
    const before = this.anyCall(id);
    if (before === null ? this.#deps.retention.hasPassed(id) : before.line_revision >= revision) return;
    // A call has the agent version of its conversation, whatever its line reports.
    const held = before?.conversation_id == null ? null : this.conversation(before.conversation_id);
    const agent_version = held?.agent_version ?? line.agent_version;
    const changes = Object.assign({}, line, { agent_version, line_revision: revision });
    this.#putCall(before ?? unlined(id), changes, before !== null);
  }

  /** Changes a part of a call other than its line, even if the line was not reported yet. */
  #changeCall(id: string, changes: Partial<CallRow>): void {
    const before = this.anyCall(id);
    if (before === null && this.#deps.retention.hasPassed(id)) return;
    this.#putCall(before ?? unlined(id), changes, before !== null);
  }

  #putCall(before: CallRow, changes: Partial<CallRow>, exists = true): CallRow {
    const after = Object.assign({}, before, changes);
    after.stage = Math.max(before.stage, stageOf(after));
    Object.assign(after, disclosedOnCall(after));
    if (!this.#calls.put(exists ? before : null, after)) return after;
    this.#consequences.counters.replace(callContributions(before), callContributions(after));
    this.#consequences.emit([...callEvents(before.stage, after), ...undisclosedCall(before, after)]);
    const held = after.conversation_id === null ? null : this.conversation(after.conversation_id);
    if (held !== null) this.#putConversation(held, withCallsOwn(held, after));
    return after;
  }

  #putConversation(before: ConversationRow | null, after: ConversationRow): void {
    if (!this.#conversations.put(before, after)) return;
    for (const contributions of [conversationContributions, analysisContributions]) {
      const [counted, counts] = [contributions(before), contributions(after)];
      this.#consequences.counters.replace(counted, counts);
      // The meter reads costs itself, so one notice is enough for any number of changes.
      if (totalOf(counts, "cost_micros") !== totalOf(counted, "cost_micros"))
        this.#deps.outbox.add("meter", "costs", {});
    }
  }

  /** Stores an analysis, unless its conversation was removed or a later analysis is recorded. */
  #takeAnalysis(id: string, report: AnalysisReport): void {
    const before = this.conversation(id);
    const after = before && analyzed(before, report);
    if (before === null || after === null) return;
    this.#putConversation(before, after);
    writeValues(this.#deps.storage.sql, after, report);
    this.#consequences.emit(analysisEvents(after, report));
  }

  #takeConversation(row: ConversationRow, questions: AskedQuestion[] | undefined): void {
    const before = this.conversation(row.id);
    if (before === null ? this.#removals.has(row.id) : before.revision >= row.revision) return;
    const { call_id, transferred_to } = row;
    const call = call_id === null ? null : this.anyCall(call_id);
    this.#putConversation(before, withAnalysis(withCallsOwn(row, call), before));
    this.#consequences.emit(conversationEvents(before, row));
    if (questions !== undefined) writeQuestions(this.#deps.storage.sql, row, questions);
    if (call_id === null) return;
    const conversation_id = this.#newestConversation(call_id);
    const agent_version = conversation_id === null ? null : (this.conversation(conversation_id)?.agent_version ?? null);
    const held: Partial<CallRow> = { conversation_id };
    if (row.disclosed_at !== null) Object.assign(held, { disclosed: row.disclosed, disclosed_at: row.disclosed_at });
    if (transferred_to !== null) held.transferred_to = transferred_to;
    if (agent_version !== null) held.agent_version = agent_version;
    this.#changeCall(call_id, held);
  }

  #takeRecording(row: RecordingRow): void {
    const { id, call_id, provider_recording_id } = row;
    if (this.recording(id) !== null || this.#removals.has(id) || this.#removals.has(call_id)) return;
    const query = "SELECT 1 FROM recordings WHERE call_id = ? AND provider_recording_id = ?";
    if (this.#exists(query, call_id, provider_recording_id)) return;
    this.#recordings.put(null, row);
    this.#changeCall(call_id, { recording_id: this.newestRecording(call_id) });
    this.#consequences.emit([recordingEvent(row)]);
  }

  #takeToolRun(row: ToolRunRow): void {
    const { id, conversation_id, tool_call_id } = row;
    if (this.#toolRuns.get(id) !== null || this.#removals.has(id)) return;
    const query = "SELECT 1 FROM tool_runs WHERE conversation_id = ? AND tool_call_id = ?";
    if (this.#exists(query, conversation_id, tool_call_id)) return;
    const run = this.#removals.has(conversation_id ?? "") ? Object.assign({}, row, { conversation_id: null }) : row;
    this.#toolRuns.put(null, run);
    pruneToolRuns(this.#deps.storage.sql, run.tool_name);
    const conversation = this.#conversations.get(conversation_id ?? "");
    this.#consequences.emit(toolRunEvents(run, conversation?.agent_id ?? null));
  }

  #takeAct(act: Act): void {
    writeAct(this.#deps.storage.sql, act);
    this.#deps.acts.added();
  }

  #takeUsage(row: UsageRow): void {
    if (this.otherUsage(row.id) !== null) return;
    const { sql } = this.#deps.storage;
    const contributions = usageContributions(row);
    sql.exec("INSERT INTO other_usage (id, tokens) VALUES (?, ?)", row.id, row.input_tokens + row.output_tokens);
    this.#consequences.counters.replace([], contributions);
    if (totalOf(contributions, "cost_micros") !== 0) this.#deps.outbox.add("meter", "costs", {});
  }

  /** Returns the tokens of usage outside conversations; null if it is not recorded. */
  otherUsage(id: string): number | null {
    const query = "SELECT tokens FROM other_usage WHERE id = ?";
    return this.#deps.storage.sql.exec<{ tokens: number }>(query, id).toArray()[0]?.tokens ?? null;
  }

  #exists(query: string, ...values: (string | null)[]): boolean {
    return this.#deps.storage.sql.exec(query, ...values).toArray().length > 0;
  }
}

/**
 * Checks whether the report itself is at fault, so that a retry would not help: it violates a constraint of the
 * database, or has a value that no release accepts. After any other error, such as a part that only another release
 * knows, the sender retries.
 */
function isRefused(error: unknown): boolean {
  if (error instanceof InvalidReport) return true;
  return error instanceof Error && /SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.message);
}

/** Thrown for a report that no release can store. */
class InvalidReport extends Error {
  override readonly name = "InvalidReport";
}

/** Creates an error that makes the sender keep the report. A release that knows this part accepts it later. */
function unknownPart(report: never): ApiError {
  const part = String((report as { part: unknown }).part).slice(0, 50);
  return unavailable("unknown_part", `reports of the part ${part} are unknown to this release`, MINUTE_MS);
}

/** Combines a call's reported line with the other parts of its row. */
export function asReported(
  { id, revision, line }: Extract<LedgerReport, { part: "line" }>,
  row: CallRow | null,
): CallRow {
  const held = row?.conversation_id == null ? null : row.agent_version;
  const agent_version = held ?? line.agent_version;
  return Object.assign({}, row ?? unlined(id), line, { agent_version, line_revision: revision });
}

/** Returns a call without any reported part. */
function unlined(id: string): CallRow {
  const at = instantOf(id);
  if (at === null) throw new InvalidReport("the id of a call contains no time");
  const others = { conversation_id: null, transferred_to: null, recording_id: null };
  const flags = { hangup_requested: false, uncounted: false };
  const said = { disclosed: null, disclosed_at: null };
  const created_at = new Date(at).toISOString();
  return Object.assign({ id, line_revision: 0, created_at, stage: 0 }, NO_LINE, others, flags, said);
}
