import type { AuditPart, AuditPosition } from "../../kernel/audit-position.ts";
import { CopiedObject } from "../../kernel/backup/copied-object.ts";
import type { Act } from "../../kernel/db/account-store.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { GaugePush } from "../../kernel/durable/gauge-push.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountEvents, accountMeter, volumeOf } from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import { logError } from "../../kernel/log.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { type AgentIds, isWithin } from "../../kernel/scopes.ts";
import { LEDGER } from "../stores.ts";
import { ActRetention } from "./act-retention.ts";
import {
  type ActFilter,
  type ActPart,
  countActs,
  findActs,
  type PersonInActs,
  sweepActs,
  type TimedAct,
} from "./acts.ts";
import {
  type CallFilter,
  type CallPart,
  type CallsCounted,
  type CallsFound,
  countCalls,
  findCalls,
} from "./call-queries.ts";
import { CallRetention } from "./call-retention.ts";
import { type BucketSums, callStatistics, type StatisticsQuery } from "./call-statistics.ts";
import { isTallied, talliedCalls } from "./call-totals.ts";
import {
  type ConversationFilter,
  type ConversationPart,
  type ConversationsFound,
  findConversations,
  type LastOfSession,
  lastOfSession,
} from "./conversation-queries.ts";
import { DayTotals } from "./day-totals.ts";
import { type FoundOfPerson, type SweepCursor, type Swept, VolumeErasure } from "./erasure.ts";
import type { CallEvents, LineChange, LineClock, TakenEvents } from "./line.ts";
import { Notices } from "./notices.ts";
import { type NewestQuestion, questionGroups, questionsById } from "./questions.ts";
import { type KeptFrom, RecordRetention } from "./record-retention.ts";
import {
  countRecordings,
  findRecordings,
  type ListedRecording,
  type RecordingFilter,
  type RecordingPart,
  type RecordingSource,
  recordingSources,
} from "./recording-queries.ts";
import { type LedgerDestination, LedgerRecords } from "./records.ts";
import type { CallLine, CallRow, ConversationRow, LedgerReport, RecordingRow, ToolRunRow } from "./report.ts";
import { SingleCalls } from "./single-calls.ts";
import { tellDeleted } from "./tell-deleted.ts";
import { deleteToolRuns, lastToolRuns } from "./tool-run-queries.ts";
import { readUsage, type UsageQuery, type UsageRow } from "./usage.ts";
import { type UsageParts, type UsagePartsQuery, usageParts } from "./usage-parts.ts";
import { VolumeD1 } from "./volume-d1.ts";
import { lateness, volumeGauges } from "./volume-gauges.ts";
import { VolumeSplit } from "./volume-split.ts";

/** The database size at which the next volume begins, unless configured otherwise. */
const SPLIT_BYTES = 5_000_000_000;

/**
 * A volume of an account's ledger, named `<account>/<first day>`. It keeps the records of calls and conversations whose
 * ids are from its days, and the counters over these records.
 */
