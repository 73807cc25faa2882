import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { logError } from "../../kernel/log.ts";
import { analysisKey } from "../analysis/archive.ts";
import { archiveKey, audioKey } from "./file-keys.ts";
import type { Notice } from "./notices.ts";
import { heldByCampaigns } from "./outcome-holder.ts";
import type { LedgerRecords } from "./records.ts";
import { afterBatch, afterFailure, newRound, type RetentionRound } from "./retention-round.ts";

/** The kinds of records that have files in R2. */
const KINDS = ["conversations", "recordings"] as const;
export type RecordKind = (typeof KINDS)[number];

/** The time (ms) from which records are kept, by kind; null for all. */
export type KeptFrom = Record<RecordKind | "calls", number | null>;

interface Dependencies {
  storage: DurableObjectStorage;
  account: string;
  buckets: Record<RecordKind, Pick<R2Bucket, "delete">>;
  records: () => Pick<LedgerRecords, "removeConversations" | "removeRecordings">;
  /** Adds a notice in the caller's transaction. */
  owe: (notice: Notice, now: number) => void;
}

type Found = {
  id: string;
  at: string;
  session_key: string;
  campaign_id: string | null;
  call_id: string | null;
  /** 1 if its object may still hold turns, or an analysis is in progress; otherwise 0. */
  held: number;
};
type StoredRound = Omit<RetentionRound, "after"> & { kind: RecordKind; after_at: string; after_id: string };

/**
 * Deletes conversations and recordings that are older than the account's retention, by the object's alarm and in
 * bounded batches. First the files are deleted from R2. Then one transaction deletes the rows, saves the position, and
 * adds notices to the other places that store parts of them. The counters don't change. Live conversations are skipped.
 */
export class RecordRetention implements ObjectPart {
  readonly #deps: Dependencies;
  /** Null until read. */
  #stored: Map<RecordKind, RetentionRound> | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Sets the times from which records are kept, replacing earlier ones. Deletion begins at `now` (ms). */
  keepFrom(kept: Record<RecordKind, number | null>, now: number): void {
    for (const kind of KINDS) {
      const at = kept[kind];
      const round = this.#rounds.get(kind);
      const before = at === null ? null : new Date(at).toISOString();
      if (before === null) this.#save(kind, null);
      else if (round) this.#save(kind, Object.assign({}, round, { before, due_at: now }));
      else if (this.#find(kind, newRound(before, now), 1).length > 0) this.#save(kind, newRound(before, now));
    }
  }

  /** Since when (ms) records have been waiting to be deleted; null if none are. */
  get since(): number | null {
    return this.#rounds.size === 0 ? null : earliest([...this.#rounds.values()].map(({ since }) => since));
  }

  dueAt(): number | null {
    return this.#rounds.size === 0 ? null : earliest([...this.#rounds.values()].map(({ due_at }) => due_at));
  }

  async run(now: number): Promise<void> {
    const due = [...this.#rounds].find(([, { due_at }]) => due_at <= now);
    if (due) await this.#deleteBatch(...due);
  }

  resume(): void {
    this.#stored = null;
  }

  async #deleteBatch(kind: RecordKind, round: RetentionRound): Promise<void> {
    const { storage, account, buckets } = this.#deps;
    const found = this.#find(kind, round, round.rows);
    try {
      const keys = found.flatMap(({ id }) => keysOf(kind, account, id));
      if (keys.length > 0) await buckets[kind].delete(keys);
      storage.transactionSync(() => {
        this.#removeRows(kind, found);
        this.#advance(kind, (current) => afterBatch(current, found, Date.now()));
      });
    } catch (error) {
      this.#stored = null;
      logError("retention", error, { account, kind, records: found.length });
      this.#advance(kind, (current) => afterFailure(current, found, Date.now()));
    }
  }

  #removeRows(kind: RecordKind, found: Found[]): void {
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return;
    const records = this.#deps.records();
    if (kind === "recordings") records.removeRecordings(ids);
    else records.removeConversations(ids);
    const now = Date.now();
    if (kind === "conversations") for (const notice of noticesOf(found)) this.#deps.owe(notice, now);
  }

  /** Advances the deletion of a kind, unless another time was set in the meantime, or all records are now kept. */
  #advance(kind: RecordKind, next: (current: RetentionRound) => RetentionRound | null): void {
    const current = this.#rounds.get(kind);
    if (current) this.#save(kind, next(current));
  }

  #find(kind: RecordKind, { before, after }: RetentionRound, limit: number): Found[] {
    const query =
      kind === "conversations"
        ? `SELECT id, started_at at, session_key, campaign_id, call_id, archived = 0 OR analysis_status IS 'pending' held
            FROM conversations WHERE started_at < ? AND (started_at, id) > (?, ?) AND status = 'ended'
            ORDER BY started_at, id LIMIT ?`
        : `SELECT id, created_at at, '' session_key, campaign_id, call_id, 0 held
            FROM recordings WHERE created_at < ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`;
    return this.#deps.storage.sql.exec<Found>(query, before, after.at, after.id, limit).toArray();
  }

  get #rounds(): Map<RecordKind, RetentionRound> {
    this.#stored ??= new Map(
      this.#deps.storage.sql
        .exec<StoredRound>("SELECT * FROM record_retention ORDER BY kind")
        .toArray()
        .map(({ kind, after_at, after_id, ...round }) => [
          kind,
          Object.assign(round, { after: { at: after_at, id: after_id } }),
        ]),
    );
    return this.#stored;
  }

  #save(kind: RecordKind, round: RetentionRound | null): void {
    const { sql } = this.#deps.storage;
    const rounds = this.#rounds;
    if (round === null) {
      if (rounds.delete(kind)) sql.exec("DELETE FROM record_retention WHERE kind = ?", kind);
      return;
    }
    const { before, since, after, rows, due_at, failures, skipped } = round;
    sql.exec(
      `INSERT OR REPLACE INTO record_retention (kind, before, since, after_at, after_id, rows, due_at, failures, skipped)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[kind, before, since, after.at, after.id, rows, due_at, failures, skipped],
    );
    rounds.set(kind, round);
  }
}

function keysOf(kind: RecordKind, account: string, id: string): string[] {
  return kind === "recordings" ? [audioKey(account, id)] : [archiveKey(account, id), analysisKey(account, id)];
}

/** Returns the notices to all other places that store parts of these conversations. */
function noticesOf(found: Found[]): Notice[] {
  return [
    { to: "tests", conversation_ids: found.map(({ id }) => id) },
    ...found
      .filter(({ held }) => held === 1)
      .map(({ id, session_key }): Notice => ({ to: "conversation", id, session_key })),
    ...[...heldByCampaigns(found)].map(
      ([campaign_id, call_ids]): Notice => ({ to: "campaign", campaign_id, call_ids }),
    ),
  ];
}
