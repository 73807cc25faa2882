import type { ContactStatus, Outcome } from "../decide/state.ts";
import type { AnalyzedConversation } from "./attempt-row.ts";
import { ALL_VISIBLE, type ContactRow, type Visibility } from "./contacts.ts";
import { positionOf } from "./position.ts";
import { MOST_READ_BYTES, upToSize } from "./up-to-size.ts";

/** A contact with its position in the list, counted from 1, and the conversation of its latest call. */
export type ListedContact = ContactRow & AnalyzedConversation & { position: number };

export interface ContactFilter {
  status?: ContactStatus | undefined;
  outcome?: Outcome | undefined;
}

export interface ContactPage extends ContactFilter {
  limit: number;
  offset: number;
  /** Only rows after this one. This is as fast at the millionth contact as at the first. */
  after?: number | undefined;
  /** The bytes of a row besides its variables. */
  overhead?: number;
}

/** A range of numbers (digits), both ends included. */
export type NumberRange = readonly [from: number, to: number];

/** The criteria of a search for the rows that it reads. */
export interface Wanted extends ContactFilter {
  /** The beginning of the number, with its plus. The variables are then ignored. */
  numberPrefix?: string;
  /** A condition that SQL checks first: a part of the number, or of the variables' JSON in lower case. */
  roughly?: { number: string; json: string };
  /** Decides whether a row that passed `roughly` matches. */
  matches(contact: Pick<ContactRow, "phone" | "variables">): boolean;
}

/** The result of a bounded search of the contacts after a row. */
export interface Found {
  ids: number[];
  /** The last row that was read; null if the end was reached. */
  reached: number | null;
}

/** Rows, and bytes of their variables, after which a search returns what it found. */
export const MOST_SEARCHED_ROWS = 25_000;
const MOST_SEARCHED_BYTES = 8_000_000;
const SEARCHED_A_STEP = 2_000;

export class ContactListing {
  readonly #sql: SqlStorage;
  readonly #campaign: Visibility;

  constructor(sql: SqlStorage, campaign: Visibility = ALL_VISIBLE) {
    this.#sql = sql;
    this.#campaign = campaign;
  }

