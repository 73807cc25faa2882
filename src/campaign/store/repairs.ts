import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import { ERASED_NUMBER } from "../contact-id.ts";
import type { Outcome } from "../decide/state.ts";
import type { ContactRow, Visibility } from "./contacts.ts";
import { upToSize } from "./up-to-size.ts";

export type FailedContact = Pick<ContactRow, "id" | "phone" | "status">;

export interface CopiedContacts {
  /** JSON: `[[digits, zone, [cell, …]], …]`. */
  rows: string;
  count: number;
  /** The time zones that rows may refer to by number. */
  zones: { id: number; name: string }[];
  /** The row after which to continue; null at the end. */
  next: number | null;
  /** JSON: the current names of the cells. */
  columns: string;
}

/** Contacts to copy: those whose latest call had one of the outcomes, and those never called. */
export interface ChosenContacts {
  outcomes: Outcome[];
  notCalled: boolean;
}

/** Contacts that a user canceled. Only the history distinguishes them from those that a stop canceled. */
const CANCELLED_BY_HAND =
  "SELECT contact FROM log INDEXED BY log_cancelled_by_hand WHERE reason = 'cancelled' AND event = 'cancelled'";

/** The person was erased, so the contact can't be called. */
const IS_ERASED = `phone = ${ERASED_NUMBER}`;

/** The maximum rows of a piece of a copy, and bytes of their variables. A piece must fit into one parameter. */
const COPIED_ROWS = 20_000;
const COPIED_BYTES = 700_000;
/** Approximate size of a row besides its variables. */
const ROW_BYTES = 24;

/** Changes of contacts that don't come from their calls. Each method is part of the caller's transaction. */
export class RepairStore {
  readonly #sql: SqlStorage;
  readonly #campaign: Visibility;

  constructor(sql: SqlStorage, campaign: Visibility) {
    this.#sql = sql;
    this.#campaign = campaign;
  }

  withNumber(phone: number): number | null {
    return (
      this.#sql.exec<{ id: number }>("SELECT id FROM contacts WHERE phone = ? LIMIT 1", phone).toArray()[0]?.id ?? null
    );
  }

