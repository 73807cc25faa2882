import { MASKED, type NumberMask } from "../../kernel/mask-number.ts";
import { MOST_READ_BYTES, upToSize } from "./up-to-size.ts";

/** What a sweep looks for: the numbers, and the person's contacts. */
export interface Sought {
  masks: readonly NumberMask[];
  contacts: ReadonlySet<number>;
  /** The column of an upload that has the numbers; null if that is not known. */
  phoneColumn(place: number): number | null;
}

type Row = Record<string, string | number | null>;

interface SweptTable {
  key: string;
  /** What comes before every key. */
  start: number | string;
  texts: readonly string[];
  json: readonly string[];
  /** Columns that are read beside them. */
  also?: readonly string[];
  /** What replaces the value in a row of the person's own; null if it is not such a row. */
  own?(row: Row, sought: Sought): Row | null;
}

/** Where a number may occur in rows about others: text columns and JSON columns, by table. */
const SWEPT = {
  contacts: { key: "id", start: 0, texts: ["failure_reason"], json: ["variables"] },
  attempts: { key: "call_id", start: "", texts: ["reason", "disposition"], json: ["contact_variables", "analysis"] },
  rejects: { key: "line", start: 0, texts: ["reason"], json: ["row"], own: ownReject },
  duplicates: { key: "place", start: 0, texts: ["phone"], json: ["variables"], also: ["first"], own: ownDuplicate },
  uploads: { key: "n", start: -1, texts: [], json: ["names"] },
  outbox: { key: "n", start: 0, texts: [], json: ["body"] },
} as const satisfies Record<string, SweptTable>;

type SweptName = keyof typeof SWEPT;
/** In the order of a sweep. */
const TABLES = Object.keys(SWEPT) as SweptName[];

/** How far a sweep is; `after` is the last row that it looked at. */
export interface SweepPlace {
  table: SweptName;
  after: number | string;
}

/** Where a sweep begins. */
export const SWEEP_START: SweepPlace = { table: "contacts", after: SWEPT.contacts.start };

/** What a step masked, and where the sweep continues; null at its end. */
export interface SweptRows {
  masked: number;
  next: SweepPlace | null;
}

/** Masks numbers in the campaign's tables, a step at a time, each part of the caller's transaction. */
export class RowSweep {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Looks at `limit` rows, fewer where they are long. */
  step({ table, after }: SweepPlace, sought: Sought, limit: number): SweptRows {
    const { texts, json, own }: SweptTable = SWEPT[table];
    const rows = this.#rows(table, after, limit);
    const masked = rows.filter((row) =>
      this.#change(table, row, own?.(row, sought) ?? maskedColumns(row, texts, json, sought.masks)),
    ).length;
    const last = rows.at(-1)?.swept_key;
    if (last != null) return { masked, next: { table, after: last } };
    const following = TABLES[TABLES.indexOf(table) + 1];
    return { masked, next: following ? { table: following, after: SWEPT[following].start } : null };
  }

  #rows(table: SweptName, after: number | string, limit: number): Row[] {
    const { key, texts, json, also = [] }: SweptTable = SWEPT[table];
    const columns = [...texts, ...json];
    const size = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
    const wanted = `SELECT ${key} key, ${size} size FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`;
    return this.#sql
      .exec<Row>(
        `SELECT swept.key swept_key, ${[...columns, ...also].join(", ")}
         FROM ${upToSize(wanted)} swept CROSS JOIN ${table} own ON own.${key} = swept.key ORDER BY swept.key`,
        after,
        limit,
        MOST_READ_BYTES,
      )
      .toArray();
  }

  /** Stores what a row has instead; false where that is nothing else. */
  #change(table: SweptName, row: Row, values: Row): boolean {
    const changed = Object.entries(values).filter(([column, value]) => value !== row[column]);
    if (changed.length === 0) return false;
    const set = changed.map(([column]) => `${column} = ?`).join(", ");
    const where = `WHERE ${SWEPT[table].key} = ?`;
    this.#sql.exec(`UPDATE ${table} SET ${set} ${where}`, ...changed.map(([, value]) => value), row.swept_key ?? null);
    return true;
  }
}

/** Masks the numbers in a text. */
export function maskText(masks: readonly NumberMask[], text: string): string {
  return masks.reduce((masked, mask) => mask.text(masked), text);
}

/** Masks the numbers in JSON. */
export function maskJson(masks: readonly NumberMask[], json: string): string {
  return masks.reduce((masked, mask) => mask.jsonText(masked), json);
}

function maskedColumns(row: Row, texts: readonly string[], json: readonly string[], masks: readonly NumberMask[]): Row {
  const of = (columns: readonly string[], mask: typeof maskText) =>
    columns.map((column) => {
      const value = row[column];
      return [column, typeof value === "string" ? mask(masks, value) : (value ?? null)];
    });
  return Object.fromEntries([...of(texts, maskText), ...of(json, maskJson)]);
}

/** A row whose number is the person's is about them: its other cells are emptied. */
function ownReject({ swept_key, reason, row }: Row, { masks, phoneColumn }: Sought): Row | null {
  const cells: string[] = JSON.parse(String(row));
  const phone = phoneColumn(Number(swept_key));
  const isOwn = cells.some((cell, i) => (phone === null || i === phone) && maskText(masks, cell.trim()) === MASKED);
  if (!isOwn) return null;
  const emptied = cells.map((cell) => (maskText(masks, cell.trim()) === MASKED ? MASKED : ""));
  return { row: JSON.stringify(emptied), reason: maskText(masks, String(reason)) };
}

function ownDuplicate({ first, phone }: Row, { masks, contacts }: Sought): Row | null {
  const isOwn = contacts.has(Number(first)) || maskText(masks, String(phone).trim()) === MASKED;
  return isOwn ? { phone: MASKED, variables: "[]" } : null;
}
