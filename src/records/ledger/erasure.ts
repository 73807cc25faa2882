import { MASKED, NumberMask } from "../../kernel/mask-number.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { mentionsIn, primaryKey } from "../../kernel/stores/tables.ts";
import { LEDGER } from "../stores.ts";

/** The rows of a person in a volume. */
export interface FoundOfPerson {
  conversations: PersonsConversation[];
  /** Calls with a number or variables to mask. */
  calls: string[];
  /** Recordings of those calls, including the calls of the conversations. */
  recordings: string[];
}

/** A conversation to erase, with its ids in other stores. */
export type PersonsConversation = {
  id: string;
  session_key: string;
  campaign_id: string | null;
  call_id: string | null;
  visitor_id: string | null;
  phone_number: string | null;
  status: string;
};

/** The progress of a sweep through a volume. */
export interface SweepCursor {
  table: string;
  /** The last row that was processed; null at the beginning of the table. */
  after: string | number | null;
}

/** How many rows one step of a sweep masked, and where the next step continues; null at the end. */
export interface Swept {
  masked: number;
  next: SweepCursor | null;
}

const SWEPT = mentionsIn(LEDGER.tables);

/** Finds a person in a volume and masks the rows that are kept. Every method can be repeated and then finds nothing. */
export class VolumeErasure {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;

  constructor(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">) {
    this.#storage = storage;
  }

  /** Returns the person's next rows, at most `limit` of each kind; none once all are erased. */
  find(subject: Subject, limit: number): FoundOfPerson {
    const conversations = this.#conversations(subject, limit);
    const ofNumber = "phone_number" in subject ? this.#callsOf(subject.phone_number, limit) : [];
    const heldOn = conversations.flatMap(({ call_id }) => call_id ?? []);
    const calls = [...new Set([...ofNumber, ...heldOn])];
    return { conversations, calls, recordings: this.#recordings(calls, limit) };
  }

  /** Returns up to `limit` of the person's running calls. */
  live(subject: Subject, limit: number): string[] {
    const { column, value } = conversationsOf(subject);
    const ofNumber = "SELECT id FROM calls WHERE from_number = ?1 UNION SELECT id FROM calls WHERE to_number = ?1";
    const heldOn = `SELECT call_id FROM conversations WHERE ${column} = ?1 AND call_id IS NOT NULL`;
    const theirs = "phone_number" in subject ? `${ofNumber} UNION ${heldOn}` : heldOn;
    const query = `SELECT id FROM calls WHERE id IN (${theirs}) AND line_revision > 0 AND ended_at IS NULL LIMIT ?2`;
    return this.#ids(query, value, limit);
  }

  /** Stops accepting recordings of these calls. */
  closeCalls(ids: string[]): void {
    this.#storage.sql.exec("INSERT OR IGNORE INTO removed (id) SELECT value FROM json_each(?)", JSON.stringify(ids));
  }

  /**
   * Masks the other side of calls, clears the data that was stored with them, and returns how many calls were masked.
   * `number` is the person's; null if only the calls are known.
   */
  maskCalls(ids: string[], number: string | null): number {
    const [list, { sql, transactionSync }] = [JSON.stringify(ids), this.#at()];
    const isTheirs = (column: string, direction: string) =>
      `iif(${column} = ?2 OR (?2 IS NULL AND line_revision > 0 AND direction = '${direction}'), '${MASKED}', ${column})`;
    const values = `${isTheirs("from_number", "inbound")}, ${isTheirs("to_number", "outbound")}, '{}', '{}', '{}'`;
    const columns = "(from_number, to_number, metadata, variables, own_metadata)";
    return transactionSync(
      () =>
        sql
          .exec(
            `UPDATE calls SET ${columns} = (${values})
             WHERE id IN (SELECT value FROM json_each(?1)) AND ${columns} IS NOT (${values}) RETURNING id`,
            list,
            number,
          )
          .toArray().length,
    );
  }

  deleteToolRuns(conversations: string[]): number {
    const query = "DELETE FROM tool_runs WHERE conversation_id IN (SELECT value FROM json_each(?)) RETURNING id";
    return this.#storage.sql.exec(query, JSON.stringify(conversations)).toArray().length;
  }

  /** Masks the number in up to `limit` rows that are about other people, starting at `cursor`. */
  sweep(number: string, cursor: SweepCursor | null, limit: number): Swept {
    const { table: from, after } = cursor ?? { table: "", after: null };
    const at = Math.max(
      0,
      SWEPT.findIndex((one) => one.table === from),
    );
    const [swept, following] = SWEPT.slice(at);
    if (!swept) return { masked: 0, next: null };
    const { table, texts, json } = swept;
    const [mask, { sql, transactionSync }] = [new NumberMask(number), this.#at()];
    const key = primaryKey(sql, table);
    const columns = [...texts, ...json];
    const where = after === null ? "" : `WHERE ${key} > ?`;
    return transactionSync(() => {
      const rows = sql
        .exec<Record<string, string | null>>(
          `SELECT ${key} AS swept_key, ${columns.join(", ")} FROM ${table} ${where} ORDER BY ${key} LIMIT ?`,
          ...(after === null ? [] : [after]),
          limit,
        )
        .toArray();
      const masked = rows.filter((row) => {
        const values = columns.map((column, i) => {
          const value = row[column] ?? null;
          return value === null ? null : i < texts.length ? mask.text(value) : mask.jsonText(value);
        });
        if (values.every((value, i) => value === row[columns[i] ?? ""])) return false;
        const set = columns.map((column) => `${column} = ?`).join(", ");
        sql.exec(`UPDATE ${table} SET ${set} WHERE ${key} = ?`, ...values, row.swept_key ?? "");
        return true;
      }).length;
      const last = rows.length < limit ? null : rows.at(-1)?.swept_key;
      if (last) return { masked, next: { table, after: last } };
      return { masked, next: following ? { table: following.table, after: null } : null };
    });
  }

  #conversations(subject: Subject, limit: number): PersonsConversation[] {
    const { column, value } = conversationsOf(subject);
    return this.#storage.sql
      .exec<PersonsConversation>(
        `SELECT id, session_key, campaign_id, call_id, visitor_id, phone_number, status FROM conversations
         WHERE ${column} = ? ORDER BY started_at, id LIMIT ?`,
        value,
        limit,
      )
      .toArray();
  }

  #callsOf(number: string, limit: number): string[] {
    const part = (column: string) =>
      `SELECT * FROM (SELECT id FROM calls WHERE ${column} = ?1 AND line_revision > 0 ORDER BY id LIMIT ?2)`;
    return this.#ids(`${part("from_number")} UNION ${part("to_number")}`, number, limit);
  }

  #recordings(calls: string[], limit: number): string[] {
    const query = "SELECT id FROM recordings WHERE call_id IN (SELECT value FROM json_each(?)) LIMIT ?";
    return this.#ids(query, JSON.stringify(calls), limit);
  }

  #ids(query: string, ...values: SqlStorageValue[]): string[] {
    return this.#storage.sql
      .exec<{ id: string }>(query, ...values)
      .toArray()
      .map(({ id }) => id);
  }

  #at() {
    const storage = this.#storage;
    return { sql: storage.sql, transactionSync: storage.transactionSync.bind(storage) };
  }
}

/** Returns the column that identifies the person's conversations, and its value. */
function conversationsOf(subject: Subject): { column: string; value: string } {
  if ("phone_number" in subject) return { column: "phone_number", value: subject.phone_number };
  if ("visitor_id" in subject) return { column: "visitor_id", value: subject.visitor_id };
  return { column: "id", value: subject.conversation_id };
}
