import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { VALUED_STATES } from "../../records/analysis/analysis.ts";
import { fitted, type HeldAnalysis, valuesIn } from "../../records/analysis/brief.ts";
import type { AttemptOfContact, AttemptRow, LeaseChanges, NewAttempt } from "./attempt-row.ts";

/** The columns of an attempt that the ledger also has. */
const REPORTED = new Set([
  "status",
  "provider_call_id",
  "connected_at",
  "ended_at",
  "outcome",
  "reason",
  "answered_by",
  "message",
] satisfies (keyof AttemptRow)[] as string[]);
/** The fields of an attempt that `update` can't change. */
const FIXED = ["call_id", "contact", "number", "unreported", "revision"] as const satisfies (keyof AttemptRow)[];
/** An attempt with the number and variables with which its call was placed. ?1 limits the bytes of the variables. */
const OF_CONTACT = `a.*, coalesce(a.to_number, c.phone) phone,
  iif(octet_length(coalesce(a.contact_variables, c.variables)) <= ?1, coalesce(a.contact_variables, c.variables), NULL) variables`;
/** Number of latest calls in the average length. */
const LATEST_CALLS = 1_000;

/** The calls of the campaign. Each is stored before the request to the carrier and never deleted. */
export class AttemptStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  begin(attempt: NewAttempt): void {
    const { call_id, contact, number, dialled_at, deadline } = attempt;
    const { provider, from_number, credentials_id, agent_id, pinned_version, recorded, disclosure } = attempt;
    this.#sql.exec(
      `INSERT INTO attempts (call_id, contact, number, dialled_at, deadline, provider, from_number, credentials_id, agent_id, pinned_version, recorded, disclosure, state, status)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'dialing', 'queued')`,
      call_id,
      contact,
      number,
      dialled_at,
      deadline,
      provider,
      from_number,
      credentials_id,
      agent_id,
      pinned_version,
      recorded,
      disclosure,
    );
  }

  get(callId: string): AttemptRow | undefined {
    return this.#sql.exec<AttemptRow>("SELECT * FROM attempts WHERE call_id = ?", callId).toArray()[0];
  }

  /** Changes an attempt. If the ledger has the changed columns, this creates a new revision to be reported. */
  update(callId: string, changes: Partial<Omit<AttemptRow, (typeof FIXED)[number]>>): void {
    const columns = Object.keys(changes);
    const assignments = columns.map((column) => `${column} = ?`);
    if (columns.some((column) => REPORTED.has(column))) assignments.push("unreported = 1", "revision = revision + 1");
    this.#sql.exec(
      `UPDATE attempts SET ${assignments.join(", ")} WHERE call_id = ?`,
      ...Object.values(changes),
      callId,
    );
  }

  /** Stores the analysis of a call's conversation and the names of its values; null for none. */
  analyzed(callId: string, conversationId: string, analysis: HeldAnalysis | null): void {
    const changed = this.#sql
      .exec(
        "UPDATE attempts SET analysis = ? WHERE call_id = ? AND conversation_id = ? RETURNING call_id",
        analysis === null ? null : JSON.stringify(Object.assign({ successful: analysis.successful }, fitted(analysis))),
        callId,
        conversationId,
      )
      .toArray();
    if (changed.length === 0 || analysis === null) return;
    for (const name of Object.keys(valuesIn(analysis, VALUED_STATES)))
      this.#sql.exec("INSERT OR IGNORE INTO analysis_names (name) VALUES (?)", name);
  }

  /** Returns the names of all values in analyses of the campaign's conversations. */
  analysisNames(): string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM analysis_names ORDER BY name")
      .toArray()
      .map(({ name }) => name);
  }

  unlinkConversations(callIds: string[]): void {
    for (const piece of jsonPieces(callIds))
      this.#sql.exec(
        "UPDATE attempts SET conversation_id = NULL, disposition = NULL, analysis = NULL WHERE call_id IN (SELECT value FROM json_each(?))",
        piece,
      );
  }

  openCount(): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) n FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'")
      .one().n;
  }

  /** Counts calls that are over for their contact but must still be hung up. Each keeps its slot until then. */
  leftTalking(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) n FROM attempts WHERE hangup = 1 AND state = 'ended'").one()
      .n;
  }

  /** Returns open attempts that are overdue for an event, the longest overdue first. */
  silent(now: number, limit: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>(
        "SELECT * FROM attempts WHERE state <> 'ended' AND deadline <= ? ORDER BY deadline LIMIT ?",
        now,
        limit,
      )
      .toArray();
  }

  open(): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'")
      .toArray();
  }

  /** Returns attempts that may hold one of the account's slots. */
  leased(): AttemptRow[] {
    return this.#sql.exec<AttemptRow>("SELECT * FROM attempts WHERE state <> 'ended' OR hangup = 1").toArray();
  }

  /** Returns calls with a machine whose message is due or took too long. */
  machines(now: number, limit: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>(
        `SELECT * FROM attempts INDEXED BY attempts_message
         WHERE message_until IS NOT NULL AND (message = 'due' OR message_until <= ?) ORDER BY message_until LIMIT ?`,
        now,
        limit,
      )
      .toArray();
  }

  /** Returns when the next call must be reconciled or hung up, ms; null if none. */
  nextLookAt(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(at) at FROM (
           SELECT min(deadline) at FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'
           UNION ALL SELECT min(hangup_at) FROM attempts WHERE hangup = 1
           UNION ALL SELECT min(message_until) FROM attempts WHERE message_until IS NOT NULL)`,
      )
      .one().at;
  }

  /** Returns the start times of the last minute's calls, oldest first, only the latest `limit` of them. */
  dialledInMinute(now: number, limit: number): number[] {
    return this.#sql
      .exec<{ at: number }>(
        "SELECT dialled_at at FROM attempts WHERE dialled_at > ? ORDER BY dialled_at DESC LIMIT ?",
        now - MINUTE_MS,
        limit,
      )
      .toArray()
      .map(({ at }) => at)
      .reverse();
  }

  toHangUp(now: number, limit: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>(
        "SELECT * FROM attempts WHERE hangup = 1 AND hangup_at <= ? ORDER BY hangup_at LIMIT ?",
        now,
        limit,
      )
      .toArray();
  }

  /** Returns the lease changes that weren't reported to the meter yet. */
  leaseChanges(): LeaseChanges {
    const rows = this.#sql
      .exec<{ call_id: string; lease: keyof LeaseChanges }>(
        "SELECT call_id, lease FROM attempts WHERE lease IS NOT NULL LIMIT 1000",
      )
      .toArray();
    const of = (kind: keyof LeaseChanges) => rows.filter(({ lease }) => lease === kind).map(({ call_id }) => call_id);
    return { free: of("free"), refund: of("refund"), renew: of("renew") };
  }

  answered(callIds: string[]): Pick<AttemptRow, "call_id" | "provider" | "outcome">[] {
    return this.#sql
      .exec<Pick<AttemptRow, "call_id" | "provider" | "outcome">>(
        `SELECT call_id, provider, outcome FROM json_each(?) freed CROSS JOIN attempts ON call_id = freed.value
         WHERE status = 'completed' OR connected_at IS NOT NULL`,
        JSON.stringify(callIds),
      )
      .toArray();
  }

  /** Returns how long these ended calls lasted from the answer on, ms, by call; 0 for an unanswered one. */
  tookMs(callIds: string[]): Record<string, number> {
    const rows = this.#sql
      .exec<{ call_id: string; took: number | null }>(
        `SELECT call_id, ended_at - connected_at took FROM json_each(?) freed CROSS JOIN attempts ON call_id = freed.value`,
        JSON.stringify(callIds),
      )
      .toArray();
    return Object.fromEntries(rows.map(({ call_id, took }) => [call_id, Math.max(0, took ?? 0)]));
  }

  /** Returns the calls that may hold a lease of the meter. */
  mayHoldLease(): string[] {
    return this.#sql
      .exec<{ call_id: string }>(
        `SELECT call_id FROM attempts INDEXED BY attempts_open WHERE state <> 'ended'
         UNION SELECT call_id FROM attempts INDEXED BY attempts_hangup WHERE hangup = 1
         UNION SELECT call_id FROM attempts INDEXED BY attempts_lease WHERE lease IS NOT NULL`,
      )
      .toArray()
      .map(({ call_id }) => call_id);
  }

  /** Marks the changes as reported to the meter, unless a newer one has arrived. */
  leaseChangesReported(changes: LeaseChanges): void {
    for (const [kind, ids] of Object.entries(changes)) {
      if (ids.length === 0) continue;
      this.#sql.exec(
        "UPDATE attempts SET lease = NULL WHERE lease = ? AND call_id IN (SELECT value FROM json_each(?))",
        kind,
        JSON.stringify(ids),
      );
    }
  }

  /**
   * Returns attempts whose current state the ledger lacks, longest placed first, with variables of at most `maxBytes`.
   */
  unreported(limit: number, maxBytes: number): AttemptOfContact[] {
    return this.#sql
      .exec<AttemptOfContact>(
        `SELECT ${OF_CONTACT} FROM attempts a INDEXED BY attempts_unreported JOIN contacts c ON c.id = a.contact
         WHERE a.unreported = 1 ORDER BY a.call_id LIMIT ?2`,
        maxBytes,
        limit,
      )
      .toArray();
  }

  /** Whether the ledger lacks the current state of any attempt. */
  get owes(): boolean {
    const one = "SELECT 1 FROM attempts INDEXED BY attempts_unreported WHERE unreported = 1 LIMIT 1";
    return this.#sql.exec(one).toArray().length > 0;
  }

  /** Returns an attempt with variables of at most `maxBytes`. */
  ofContactCalled(callId: string, maxBytes: number): AttemptOfContact | undefined {
    return this.#sql
      .exec<AttemptOfContact>(
        `SELECT ${OF_CONTACT} FROM attempts a JOIN contacts c ON c.id = a.contact WHERE a.call_id = ?2`,
        maxBytes,
        callId,
      )
      .toArray()[0];
  }

  /**
   * Stores the contact's current number and variables with its calls, before the contact is corrected. The calls were
   * placed with these.
   */
  keepLine({ id, phone, variables }: { id: number; phone: number; variables: string }): void {
    this.#sql.exec(
      "UPDATE attempts SET to_number = ?, contact_variables = ? WHERE contact = ? AND to_number IS NULL",
      phone,
      variables,
      id,
    );
  }

  /** Marks these revisions as reported to the ledger. An attempt that changed since must still be reported. */
  markReported(attempts: Pick<AttemptRow, "call_id" | "revision">[]): void {
    for (const piece of jsonPieces(attempts.map(({ call_id, revision }) => [call_id, revision])))
      this.#sql.exec(
        `UPDATE attempts SET unreported = 0 FROM json_each(?) reported
         WHERE call_id = reported.value ->> 0 AND revision = reported.value ->> 1`,
        piece,
      );
  }

  /** Returns the average length of the latest calls from dialing to their end, ms; null before the first has ended. */
  averageLength(): number | null {
    return this.#sql
      .exec<{ ms: number | null }>(
        `SELECT avg(ended_at - dialled_at) ms FROM (
           SELECT ended_at, dialled_at FROM attempts WHERE state = 'ended' ORDER BY dialled_at DESC LIMIT ?)`,
        LATEST_CALLS,
      )
      .one().ms;
  }

  ofContact(contact: number): AttemptRow[] {
    return this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts WHERE contact = ? ORDER BY number, dialled_at", contact)
      .toArray();
  }
}