  /** Stores the corrected contact. History entries up to `seq` keep the earlier number. */
  correct(before: ContactRow, now: Pick<ContactRow, "phone" | "zone" | "variables" | "updated_at">, seq: number): void {
    if (now.phone !== before.phone)
      this.#sql.exec(
        "INSERT INTO earlier_numbers (contact, until_seq, phone) VALUES (?, ?, ?)",
        before.id,
        seq,
        before.phone,
      );
    this.#sql.exec(
      "UPDATE contacts SET phone = ?, zone = ?, variables = ?, updated_at = ? WHERE id = ?",
      now.phone,
      now.zone,
      now.variables,
      now.updated_at,
      before.id,
    );
  }

  zone(name: string): number {
    this.#sql.exec("INSERT OR IGNORE INTO zones (name) VALUES (?)", name);
    return this.#sql.exec<{ id: number }>("SELECT id FROM zones WHERE name = ?", name).one().id;
  }

  /**
   * Counts failed contacts with one of the outcomes that can be called again. It counts in indexes, even if there are
   * many.
   */
  countFailed(outcomes: readonly Outcome[]): number {
    return this.#sql
      .exec<{ n: number }>(
        `SELECT (SELECT count(*) FROM contacts INDEXED BY contacts_outcome
                 WHERE outcome IN (SELECT value FROM json_each(?1)) AND status = 'failed')
         - (SELECT count(*) FROM contacts
            WHERE ${IS_ERASED} AND outcome IN (SELECT value FROM json_each(?1)) AND status = 'failed') n`,
        JSON.stringify(outcomes),
      )
      .one().n;
  }

  /** Returns contacts that are being called and may still fail. There are no more than the concurrency limit. */
  beingCalled(): number[] {
    return this.#sql
      .exec<{ contact: number }>(
        `SELECT DISTINCT a.contact FROM attempts a INDEXED BY attempts_open CROSS JOIN contacts c ON c.id = a.contact
         WHERE a.state <> 'ended' AND c.status <> 'failed'`,
      )
      .toArray()
      .map(({ contact }) => contact);
  }

  /**
   * Returns up to `limit` failed contacts with one of the outcomes, without the contacts in `except`, outcome by
   * outcome.
   */
  failed(outcomes: readonly Outcome[], except: number[], limit: number): FailedContact[] {
    const found: FailedContact[] = [];
    for (const outcome of outcomes) {
      if (found.length >= limit) break;
      found.push(
        ...this.#sql.exec<FailedContact>(
          `SELECT id, phone, status FROM contacts INDEXED BY contacts_outcome
           WHERE outcome = ? AND status = 'failed' AND id NOT IN (SELECT value FROM json_each(?)) AND NOT ${IS_ERASED}
           ORDER BY id LIMIT ?`,
          outcome,
          JSON.stringify(except),
          limit - found.length,
        ),
      );
    }
    return found;
  }

  /** Counts failed contacts with one of the outcomes whose call must still be hung up. */
  stillTalking(outcomes: readonly Outcome[]): number {
    return this.#sql
      .exec<{ n: number }>(
        `SELECT count(*) n FROM attempts a CROSS JOIN contacts c ON c.id = a.contact
         WHERE a.hangup = 1 AND c.status = 'failed' AND c.outcome IN (SELECT value FROM json_each(?))`,
        JSON.stringify(outcomes),
      )
      .one().n;
  }

  makePending(ids: number[], now: number): void {
    for (const piece of jsonPieces(ids)) {
      this.#sql.exec(
        "UPDATE contacts SET status = 'pending', next_attempt_at = ?1, updated_at = ?1 WHERE id IN (SELECT value FROM json_each(?2))",
        now,
        piece,
      );
    }
  }

  /**
   * Counts contacts by the outcome of their latest call, without erased ones. It counts in indexes, even if there are
   * many.
   */
  countOutcomes(): Map<Outcome, number> {
    const count = (of: string, where: string) =>
      this.#sql
        .exec<{ outcome: Outcome; n: number }>(
          `SELECT outcome, count(*) n FROM ${of} WHERE ${where} AND outcome IS NOT NULL AND id <= ? GROUP BY outcome`,
          this.#campaign.lastShown,
        )
        .toArray();
    const counts = new Map(count("contacts INDEXED BY contacts_outcome", "true").map(({ outcome, n }) => [outcome, n]));
    for (const { outcome, n } of count("contacts", IS_ERASED)) counts.set(outcome, (counts.get(outcome) ?? 0) - n);
    return counts;
  }

  /**
   * Returns how many of `all` contacts were never called and neither canceled by a user nor erased. The others are
   * counted in their indexes: those with an outcome, those on their first call, and those canceled or erased before any
   * call.
   */
  countNotCalled(all: number): number {
    const { n } = this.#sql
      .exec<{ n: number }>(
        `SELECT (SELECT count(*) FROM contacts INDEXED BY contacts_outcome WHERE outcome IS NOT NULL AND id <= ?1)
         + (SELECT count(DISTINCT a.contact) FROM attempts a INDEXED BY attempts_open CROSS JOIN contacts c ON c.id = a.contact
            WHERE a.state <> 'ended' AND c.outcome IS NULL)
         + (SELECT count(*) FROM contacts WHERE id IN (${CANCELLED_BY_HAND}) AND outcome IS NULL AND id <= ?1)
         + (SELECT count(*) FROM contacts
            WHERE ${IS_ERASED} AND outcome IS NULL AND id <= ?1 AND id NOT IN (${CANCELLED_BY_HAND})) n`,
        this.#campaign.lastShown,
      )
      .one();
    return all - n;
  }

  /** Returns a piece of the contacts after a row: all of them, or the chosen ones. */
  copy(after: number, chosen: ChosenContacts | null): Omit<CopiedContacts, "columns"> {
    const { last } = this.#sql
      .exec<{ last: number | null }>(
        `SELECT max(key) last FROM ${upToSize(`SELECT id key, octet_length(variables) + ${ROW_BYTES} size FROM contacts WHERE id > ? AND id <= ? ORDER BY id LIMIT ${COPIED_ROWS}`)}`,
        after,
        this.#campaign.lastShown,
        COPIED_BYTES,
      )
      .one();
    const { rows, count } = this.#sql
      .exec<{ rows: string; count: number }>(
        `SELECT json_group_array(json_array(phone, zone, json(variables)) ORDER BY id) rows, count(*) count FROM contacts
         WHERE id > ?1 AND id <= ?2 AND NOT ${IS_ERASED} AND (?3 IS NULL OR outcome IN (SELECT value FROM json_each(?3))
           OR (?4 AND outcome IS NULL AND attempts = 0 AND id NOT IN (${CANCELLED_BY_HAND})))`,
        after,
        last ?? after,
        chosen && JSON.stringify(chosen.outcomes),
        chosen?.notCalled ? 1 : 0,
      )
      .one();
    const zones = this.#sql.exec<{ id: number; name: string }>("SELECT id, name FROM zones").toArray();
    return { rows, count, zones, next: last };
  }

  /** Stores a piece of another campaign's contacts in this one, which has none of its own. */
  paste({ rows, zones }: Pick<CopiedContacts, "rows" | "zones">, now: number): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO zones (id, name) SELECT value ->> 'id', value ->> 'name' FROM json_each(?)",
      JSON.stringify(zones),
    );
    this.#sql.exec(
      `INSERT INTO contacts (phone, zone, variables, updated_at)
       SELECT value ->> 0, value ->> 1, value -> 2, ? FROM jsonb_each(?)`,
      now,
      rows,
    );
  }
}
