import { jsonPieces } from "../../kernel/db/json-pieces.ts";
import type { ImportedContact, RejectedRow, UploadHeader } from "../../lists/rows.ts";
import { MOST_READ_BYTES, upToSize } from "./up-to-size.ts";
import { lineOf, positionOf } from "./upload-position.ts";

export interface Reject {
  position: number;
  reason: string;
  row: string[];
}

export interface Duplicate {
  position: number;
  /** The origin of that contact; null if it wasn't stored. */
  first: number | null;
  phone: string;
  variables: string[];
}

/** The skipped rows of the campaign's uploads, and the columns of each upload. */
export class RejectStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(rejects: RejectedRow[], upload: number): void {
    if (rejects.length === 0) return;
    const rows = rejects.map(({ line, reason, row, national }) => [
      positionOf(upload, line),
      reason,
      row,
      national ? 1 : 0,
    ]);
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        "INSERT INTO rejects (line, reason, row, national) SELECT value ->> 0, value ->> 1, value -> 2, value ->> 3 FROM json_each(?)",
        piece,
      );
    }
  }

  /** Removes and returns up to `limit` rejects, after a line of an upload, that lacked only a country. */
  takeNational(upload: number, afterLine: number, limit: number): { line: number; row: string[] }[] {
    const rows = this.#page("national = 1 AND", positionOf(upload, afterLine), limit);
    for (const positions of jsonPieces(rows.map(({ position }) => position)))
      this.#sql.exec("DELETE FROM rejects WHERE line IN (SELECT value FROM json_each(?))", positions);
    return rows.map(({ position, row }) => ({ line: lineOf(position), row }));
  }

  /** Returns rejects after a position, in order: at most `limit`, fewer if they are long. */
  page(after: number, limit: number): Reject[] {
    return this.#page("", after, limit);
  }

  #page(where: "national = 1 AND" | "", after: number, limit: number): Reject[] {
    return this.#sql
      .exec<{ position: number; reason: string; row: string }>(
        `SELECT line position, reason, row FROM ${upToSize(`SELECT line key, octet_length(row) size FROM rejects WHERE ${where} line > ? ORDER BY line LIMIT ?`)}
         CROSS JOIN rejects ON line = key ORDER BY line`,
        after,
        limit,
        MOST_READ_BYTES,
      )
      .toArray()
      .map((reject) => ({ ...reject, row: JSON.parse(reject.row) }));
  }

  addDuplicates(contacts: ImportedContact[], upload: number): void {
    const rows = contacts.map(({ line, phone_number, written, variables }) => [
      positionOf(upload, line),
      Number(phone_number.slice(1)),
      written ?? phone_number,
      variables,
    ]);
    if (rows.length === 0) return;
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        `INSERT INTO duplicates (position, first, phone, variables)
         SELECT value ->> 0, c.id, value ->> 2, value -> 3
         FROM jsonb_each(?) CROSS JOIN contacts c INDEXED BY contacts_phone ON c.phone = value ->> 1`,
        piece,
      );
    }
  }

  /** Stores contacts of the first upload that are about to be dropped, each with the contact that stays. */
  addDropped(rows: [row: number, first: number][]): void {
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        `INSERT INTO duplicates (position, first, phone, variables)
         SELECT c.position, d.value ->> 1, coalesce(w.phone, '+' || c.phone), c.variables
         FROM json_each(?) d CROSS JOIN contacts c ON c.id = d.value ->> 0
         LEFT JOIN numbers_as_sent w ON w.position = c.position WHERE c.position IS NOT NULL`,
        piece,
      );
    }
  }

  /** Stores numbers as they were written in the file, until it is known which rows are dropped. */
  rememberWritten(contacts: ImportedContact[], upload: number): void {
    const rows = contacts
      .filter(({ written }) => written !== undefined)
      .map(({ line, written }) => [positionOf(upload, line), written]);
    if (rows.length === 0) return;
    for (const piece of jsonPieces(rows)) {
      this.#sql.exec(
        "INSERT INTO numbers_as_sent (position, phone) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
        piece,
      );
    }
  }

  clearNumbersAsSent(): void {
    this.#sql.exec("DELETE FROM numbers_as_sent");
  }

  /** Returns duplicates after a position, in order: at most `limit`, fewer if they are long. */
  duplicates(after: number, limit: number): Duplicate[] {
    return this.#sql
      .exec<{ position: number; first: number | null; phone: string; variables: string }>(
        `SELECT d.position, c.position first, d.phone, d.variables
         FROM ${upToSize("SELECT position key, octet_length(variables) size FROM duplicates WHERE position > ? ORDER BY position LIMIT ?")}
         CROSS JOIN duplicates d ON d.position = key LEFT JOIN contacts c ON c.id = d.first ORDER BY d.position`,
        after,
        limit,
        MOST_READ_BYTES,
      )
      .toArray()
      .map((duplicate) => ({ ...duplicate, variables: JSON.parse(duplicate.variables) }));
  }

  /** Returns the columns of every completed upload, by its number. */
  uploads(): Map<number, UploadHeader> {
    const rows = this.#sql
      .exec<{ n: number; names: string; phone: number; extra: number }>("SELECT * FROM uploads ORDER BY n")
      .toArray();
    return new Map(rows.map(({ n, names, phone, extra }) => [n, { names: JSON.parse(names), phone, extra }]));
  }

  addUpload(n: number, { names, phone, extra }: UploadHeader): void {
    this.#sql.exec(
      "INSERT INTO uploads (n, names, phone, extra) VALUES (?, ?, ?, ?)",
      n,
      JSON.stringify(names),
      phone,
      extra,
    );
  }

  /** Deletes up to `limit` skipped rows of each kind of an upload and later ones. Returns how many. */
  dropFrom(upload: number, limit: number): number {
    let dropped = 0;
    for (const statement of [
      "DELETE FROM rejects WHERE line IN (SELECT line FROM rejects WHERE line >= ? LIMIT ?)",
      "DELETE FROM duplicates WHERE position IN (SELECT position FROM duplicates WHERE position >= ? LIMIT ?)",
    ]) {
      this.#sql.exec(statement, positionOf(upload, 0), limit);
      dropped += this.#sql.exec<{ n: number }>("SELECT changes() n").one().n;
    }
    return dropped;
  }
}
