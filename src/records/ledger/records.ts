import { eq, getTableColumns, getTableName, sql } from "drizzle-orm";
import { type DrizzleSqliteDODatabase, drizzle } from "drizzle-orm/durable-sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Outbox } from "../../kernel/durable/outbox.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import { wholeSeconds } from "../../kernel/time.ts";
import type { NewEvent } from "../events/event.ts";
import { callContribution, conversationContribution, recount } from "./counters.ts";
import type { CallLine, CallRow, ConversationRow, LedgerReport, RecordingRow, ToolRunRow } from "./report.ts";
import { calls, conversations, recordings, toolRuns } from "./schema.ts";
import { callEvents, conversationEvents, recordingEvent, toolRunEvents } from "./transitions.ts";

/** Where a volume owes rows. */
export type LedgerDestination = "events";

interface Dependencies {
  storage: DurableObjectStorage;
  outbox: Outbox<LedgerDestination>;
}

/** A call that only other parts have come of. */
const NO_LINE: CallLine = {
  direction: "outbound",
  status: "queued",
  agent_id: "",
  agent_version: null,
  campaign_id: null,
  contact_id: null,
  api_key_id: null,
  from_number: "",
  to_number: "",
  provider: "",
  credentials_id: null,
  provider_call_id: null,
  end_reason: null,
  started_at: null,
  connected_at: null,
  ended_at: null,
  recorded: null,
  voicemail: null,
  message: null,
  message_until: null,
  metadata: {},
  variables: {},
  own_metadata: {},
};

function isOver({ connected_at, ended_at }: CallRow): boolean {
  return connected_at !== null && ended_at !== null;
}

/** The conversation of a call that is over, with the time that its carrier counts: from answer to end. */
function withCarrierTime(conversation: ConversationRow, { connected_at, ended_at }: CallRow): ConversationRow {
  const carrier_s = wholeSeconds(Date.parse(ended_at ?? "") - Date.parse(connected_at ?? ""));
  return Object.assign({}, conversation, { usage: Object.assign({}, conversation.usage, { carrier_s }) });
}

/**
 * The rows of a volume and what follows from a change of them, all in one transaction: the part, the counters, and an
 * event for each transition passed.
 */
export class LedgerRecords {
  readonly #storage: DurableObjectStorage;
  readonly #outbox: Outbox<LedgerDestination>;
  readonly db: DrizzleSqliteDODatabase;

  constructor({ storage, outbox }: Dependencies) {
    this.#storage = storage;
    this.#outbox = outbox;
    this.db = drizzle(storage);
  }

