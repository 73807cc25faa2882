import { jsonPieces } from "../../db/json-pieces.ts";
import type { ZoneQueue } from "../decide/next-step.ts";
import type { ContactStatus, Outcome } from "../decide/state.ts";
import type { WaitingGroup } from "../decide/waiting-zone.ts";
import type { ImportBatch, RejectedRow } from "./import-batch.ts";
import { MOST_READ_BYTES, upToSize } from "./up-to-size.ts";

/** A contact as stored; `id` is its row, `phone` the digits of its number. Times are ms. */
export type ContactRow = {
  id: number;
  phone: number;
  zone: number;
  variables: string;
  status: ContactStatus;
  outcome: Outcome | null;
  failure_reason: string | null;
  attempts: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  call_id: string | null;
  updated_at: number;
};

export interface Zone {
  id: number;
  name: string | null;
}

/** Numbers checked, and contacts dropped, in one step of dropping repeated numbers. */
const NUMBERS_A_STEP = 50_000;
const DROPPED_A_STEP = 5_000;

/** The campaign's contacts, and the rejected rows of its upload. */
export class ContactStore {
  readonly #sql: SqlStorage;
  /** Ids of the zone names met so far. */
  readonly #zones = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores a batch of an upload. Numbers that come again are found at the end, by `dropRepeated`. */
  import({ contacts, rejects }: ImportBatch, now: number): void {
    if (contacts.length > 0) {
      const rows = contacts.map(({ phone_number, timezone, variables }) => [
        Number(phone_number.slice(1)),
        timezone === null ? 0 : this.#zoneId(timezone),
        variables,
      ]);
      for (const piece of jsonPieces(rows)) {
        this.#sql.exec(
          `INSERT INTO contacts (phone, zone, variables, updated_at)
           SELECT value ->> 0, value ->> 1, value -> 2, ? FROM jsonb_each(?)`,
          now,
          piece,
        );
      }
    }
    this.#reject(rejects);
  }

  /** Called at the end of an import: building the index once is many times cheaper than keeping it up row by row. */
  indexPhones(): void {
    this.#sql.exec("CREATE INDEX contacts_phone ON contacts (phone)");
  }

  /** The row's id is the last column of every index by itself. */
  indexDue(): void {
    this.#sql.exec("CREATE INDEX contacts_due ON contacts (zone, next_attempt_at) WHERE next_attempt_at IS NOT NULL");
  }

  /**
   * Of contacts with the same number the first stays: a piece of that work, over the numbers above `phone`. Gives how
   * many contacts were dropped, and the number to go on from, null at the end.
   */
  dropRepeated(phone: number): { dropped: number; next: number | null } {
    const [last] = this.#sql
      .exec<{ phone: number }>(
        "SELECT phone FROM contacts INDEXED BY contacts_phone WHERE phone > ? ORDER BY phone LIMIT 1 OFFSET ?",
        phone,
        NUMBERS_A_STEP - 1,
      )
      .toArray();
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM contacts WHERE id IN (
         SELECT c.id FROM (
           SELECT phone, min(id) first FROM contacts INDEXED BY contacts_phone
           WHERE phone > ? AND phone <= ? GROUP BY phone HAVING count(*) > 1
         ) repeated CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = repeated.phone AND c.id > repeated.first
         LIMIT ?)`,
      phone,
      last?.phone ?? Number.MAX_SAFE_INTEGER,
      DROPPED_A_STEP,
    );
    const dropped = rowsWritten === 0 ? 0 : this.#sql.exec<{ n: number }>("SELECT changes() n").one().n;
    // There may be more of these numbers than are dropped at a time.
    return { dropped, next: dropped === DROPPED_A_STEP ? phone : (last?.phone ?? null) };
  }

  /** Until the campaign leaves its draft all contacts are pending, and no index is needed to tell them apart. */
  indexStatuses(): void {
    this.#sql.exec("CREATE INDEX IF NOT EXISTS contacts_status ON contacts (status)");
  }

  #reject(rejects: RejectedRow[]): void {
    if (rejects.length === 0) return;
    const rows = rejects.map(({ line, reason, row, national }) => [
      line,
      reason,
      JSON.stringify(row),
      national ? 1 : 0,
    ]);
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        "INSERT INTO rejects (line, reason, row, national) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
        piece,
      );
    }
  }

  /** Takes out the rejects behind a line that lacked only a country, up to `limit` at a time. */
  takeNational(afterLine: number, limit: number): { line: number; row: string[] }[] {
    const rows = this.#rejects("national = 1 AND", afterLine, limit);
    for (const lines of jsonPieces(rows.map(({ line }) => line)))
      this.#sql.exec("DELETE FROM rejects WHERE line IN (SELECT value FROM json_each(?))", lines);
    return rows;
  }

  /** Rejects behind a line, in order: at most `limit`, and fewer where they are long. */
  rejects(afterLine: number, limit: number): { line: number; reason: string; row: string[] }[] {
    return this.#rejects("", afterLine, limit);
  }

  #rejects(where: "national = 1 AND" | "", afterLine: number, limit: number) {
    return this.#sql
      .exec<{ line: number; reason: string; row: string }>(
        `SELECT line, reason, row FROM ${upToSize(`SELECT line key, octet_length(row) size FROM rejects WHERE ${where} line > ? ORDER BY line LIMIT ?`)}
         CROSS JOIN rejects ON line = key ORDER BY line`,
        afterLine,
        limit,
        MOST_READ_BYTES,
      )
      .toArray()
      .map((reject) => ({ ...reject, row: JSON.parse(reject.row) as string[] }));
  }

  get(id: number): ContactRow | undefined {
    return this.#sql.exec<ContactRow>("SELECT * FROM contacts WHERE id = ?", id).toArray()[0];
  }

  update(id: number, changes: Partial<Omit<ContactRow, "id" | "phone" | "zone" | "variables">>): void {
    const assignments = Object.keys(changes)
      .map((column) => `${column} = ?`)
      .join(", ");
    this.#sql.exec(`UPDATE contacts SET ${assignments} WHERE id = ?`, ...Object.values(changes), id);
  }

  /** Up to `limit` contacts of these zones to dial now: retries that are due first, then those never dialled, in order. */
  due(zones: number[], limit: number, now: number): ContactRow[] {
    // A zone at a time: within one the index gives the order, so only as many rows are read as are wanted.
    const first = (dueAt: string, n: number, ...bounds: number[]) =>
      zones.flatMap((zone) =>
        this.#sql
          .exec<ContactRow>(
            `SELECT * FROM contacts INDEXED BY contacts_due WHERE zone = ? AND next_attempt_at ${dueAt} ORDER BY next_attempt_at, id LIMIT ?`,
            zone,
            ...bounds,
            n,
          )
          .toArray(),
      );
    const retries = first("BETWEEN 1 AND ?", limit, now)
      .sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0) || a.id - b.id)
      .slice(0, limit);
    const fresh = first("= 0", limit - retries.length).sort((a, b) => a.id - b.id);
    return [...retries, ...fresh].slice(0, limit);
  }

  /** The queues of pending contacts by zone, as the dispatcher needs them; `due` is counted up to `limit`. */
  queues(limit: number, now: number): (Omit<ZoneQueue, "opensAt"> & { name: string | null })[] {
    return this.zones()
      .map(({ id, name }) => {
        const { due, next } = this.#sql
          .exec<{ due: number; next: number | null }>(
            `SELECT (SELECT count(*) FROM (SELECT 1 FROM contacts INDEXED BY contacts_due WHERE zone = ?1 AND next_attempt_at <= ?2 LIMIT ?3)) due,
                    (SELECT min(next_attempt_at) FROM contacts INDEXED BY contacts_due WHERE zone = ?1 AND next_attempt_at > ?2) next`,
            id,
            now,
            limit,
          )
          .one();
        return { zone: id, name, due, nextDueAt: next };
      })
      .filter((queue) => queue.due > 0 || queue.nextDueAt !== null);
  }

  /** The waiting contacts of a zone. */
  waitingIn({ id, name }: Zone, now: number): WaitingGroup[] {
    const due = this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) n FROM contacts INDEXED BY contacts_due WHERE zone = ? AND next_attempt_at <= ?",
        id,
        now,
      )
      .one();
    const later = this.#sql
      .exec<{ dueAt: number; n: number }>(
        `SELECT min(next_attempt_at) dueAt, count(*) n FROM contacts INDEXED BY contacts_due
         WHERE zone = ? AND next_attempt_at > ? GROUP BY next_attempt_at / 60000`,
        id,
        now,
      )
      .toArray();
    return [{ dueAt: 0, n: due.n }, ...later].filter(({ n }) => n > 0).map((group) => ({ zone: id, name, ...group }));
  }

  /** The waiting contacts among these numbers (digits). */
  waitingAmong(numbers: number[], now: number): WaitingGroup[] {
    return jsonPieces(numbers).flatMap((piece) =>
      this.#sql
        .exec<WaitingGroup & Record<string, SqlStorageValue>>(
          `SELECT c.zone, z.name, iif(next_attempt_at <= ?1, 0, min(next_attempt_at)) dueAt, count(*) n
           FROM json_each(?2) p CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = p.value
           LEFT JOIN zones z ON z.id = c.zone
           WHERE next_attempt_at IS NOT NULL GROUP BY c.zone, iif(next_attempt_at <= ?1, -1, next_attempt_at / 60000)`,
          now,
          piece,
        )
        .toArray(),
    );
  }

  /** The contacts' time zones; 0 is the campaign's own. */
  zones(): Zone[] {
    return [{ id: 0, name: null }, ...this.#sql.exec<{ id: number; name: string }>("SELECT id, name FROM zones")];
  }

  zoneName(id: number): string | null {
    return this.#sql.exec<{ name: string }>("SELECT name FROM zones WHERE id = ?", id).toArray()[0]?.name ?? null;
  }

  /** Up to `limit` contacts that wait to be dialled, to be cancelled. */
  waiting(limit: number): ContactRow[] {
    return this.#sql
      .exec<ContactRow>(
        "SELECT * FROM contacts INDEXED BY contacts_due WHERE next_attempt_at IS NOT NULL LIMIT ?",
        limit,
      )
      .toArray();
  }

  cancel(ids: number[], now: number): void {
    for (const piece of jsonPieces(ids)) {
      this.#sql.exec(
        "UPDATE contacts SET status = 'cancelled', next_attempt_at = NULL, updated_at = ? WHERE id IN (SELECT value FROM json_each(?))",
        now,
        piece,
      );
    }
  }

  #zoneId(name: string): number {
    let id = this.#zones.get(name);
    if (id === undefined) {
      this.#sql.exec("INSERT OR IGNORE INTO zones (name) VALUES (?)", name);
      id = this.#sql.exec<{ id: number }>("SELECT id FROM zones WHERE name = ?", name).one().id;
      this.#zones.set(name, id);
    }
    return id;
  }
}
