import { firstStep, type Migration } from "../../kernel/durable/migrate.ts";
import { derivedId, instantOf } from "../../kernel/instant-ids.ts";
import type { Provider, Recording } from "../carriers/carrier.ts";
import { pruneAt } from "./retry-policy.ts";

/** The most recordings ingested per call. No carrier makes more. */
export const MAX_RECORDINGS_PER_CALL = 20;
/** The reason for refusing recordings beyond the maximum. */
export const TOO_MANY_RECORDINGS = `the call already has ${MAX_RECORDINGS_PER_CALL} recordings`;

export interface RecordedCall {
  provider: Provider;
  credentials_id: string | null;
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
}

export interface Entry extends RecordedCall {
  /** The carrier's id of the recording. */
  source_id: string;
  /**
   * Our id of its row and its audio. It is the same in every attempt and every report, so that an attempt leaves
   * nothing behind and restores nothing after an erasure.
   */
  id: string;
  recording: Recording;
  taken_at: number;
  tries: number;
}
/** A recording that waits to be ingested, with what identifies it at its carrier. */
export type WaitingRecording = Pick<Entry, "id" | "call_id" | "source_id" | "provider" | "credentials_id">;
type EntryRow = Record<string, string | number | null> & Omit<Entry, "recording"> & { recording: string };

const ENTRIES = `
  CREATE TABLE entries (
    call_id TEXT NOT NULL, source_id TEXT NOT NULL, id TEXT NOT NULL, provider TEXT NOT NULL, credentials_id TEXT,
    agent_id TEXT NOT NULL, campaign_id TEXT, recording TEXT NOT NULL,
    taken_at INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL,
    PRIMARY KEY (call_id, source_id)
  ) WITHOUT ROWID;
  CREATE INDEX entries_due ON entries (due_at, id);
  CREATE TABLE done (
    call_id TEXT NOT NULL, source_id TEXT NOT NULL, prune_at INTEGER NOT NULL, PRIMARY KEY (call_id, source_id)
  ) WITHOUT ROWID;
  CREATE INDEX done_prune ON done (prune_at);
`;

export const INBOX_MIGRATIONS: readonly Migration[] = [firstStep(ENTRIES)];

/**
 * Returns our id of a carrier's recording of a call. It contains the call's time, so that both are in the same volume
 * of the ledger.
 */
export function recordingId(call_id: string, source_id: string, now: number): string {
  return derivedId(instantOf(call_id) ?? now, "recording", call_id, source_id);
}

/** The storage of an account's inbox: pending entries, and the keys of completed ones for a day. */
export class InboxLedger {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds a recording unless it is pending or was completed within a day. Returns false if its call has too many
   * recordings.
   */
  add(call: RecordedCall, recording: Recording, now: number): boolean {
    const { provider, credentials_id, call_id, agent_id, campaign_id } = call;
    const ofCall = `SELECT source_id FROM entries WHERE call_id = ?1 UNION ALL SELECT source_id FROM done WHERE call_id = ?1`;
    const { here, held } = this.#sql
      .exec<{ here: number | null; held: number }>(
        `SELECT max(source_id = ?2) here, count(*) held FROM (${ofCall})`,
        call_id,
        recording.id,
      )
      .one();
    if (here === 1) return true;
    if (held >= MAX_RECORDINGS_PER_CALL) return false;
    this.#sql.exec(
      `INSERT INTO entries (call_id, source_id, id, provider, credentials_id, agent_id, campaign_id, recording, taken_at, due_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
      call_id,
      recording.id,
      recordingId(call_id, recording.id, now),
      provider,
      credentials_id,
      agent_id,
      campaign_id,
      JSON.stringify(recording),
      now,
    );
    return true;
  }

  get pendingCount(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM entries").one().n;
  }

  /**
   * Returns the due entries, those due longest first: up to `each` that have not failed yet, and up to `each` that
   * have.
   */
  due(now: number, each: number): Entry[] {
    const select = (which: string) =>
      `SELECT * FROM (SELECT * FROM entries WHERE due_at <= ?1 AND ${which} ORDER BY due_at, id LIMIT ?2)`;
    return this.#sql
      .exec<EntryRow>(`${select("tries = 0")} UNION ALL ${select("tries > 0")}`, now, each)
      .toArray()
      .map(({ due_at: _, recording, ...entry }) => ({ ...entry, recording: JSON.parse(recording) }));
  }

  again({ call_id, source_id }: Entry, due_at: number): void {
    this.#sql.exec(
      "UPDATE entries SET tries = tries + 1, due_at = ? WHERE call_id = ? AND source_id = ?",
      due_at,
      call_id,
      source_id,
    );
  }

  done(entry: Entry, now: number): void {
    this.drop(entry);
    this.#sql.exec(
      "INSERT OR REPLACE INTO done (call_id, source_id, prune_at) VALUES (?, ?, ?)",
      entry.call_id,
      entry.source_id,
      pruneAt(now),
    );
  }

  drop({ call_id, source_id }: Entry): void {
    this.#sql.exec("DELETE FROM entries WHERE call_id = ? AND source_id = ?", call_id, source_id);
  }

  waiting(callIds: string[]): WaitingRecording[] {
    return this.#sql
      .exec<EntryRow>(
        `SELECT id, call_id, source_id, provider, credentials_id FROM entries
         WHERE call_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(callIds),
      )
      .toArray();
  }

  dropCalls(callIds: string[]): void {
    const query = "DELETE FROM entries WHERE call_id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(query, JSON.stringify(callIds));
  }

  prune(now: number): void {
    this.#sql.exec("DELETE FROM done WHERE prune_at <= ?", now);
  }

  /** Returns when (ms) the next entry becomes due after `now`; null if none does. */
  nextAfter(now: number): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(due_at) at FROM entries WHERE due_at > ?", now).one().at;
  }

  /** Returns when (ms) the next entry is due or can be deleted; null for an empty ledger. */
  next(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        "SELECT min(at) at FROM (SELECT min(due_at) at FROM entries UNION ALL SELECT min(prune_at) FROM done)",
      )
      .one().at;
  }
}