  /** Takes reports in, all or, by throwing, none. What was taken before changes nothing. */
  take(reports: LedgerReport[]): void {
    this.#storage.transactionSync(() => {
      for (const report of reports) this.#takeOne(report);
    });
  }

  /** The call of this id, also one whose line has not come. */
  anyCall(id: string): CallRow | null {
    return this.db.select().from(calls).where(eq(calls.id, id)).get() ?? null;
  }

  /** The call of this id once its line has come. */
  call(id: string): CallRow | null {
    const row = this.anyCall(id);
    return row === null || row.line_revision === 0 ? null : row;
  }

  conversation(id: string): ConversationRow | null {
    return this.db.select().from(conversations).where(eq(conversations.id, id)).get() ?? null;
  }

  recording(id: string): RecordingRow | null {
    return this.db.select().from(recordings).where(eq(recordings.id, id)).get() ?? null;
  }

  /**
   * Changes the line of a call whose line the ledger itself writes; `change` gives null to leave it as it is. Gives the
   * row as it then is, and whether it was changed; null where there is no such call.
   */
  changeLine(
    id: string,
    change: (row: CallRow) => Partial<CallLine> | null,
  ): { row: CallRow; changed: boolean } | null {
    return this.#storage.transactionSync(() => {
      const before = this.call(id);
      if (before === null) return null;
      const changes = change(before);
      if (changes === null) return { row: before, changed: false };
      const row = Object.assign({}, before, changes, { line_revision: before.line_revision + 1 });
      this.#putCall(before, row);
      return { row, changed: true };
    });
  }

  /** Puts a call on record whose line the ledger itself writes; false where one is under its id. */
  openCall(id: string, line: CallLine): boolean {
    return this.#storage.transactionSync(() => {
      if (this.call(id) !== null) return false;
      this.#takeLine(id, 1, line);
      return true;
    });
  }

  #takeOne(report: LedgerReport): void {
    if (report.part === "line") this.#takeLine(report.id, report.revision, report.line);
    else if (report.part === "hangup") this.#changeCall(report.id, { hangup_requested: true });
    else if (report.part === "conversation") this.#takeConversation(report.row);
    else if (report.part === "recording") this.#takeRecording(report.row);
    else this.#takeToolRun(report.row);
  }

  #takeLine(id: string, revision: number, line: CallLine): void {
    const before = this.anyCall(id);
    if (before !== null && before.line_revision >= revision) return;
    this.#putCall(before, Object.assign({}, before ?? this.#unlined(id), line, { line_revision: revision }));
  }

  /** Changes another part of a call than its line, which may not have come. */
  #changeCall(id: string, changes: Partial<CallRow>): void {
    const before = this.anyCall(id);
    this.#putCall(before, Object.assign({}, before ?? this.#unlined(id), changes));
  }

  #unlined(id: string): CallRow {
    const created_at = new Date(instantOf(id) ?? 0).toISOString();
    const others = { conversation_id: null, transferred_to: null, recording_id: null, hangup_requested: false };
    return Object.assign({ id, line_revision: 0, created_at }, NO_LINE, others);
  }

  #putCall(before: CallRow | null, after: CallRow): void {
    this.#put(calls, after);
    recount(this.#storage.sql, callContribution(before), callContribution(after));
    if (after.line_revision > 0) this.#emit(callEvents(before, after));
    const held = after.conversation_id === null || !isOver(after) ? null : this.conversation(after.conversation_id);
    if (held !== null) this.#putConversation(held, withCarrierTime(held, after));
  }

  #putConversation(before: ConversationRow | null, after: ConversationRow): void {
    this.#put(conversations, after);
    recount(this.#storage.sql, conversationContribution(before), conversationContribution(after));
  }

  #takeConversation(row: ConversationRow): void {
    const before = this.conversation(row.id);
    if (before !== null && before.revision >= row.revision) return;
    const { id: conversation_id, call_id, transferred_to } = row;
    this.#putConversation(before, row);
    this.#emit(conversationEvents(before, row));
    // The call's own time, where it is known, replaces that of the conversation.
    if (call_id !== null) this.#changeCall(call_id, { conversation_id, transferred_to });
  }

  #takeRecording(row: RecordingRow): void {
    const { call_id, provider_recording_id } = row;
    const same = sql`${recordings.call_id} = ${call_id} AND ${recordings.provider_recording_id} = ${provider_recording_id}`;
    if (this.db.select({ id: recordings.id }).from(recordings).where(same).get()) return;
    this.#put(recordings, row);
    this.#changeCall(call_id, { recording_id: this.newestRecording(call_id) });
    this.#emit([recordingEvent(row)]);
  }

  /** The newest recording of a call; null where it has none. */
  newestRecording(call_id: string): string | null {
    const newest = this.db
      .select({ id: recordings.id })
      .from(recordings)
      .where(eq(recordings.call_id, call_id))
      .orderBy(sql`created_at DESC, id DESC`)
      .limit(1)
      .get();
    return newest?.id ?? null;
  }

  #takeToolRun(row: ToolRunRow): void {
    if (this.db.select({ id: toolRuns.id }).from(toolRuns).where(eq(toolRuns.id, row.id)).get()) return;
    this.#put(toolRuns, row);
    this.#emit(toolRunEvents(row));
  }

  #emit(events: NewEvent[]): void {
    for (const event of events) this.#outbox.add("events", event.id, event);
  }

  /** Plain SQL: to build a statement for every row costs more than to run it. */
  #put(table: SQLiteTable, row: Record<string, unknown>): void {
    const columns = Object.entries(getTableColumns(table));
    const names = columns.map(([, column]) => column.name).join(", ");
    const marks = columns.map(() => "?").join(", ");
    const values = columns.map(([name, column]) => {
      const value = row[name] ?? null;
      return value === null ? null : (column.mapToDriverValue(value) as SqlStorageValue);
    });
    this.#storage.sql.exec(`INSERT OR REPLACE INTO ${getTableName(table)} (${names}) VALUES (${marks})`, ...values);
  }
}
