import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import { ERASED_NUMBER } from "../contact-id.ts";
import type { Outcome } from "../decide/state.ts";
import type { CampaignRowStore } from "./campaign-row.ts";
import { positionOf } from "./position.ts";

export type LogRow = {
  seq: number;
  at: number;
  event: string;
  actor: string | null;
  contact: number | null;
  phone: number | null;
  status: string;
  previous_status: string | null;
  attempt: number | null;
  call_id: string | null;
  reason: string | null;
  counts: string | null;
  detail: string | null;
  hash: string;
};
/** An entry with the position of its contact; null if it isn't about a contact. */
export type LogEntry = LogRow & { position: number | null };
/** An entry with the outcome of its call, if it is about one, and the number of attempts of its contact. */
export type Milestone = LogRow & { outcome: Outcome | null; agent_id: string | null; attempts: number | null };
export type NewEntry = Partial<Omit<LogRow, "seq" | "at" | "hash">> & Pick<LogRow, "event" | "status">;

/**
 * The reasons of entries after which other people may be called, or may hear other words. The number of waiting
 * contacts is counted separately.
 */
const CHANGES_CONTACTS = new Set(["contacts_added", "contact_corrected", "redialled"]);

const COLUMNS = [
  "at",
  "event",
  "actor",
  "contact",
  "status",
  "previous_status",
  "attempt",
  "call_id",
  "reason",
  "counts",
  "detail",
] as const;

/** Inserts entries from a JSON array of arrays: the number, the columns, the hash. */
const INSERT = `INSERT INTO log (seq, ${COLUMNS.join(", ")}, hash)
  SELECT value ->> 0, ${COLUMNS.map((_, i) => `value ->> ${i + 1}`).join(", ")}, value ->> ${COLUMNS.length + 1} FROM json_each(?)`;

/** The number that a contact had at the time of an entry, if it was corrected since. Entries are hashed with it. */
const NUMBER_THEN =
  "SELECT phone FROM earlier_numbers e WHERE e.contact = log.contact AND until_seq >= log.seq ORDER BY until_seq LIMIT 1";
/** The number of an entry; null if it was erased. */
const NUMBER = `nullif(coalesce((${NUMBER_THEN}), contacts.phone), ${ERASED_NUMBER})`;

/**
 * The campaign's append-only history. Entries are numbered without gaps, and each contains the hash of the previous
 * one, so that none can be changed, removed or inserted unnoticed. Only the erasure of a person changes entries; it
 * adds an entry that says so. The event stream sends this history.
 */
export class Log {
  readonly #sql: SqlStorage;
  readonly #campaign: CampaignRowStore;

  constructor(sql: SqlStorage, campaign: CampaignRowStore) {
    this.#sql = sql;
    this.#campaign = campaign;
  }

  append(entries: NewEntry[], now: number): void {
    let { seq, hash } = this.#campaign.existing;
    const rows = entries.map((entry) => {
      const row: LogRow = { ...BLANK, ...entry, seq: ++seq, at: now, hash: "" };
      hash = chain(hash, row);
      row.hash = hash;
      return row;
    });
    const values = rows.map((row) => [row.seq, ...COLUMNS.map((column) => row[column]), row.hash]);
    const changesContacts = rows.some(({ reason }) => CHANGES_CONTACTS.has(reason ?? ""));
    for (const piece of jsonPieces(values)) this.#sql.exec(INSERT, piece);
    this.#campaign.update({ seq, hash, ...(changesContacts && { contacts_revision: seq }) });
  }

  after(seq: number, limit: number): LogEntry[] {
    return this.#sql
      .exec<LogEntry>(
        `SELECT log.*, ${NUMBER} phone, ${positionOf("log.contact")} position
         FROM log LEFT JOIN contacts ON contacts.id = log.contact WHERE seq > ? ORDER BY seq LIMIT ?`,
        seq,
        limit,
      )
      .toArray();
  }

  /** Returns the hash of an entry, which the next one continues; empty before the first. */
  hashOf(seq: number): string {
    return this.#sql.exec<{ hash: string }>("SELECT hash FROM log WHERE seq = ?", seq).toArray()[0]?.hash ?? "";
  }

  /**
   * Returns the entries after `seq`, up to and including `last`, that the account's events report: those of the
   * campaign, and those of contacts that completed or failed.
   */
  milestones(seq: number, last: number, limit: number): Milestone[] {
    return this.#sql
      .exec<Milestone>(
        `SELECT log.*, ${NUMBER} phone, attempts.outcome, attempts.agent_id,
                coalesce(log.attempt, contacts.attempts) attempts
         FROM log LEFT JOIN contacts ON contacts.id = log.contact LEFT JOIN attempts ON attempts.call_id = log.call_id
         WHERE seq > ? AND seq <= ?
           AND (log.contact IS NULL OR (log.status IN ('completed', 'failed') AND log.previous_status <> log.status))
         ORDER BY seq LIMIT ?`,
        seq,
        last,
        limit,
      )
      .toArray();
  }
}

const BLANK = {
  actor: null,
  contact: null,
  phone: null,
  previous_status: null,
  attempt: null,
  call_id: null,
  reason: null,
  counts: null,
  detail: null,
};

/** Returns the hashed fields of an entry. They are exported, so that anyone can verify the hash. */
export function hashedPart(row: Omit<LogRow, "hash">): unknown[] {
  return [row.seq, ...COLUMNS.map((column) => row[column]), row.phone];
}

/** Returns the SHA-256, as hex, of the previous hash and the entry. */
export function chain(previous: string, row: Omit<LogRow, "hash">): string {
  return bytesToHex(sha256(utf8ToBytes(`${previous}\n${JSON.stringify(hashedPart(row))}`)));
}