export class AccountLedger extends CopiedObject<Env> {
  readonly #volume = volumeOf(this.ctx);
  protected override readonly store = LEDGER;
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: LEDGER.migrations,
    build: (sql) => this.#build(sql),
    parts: ({ outbox, retention, records, late, acts, totals, split }) => ({
      outbox,
      retention,
      records,
      late,
      acts,
      totals,
      split,
    }),
    report: (error, context) => logError("ledger", error, context),
  });
  #records: LedgerRecords | null = null;

  #build(sql: SqlStorage) {
    const [env, { account, day }, { storage }] = [this.env, this.#volume, this.ctx];
    const store = accountStore(env, account, { actor: "system:ledger", request_id: "" });
    const d1 = new VolumeD1(store);
    const notices = new Notices(sql, (notice) => tellDeleted({ env, store }, notice));
    const takeAlarmLag = (): number => this.frame.takeAlarmLag();
    const outbox: Outbox<LedgerDestination> = new Outbox<LedgerDestination>({
      sql,
      deliver: {
        events: (rows) => accountEvents(env, account).take(rows.flatMap(({ body }) => JSON.parse(body))),
        d1: (rows) =>
          d1.putDays(
            rows.map(({ body }) => JSON.parse(body)),
            Object.assign(
              { object, kind: "ledger", at: Date.now(), alarm_lag_ms: takeAlarmLag() },
              gauges(rows.length),
            ),
          ),
        meter: () => accountMeter(env, account).costsChanged(),
        notices: () => notices.deliver(Date.now()),
      },
      byReference: { notices },
    });
    const records = new RecordRetention({
      storage,
      account,
      buckets: { conversations: env.CONVERSATIONS, recordings: env.RECORDINGS },
      records: (): LedgerRecords => this.#open(),
      owe: (notice, now) => notices.add(notice, now),
    });
    const object = `ledger/${day}`;
    const gauges = (sent: number) => volumeGauges({ sql, outbox, notices, records }, sent);
    return {
      outbox,
      retention: new CallRetention(storage),
      records,
      late: new GaugePush({
        storage,
        object,
        kind: "ledger",
        store,
        isBusy: lateness({ notices, records }),
        read: () => gauges(0),
        takeAlarmLag,
        clock: Date.now,
      }),
      acts: new ActRetention({ storage, days: () => d1.auditDays() }),
      totals: new DayTotals({ storage, outbox }),
      split: new VolumeSplit({
        storage,
        day,
        limitBytes: Number(env.LEDGER_SPLIT_BYTES) || SPLIT_BYTES,
        append: (next) => d1.appendDay(day, next),
      }),
    };
  }

  #open(): LedgerRecords {
    if (this.#records) return this.#records;
    const { outbox, retention, acts, totals } = this.frame.open();
    this.#records = new LedgerRecords({ storage: this.ctx.storage, outbox, retention, acts, totals });
    return this.#records;
  }

  /** Null if the volume is empty. */
  get #existing(): LedgerRecords | null {
    return this.frame.existing && this.#open();
  }

  /** Stores up to 500 reports, all or none. */
  async report(reports: LedgerReport[]): Promise<void> {
    this.#open().take(reports);
    await this.frame.arm();
  }

  async call(id: string): Promise<CallRow | null> {
    return this.#existing?.call(id) ?? null;
  }

  /**
   * Opens a call whose line is written by the ledger itself, with its audit entry, unless the call is already recorded.
   */
  async openCall(id: string, line: CallLine, act: Act | null) {
    const opened = new SingleCalls(this.#open()).open(id, line, act);
    await this.frame.arm();
    return opened;
  }

  /** Applies carriers' events of single and inbound calls. */
  async takeEvents(reported: CallEvents[], clock: LineClock): Promise<TakenEvents[]> {
    if (!this.#existing) return reported.map(() => ({ outcome: "unknown" }));
    const taken = new SingleCalls(this.#existing).take(reported, clock);
    await this.frame.arm();
    return taken;
  }

  async changeCall(id: string, change: LineChange) {
    const changed = this.#existing && new SingleCalls(this.#existing).change(id, change);
    await this.frame.arm();
    return changed;
  }

  /** Returns which of the calls are recorded. */
  async calls(ids: string[]): Promise<CallRow[]> {
    return this.#existing ? new SingleCalls(this.#existing).some(ids) : [];
  }

  async inboundCall(provider: string, providerCallId: string): Promise<CallRow | null> {
    return this.#existing && new SingleCalls(this.#existing).inbound(provider, providerCallId);
  }

  async conversation(id: string): Promise<ConversationRow | null> {
    return this.#existing?.conversation(id) ?? null;
  }

  async recording(id: string): Promise<RecordingRow | null> {
    return this.#existing?.recording(id) ?? null;
  }

  async discloseRecording(id: string, agentIds: AgentIds, act: Act): Promise<RecordingRow | null> {
    const row = this.#existing?.recording(id) ?? null;
    if (row === null || !isWithin(agentIds, row.agent_id)) return null;
    await this.report([{ part: "act", locator: id, act }]);
    return row;
  }

  /**
   * Returns a part of the audit log's acts, newest first. If `most` is given, it also counts the acts that the filter
   * selects, up to `most`.
   */
  async listActs(
    filter: ActFilter,
    part: ActPart,
    most: number | null,
  ): Promise<AuditPart<TimedAct> & { total: number; more: boolean }> {
    const none = { rows: [], readTo: null, total: 0, more: false };
    if (!this.#existing) return none;
    const counted = most === null ? none : countActs(this.#sql, filter, most);
    return Object.assign({}, counted, findActs(this.#sql, filter, part));
  }

  async positionsOfActs(filter: ActFilter, part: ActPart): Promise<AuditPart<AuditPosition>> {
    const { rows, readTo } = await this.listActs(filter, part, null);
    return { rows: rows.map(({ at, id }) => ({ at, id })), readTo: readTo && { at: readTo.at, id: readTo.id } };
  }

  /** Applies a changed retention of the audit log. */
  async auditDaysChanged(): Promise<void> {
    this.frame.existing?.acts.changed();
    await this.frame.arm();
  }

  /** Returns a part of the list of conversations, newest first. */
  async findConversations(filter: ConversationFilter, part: ConversationPart): Promise<ConversationsFound> {
    if (!this.#existing) return { rows: [], stopped: null };
    return findConversations(this.ctx.storage.sql, filter, part);
  }

  /** Returns the newest conversation with this session key. */
  async lastOfSession(key: string): Promise<LastOfSession | null> {
    return this.#existing && lastOfSession(this.ctx.storage.sql, key);
  }

  /** Returns the next conversations, by id, whose objects still hold turns or an analysis. */
  async heldConversations(after: string, limit: number): Promise<{ id: string; session_key: string }[]> {
    return this.#existing?.heldConversations(after, limit) ?? [];
  }

  /** Removes conversations permanently. The counters don't change. */
  async removeConversations(ids: string[]): Promise<void> {
    this.#existing?.removeConversations(ids);
  }

  async removeRecordings(ids: string[]): Promise<void> {
    this.#existing?.removeRecordings(ids);
  }

  /** Schedules the deletion of calls from before `at` (ms). The counters don't change. */
  async deleteCallsBefore(at: number): Promise<void> {
    this.frame.existing?.retention.deleteBefore(at);
    await this.frame.arm();
  }

  /** Schedules the deletion of older records by the alarm. The counters don't change. */
  async keepFrom(kept: KeptFrom): Promise<void> {
    const parts = this.frame.existing;
    if (kept.calls !== null) parts?.retention.deleteBefore(kept.calls);
    parts?.records.keepFrom(kept, Date.now());
    await this.frame.arm();
  }

  async findCalls(filter: CallFilter, part: CallPart): Promise<CallsFound> {
    return this.#existing ? findCalls(this.#sql, filter, part) : { rows: [], skipped: 0, read: 0, stopped: null };
  }

  /** Counts the calls that a filter selects: exactly if totals are kept for the filter, otherwise up to `most`. */
  async countCalls(filter: CallFilter, most: number, reads: number): Promise<CallsCounted> {
    if (!this.#existing) return { calls: 0, read: 0, stopped: false };
    if (isTallied(filter)) return { calls: talliedCalls(this.#sql, filter), read: 0, stopped: false };
    return countCalls(this.#sql, filter, most, reads);
  }

  /** Returns a part of the list of calls together with their count. */
  async listCalls(
    filter: CallFilter,
    part: CallPart,
    most: number,
    reads: number,
  ): Promise<[CallsFound, CallsCounted]> {
    return [await this.findCalls(filter, part), await this.countCalls(filter, most, reads)];
  }

  async callStatistics(query: StatisticsQuery): Promise<BucketSums[]> {
    return this.#existing ? callStatistics(this.#sql, query) : [];
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    return this.#existing ? readUsage(this.#sql, query) : [];
  }

  /** Returns usage together with the shares of these conversations and calls in it, read at the same moment. */
  async usageAndParts(query: UsageQuery, of: UsagePartsQuery): Promise<{ rows: UsageRow[]; parts: UsageParts }> {
    return this.#existing
      ? { rows: readUsage(this.#sql, query), parts: usageParts(this.#existing, of) }
      : { rows: [], parts: {} };
  }

  async findRecordings(filter: RecordingFilter, part: RecordingPart): Promise<ListedRecording[]> {
    return this.#existing ? findRecordings(this.#sql, filter, part) : [];
  }

  /** Returns a part of the list of recordings together with their number, counted up to `most`. */
  async listRecordings(
    filter: RecordingFilter,
    part: RecordingPart,
    most: number,
  ): Promise<{ rows: ListedRecording[]; total: number }> {
    const total = this.#existing ? countRecordings(this.#sql, filter, most) : 0;
    return { rows: await this.findRecordings(filter, part), total };
  }

  async recordingSources(calls: string[], ids: string[]): Promise<{ listed: RecordingSource[]; removed: string[] }> {
    return this.#existing ? recordingSources(this.#sql, calls, ids) : { listed: [], removed: [] };
  }

  /** Groups the newest `most` unanswered questions of these agents, null for any. */
  async questionGroups(agent_ids: readonly string[] | null, most: number) {
    return this.#existing ? questionGroups(this.#sql, agent_ids, most) : { groups: [], read: 0 };
  }

  /** Returns these unanswered questions. */
  async questions(ids: string[]): Promise<NewestQuestion[]> {
    return this.#existing ? questionsById(this.#sql, ids) : [];
  }

  async lastToolRuns(tool_name: string, since: string): Promise<ToolRunRow[]> {
    return this.#existing ? lastToolRuns(this.#existing.db, tool_name, since) : [];
  }

  async deleteToolRuns(tool_name: string): Promise<void> {
    if (this.#existing) deleteToolRuns(this.#existing.db, tool_name);
  }

  /** Returns the next rows about a person, at most `limit` of each kind. */
  async findPerson(subject: Subject, limit: number): Promise<FoundOfPerson> {
    return this.#erasure?.find(subject, limit) ?? { conversations: [], calls: [], recordings: [] };
  }

  async liveCallsOf(subject: Subject, limit: number): Promise<string[]> {
    return this.#erasure?.live(subject, limit) ?? [];
  }

  /** Stops accepting recordings of these calls. */
  async closeCalls(ids: string[]): Promise<void> {
    this.#erasure?.closeCalls(ids);
  }

  /** Delivers the pending events, after any delivery that is in progress. */
  async deliverEvents(): Promise<void> {
    await this.frame.existing?.outbox.push("events");
  }

  async maskCalls(ids: string[], number: string | null): Promise<number> {
    return this.#erasure?.maskCalls(ids, number) ?? 0;
  }

  async deleteConversationRuns(conversations: string[]): Promise<number> {
    return this.#erasure?.deleteToolRuns(conversations) ?? 0;
  }

  /** Masks a number in up to `limit` rows that are about other people, from a position on. */
  async sweepNumber(number: string, cursor: SweepCursor | null, limit: number): Promise<Swept> {
    return this.#erasure?.sweep(number, cursor, limit) ?? { masked: 0, next: null };
  }

  /** Masks a person in up to `limit` acts of the audit log, after an id. */
  async sweepActs(
    person: PersonInActs,
    after: string,
    limit: number,
  ): Promise<{ masked: number; next: string | null }> {
    if (!this.#existing) return { masked: 0, next: null };
    return this.ctx.storage.transactionSync(() => sweepActs(this.#sql, person, after, limit));
  }

  /** Null if the volume is empty. */
  get #erasure(): VolumeErasure | null {
    return this.#existing && new VolumeErasure(this.ctx.storage);
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }
}