  /** Returns up to `limit` contacts in order, fewer if they are long. */
  page({ status, outcome, limit, offset, after, overhead }: ContactPage): ListedContact[] {
    const rows = (from: string) =>
      `SELECT id key, octet_length(variables) + ?3 size FROM contacts ${from} id > ?4 AND id <= ?7 ORDER BY id LIMIT ?5 OFFSET ?6`;
    const wanted = outcome === undefined ? rows(status ? "WHERE status = ?1 AND" : "WHERE") : byOutcome(status);
    return this.#listed(
      `${upToSize(wanted)} CROSS JOIN contacts ON id = key`,
      status ?? null,
      outcome ?? null,
      overhead ?? 0,
      after ?? 0,
      limit,
      offset,
      this.#campaign.lastShown,
      MOST_READ_BYTES,
    );
  }

  /** Returns these contacts in order, fewer if they are long. `overhead` is the same as for a page. */
  byIds(ids: number[], overhead: number): ListedContact[] {
    const rows =
      "SELECT c.id key, octet_length(variables) + ? size FROM json_each(?) CROSS JOIN contacts c ON c.id = value WHERE c.id <= ? ORDER BY c.id";
    return this.#listed(
      `${upToSize(rows)} CROSS JOIN contacts ON id = key`,
      overhead,
      JSON.stringify(ids),
      this.#campaign.lastShown,
      MOST_READ_BYTES,
    );
  }

  #listed(from: string, ...bindings: SqlStorageValue[]): ListedContact[] {
    return this.#sql
      .exec<ListedContact>(
        `SELECT contacts.*, ${positionOf("contacts.id")} position, conversation_id, disposition,
           coalesce(agent_version, pinned_version) agent_version, analysis FROM ${from}
         LEFT JOIN attempts ON attempts.call_id = contacts.call_id ORDER BY id`,
        ...bindings,
      )
      .toArray();
  }

  /** Counts contacts with an outcome; null if there are more than `most`. */
  countOutcome({ status, outcome }: ContactFilter, most: number): number | null {
    const { n } = this.#sql
      .exec<{ n: number }>(
        `SELECT count(*) n FROM (SELECT 1 FROM contacts INDEXED BY contacts_outcome
         WHERE outcome = ?1 ${status ? "AND status = ?2" : ""} LIMIT ?3)`,
        outcome ?? null,
        status ?? null,
        most + 1,
      )
      .one();
    return n > most ? null : n;
  }

  /** Returns the contacts with a number in one of the ranges, in order; null if there are more than `most`. */
  inRanges(ranges: readonly NumberRange[], { status, outcome }: ContactFilter, most: number): number[] | null {
    const ids: number[] = [];
    for (const [from, to] of ranges) {
      const found = this.#sql
        .exec<{ id: number; status: ContactStatus; outcome: Outcome | null }>(
          "SELECT id, status, outcome FROM contacts INDEXED BY contacts_phone WHERE phone BETWEEN ? AND ? AND id <= ? LIMIT ?",
          from,
          to,
          this.#campaign.lastShown,
          most + 1,
        )
        .toArray();
      if (ids.length + found.length > most) return null;
      const wanted = found.filter((row) => (!status || row.status === status) && (!outcome || row.outcome === outcome));
      ids.push(...wanted.map(({ id }) => id));
    }
    return ids.sort((a, b) => a - b);
  }

  /** Searches the contacts after a row until `limit` are found or the maximum was read. */
  search(wanted: Wanted, after: number, limit: number): Found {
    const ids: number[] = [];
    let [at, rows, bytes] = [after, 0, 0];
    while (rows < MOST_SEARCHED_ROWS && bytes < MOST_SEARCHED_BYTES) {
      const step = this.#step(at);
      if (step.last === null) return { ids, reached: null };
      for (const contact of this.#candidates(wanted, at, step.last)) {
        if (!wanted.matches(contact)) continue;
        ids.push(contact.id);
        if (ids.length === limit) return { ids, reached: this.isLast(contact.id) ? null : contact.id };
      }
      at = step.last;
      rows += step.rows;
      bytes += step.bytes;
    }
    return { ids, reached: this.isLast(at) ? null : at };
  }

  isLast(id: number): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM contacts WHERE id > ? AND id <= ? LIMIT 1", id, this.#campaign.lastShown).toArray()
        .length === 0
    );
  }

  #step(after: number): { last: number | null; rows: number; bytes: number } {
    return this.#sql
      .exec<{ last: number | null; rows: number; bytes: number }>(
        `SELECT max(key) last, count(*) rows, coalesce(sum(octet_length(variables)), 0) bytes
         FROM ${upToSize("SELECT id key, octet_length(variables) size FROM contacts WHERE id > ? AND id <= ? ORDER BY id LIMIT ?")}
         CROSS JOIN contacts ON id = key`,
        after,
        this.#campaign.lastShown,
        SEARCHED_A_STEP,
        MOST_READ_BYTES,
      )
      .one();
  }

  /** Returns the candidate rows of a step, each read on demand. */
  #candidates({ status, outcome, numberPrefix, roughly }: Wanted, after: number, last: number) {
    const conditions = [
      status && "status = ?1",
      outcome && "outcome = ?2",
      numberPrefix && "instr('+' || phone, ?3) = 1",
      roughly && "(instr('+' || phone, ?3) > 0 OR instr(lower(variables), ?4) > 0)",
      "id > ?5 AND id <= ?6",
    ].filter((condition) => condition !== undefined && condition !== "");
    return this.#sql.exec<Pick<ContactRow, "id" | "phone" | "variables">>(
      `SELECT id, phone, variables FROM contacts WHERE ${conditions.join(" AND ")} ORDER BY id`,
      status ?? null,
      outcome ?? null,
      numberPrefix ?? roughly?.number ?? null,
      roughly?.json ?? null,
      after,
      last,
    );
  }
}

/**
 * Runs of the outcome index. Each is in order except that of the few open calls. A union can have at most five terms.
 */
const RUNS = ["= 'pending'", "IN ('originated', 'connected')", "= 'completed'", "= 'failed'", "= 'cancelled'"];

/** Contacts with an outcome, merged from the index's runs per status. */
function byOutcome(status: ContactStatus | undefined): string {
  const run = (of: string) =>
    `SELECT id key, octet_length(variables) + ?3 size FROM contacts INDEXED BY contacts_outcome WHERE outcome = ?2 AND status ${of} AND id > ?4 AND id <= ?7`;
  const runs = status ? [run("= ?1")] : RUNS.map(run);
  return `${runs.join(" UNION ALL ")} ORDER BY key LIMIT ?5 OFFSET ?6`;
}
