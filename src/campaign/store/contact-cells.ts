import { MAX_VALUE_CHARS } from "../../kernel/rendering/render.ts";
import type { Visibility } from "./contacts.ts";

/**
 * The number of waiting contacts that were read, and for each column how many of them are empty or too long for a text.
 */
export interface CellCounts {
  contacts: number;
  empty: number[];
  long: number[];
}

export class ContactCells {
  readonly #sql: SqlStorage;
  readonly #campaign: Visibility;

  constructor(sql: SqlStorage, campaign: Visibility) {
    this.#sql = sql;
    this.#campaign = campaign;
  }

  waitingRows(limit: number): number[] {
    return this.#sql
      .exec<{ id: number }>(
        "SELECT id FROM contacts INDEXED BY contacts_due WHERE next_attempt_at IS NOT NULL AND id <= ? LIMIT ?",
        this.#campaign.lastShown,
        limit,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Returns the row of the campaign's last contact; 0 if there is none. */
  lastRow(): number {
    return (
      this.#sql
        .exec<{ id: number | null }>("SELECT max(id) id FROM contacts WHERE id <= ?", this.#campaign.lastShown)
        .one().id ?? 0
    );
  }

  /** Counts the cells in these columns, given by index, of the waiting contacts among these rows. */
  countAmong(rows: number[], columns: number[]): CellCounts {
    const among = "json_each(?) wanted CROSS JOIN contacts ON contacts.id = wanted.value WHERE";
    return this.#count(among, [JSON.stringify(rows)], columns);
  }

  /** Counts the same cells for all rows in a range. */
  countBetween(from: number, to: number, columns: number[]): CellCounts {
    return this.#count("contacts NOT INDEXED WHERE id BETWEEN ? AND ? AND", [from, to], columns);
  }

  cellsOf(rows: number[]): string[][] {
    const query = "SELECT variables FROM contacts WHERE id IN (SELECT value FROM json_each(?))";
    const found = this.#sql.exec<{ variables: string }>(query, JSON.stringify(rows)).toArray();
    return found.map(({ variables }): string[] => JSON.parse(variables));
  }

  #count(source: string, bindings: SqlStorageValue[], columns: number[]): CellCounts {
    // A row may be shorter than the header. The column numbers are inserted as text, because a parameter would be read
    // as a name. They come from the code, never from a client.
    const empty = columns.map((position) => `total(coalesce(variables ->> ${position}, '') = '')`);
    const long = columns.map((position) => `total(length(variables ->> ${position}) > ${MAX_VALUE_CHARS})`);
    const found = this.#sql
      .exec(
        `SELECT ${["count(*)", ...empty, ...long].join(", ")} FROM ${source} next_attempt_at IS NOT NULL`,
        ...bindings,
      )
      .raw<number[]>();
    const [[contacts = 0, ...counts] = []] = [...found];
    return { contacts, empty: counts.slice(0, columns.length), long: counts.slice(columns.length) };
  }
}
