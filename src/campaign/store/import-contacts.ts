import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import type { ImportedContact } from "../../lists/rows.ts";
import { FIND_GAPS } from "./position.ts";
import { positionOf } from "./upload-position.ts";

/** Numbers checked, and contacts dropped, in one step of finding duplicate numbers. */
const NUMBERS_A_STEP = 50_000;
const DROPPED_A_STEP = 5_000;

export class ContactImportStore {
  readonly #sql: SqlStorage;
  /** IDs of the zone names seen so far. */
  readonly #zones = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores contacts of an upload. Several may have the same number. */
  import(contacts: ImportedContact[], upload: number, now: number): void {
    const [first] = contacts;
    if (!first) return;
    const rows = contacts.map(({ phone_number, timezone, variables }) => [
      Number(phone_number.slice(1)),
      timezone === null ? 0 : this.#zoneId(timezone),
      variables,
    ]);
    const start = positionOf(upload, first.line);
    // Rows on consecutive lines, which is the usual case, don't need their line numbers.
    const [piece, ...more] = contacts.every(({ line }, i) => line === first.line + i) ? jsonPieces(rows) : [];
    if (piece !== undefined && more.length === 0) {
      this.#insert("?1 + key", start, piece, now);
      return;
    }
    const placed = contacts.map(({ line }, i) => [...(rows[i] ?? []), line - first.line]);
    for (const each of jsonPieces(placed)) this.#insert("?1 + (value ->> 3)", start, each, now);
  }

  #insert(position: "?1 + key" | "?1 + (value ->> 3)", start: number, rows: string, now: number): void {
    this.#sql.exec(
      `INSERT INTO contacts (phone, zone, variables, position, updated_at)
       SELECT value ->> 0, value ->> 1, value -> 2, ${position}, ?2 FROM jsonb_each(?3)`,
      start,
      now,
      rows,
    );
  }

  /** Returns the numbers (digits) that a contact already has, including contacts that aren't visible yet. */
  taken(phones: number[]): Set<number> {
    const rows = jsonPieces(phones).flatMap((piece) =>
      this.#sql
        .exec<{ phone: number }>(
          "SELECT c.phone FROM json_each(?) p CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = p.value",
          piece,
        )
        .toArray(),
    );
    return new Set(rows.map(({ phone }) => phone));
  }

  /** Returns the row of the last contact, including those not visible yet; 0 if there is none. */
  last(): number {
    return this.#sql.exec<{ id: number | null }>("SELECT max(id) id FROM contacts").one().id ?? 0;
  }

  /** Deletes up to `limit` contacts after a row, last ones first, and returns how many. */
  dropBehind(row: number, limit: number): number {
    this.#sql.exec(
      "DELETE FROM contacts WHERE id IN (SELECT id FROM contacts WHERE id > ? ORDER BY id DESC LIMIT ?)",
      row,
      limit,
    );
    return this.#sql.exec<{ n: number }>("SELECT changes() n").one().n;
  }

  /** Drops what was cached during a transaction that was rolled back. */
  reload(): void {
    this.#zones.clear();
  }

  /**
   * Creates the index of numbers at the end of an import. Building it once is many times cheaper than updating it row
   * by row.
   */
  indexPhones(): void {
    this.#sql.exec("CREATE INDEX contacts_phone ON contacts (phone)");
  }

  /** Whether the numbers are indexed, so that duplicates are found when they are stored. */
  get phonesIndexed(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'contacts_phone'").toArray().length > 0;
  }

  /**
   * Finds contacts to drop, because an earlier one in the list has the same number, among the numbers above `phone`.
   * Contacts after the row `inOrder` were read again, so their lines may be earlier. Returns the rows to drop, each
   * with the row of the first contact, and the number to continue from; null at the end. The caller must drop them
   * before the next call.
   */
  repeated(phone: number, inOrder: number): { rows: [row: number, first: number][]; next: number | null } {
    const [last] = this.#sql
      .exec<{ phone: number }>(
        "SELECT phone FROM contacts INDEXED BY contacts_phone WHERE phone > ? ORDER BY phone LIMIT 1 OFFSET ?",
        phone,
        NUMBERS_A_STEP - 1,
      )
      .toArray();
    const rows = this.#sql
      .exec<{ id: number; first: number }>(
        `SELECT c.id, first FROM (
           SELECT phone, iif((SELECT position FROM contacts WHERE id = again) < (SELECT position FROM contacts WHERE id = once), again, once) first
           FROM (
             SELECT phone, min(id) once,
               (SELECT min(r.id) FROM contacts r INDEXED BY contacts_phone WHERE r.phone = contacts.phone AND r.id > ?3) again
             FROM contacts INDEXED BY contacts_phone WHERE phone > ?1 AND phone <= ?2 GROUP BY phone HAVING count(*) > 1
           )
         ) repeated CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = repeated.phone AND c.id <> first
         LIMIT ?4`,
        phone,
        last?.phone ?? Number.MAX_SAFE_INTEGER,
        inOrder,
        DROPPED_A_STEP,
      )
      .toArray()
      .map(({ id, first }): [number, number] => [id, first]);
    // These numbers may have more contacts than are dropped at once.
    return { rows, next: rows.length === DROPPED_A_STEP ? phone : (last?.phone ?? null) };
  }

  /** Stores which row numbers are missing, once all duplicates have been dropped. */
  noteGaps(): void {
    this.#sql.exec("DELETE FROM contact_gaps");
    this.#sql.exec(FIND_GAPS);
  }

  drop(rows: number[]): void {
    for (const piece of jsonPieces(rows))
      this.#sql.exec("DELETE FROM contacts WHERE id IN (SELECT value FROM json_each(?))", piece);
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
