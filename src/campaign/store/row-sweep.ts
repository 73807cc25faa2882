import { MASKED, type NumberMask } from "../../kernel/mask-number.ts";
import { mentionsIn, primaryKey } from "../../kernel/stores/tables.ts";
import { CAMPAIGN } from "../stores.ts";
import { MOST_READ_BYTES, upToSize } from "./up-to-size.ts";

/** The criteria of a sweep: the numbers, and the person's contacts. */
export interface Sought {
  masks: readonly NumberMask[];
  contacts: ReadonlySet<number>;
  phoneColumn(column: number): number | null;
}

type Row = Record<string, string | number | null>;

/** The columns in which a number may occur in rows about other people. */
const SWEPT = mentionsIn(CAMPAIGN.tables);
type SweptTable = (typeof SWEPT)[number];

/** For each table, returns the values that replace those of a person's own row; null for another person's row. */
const OWN: Readonly<Record<string, { also?: string; of(row: Row, sought: Sought): Row | null }>> = {
  rejects: { of: ownReject },
  duplicates: { also: "first", of: ownDuplicate },
};

/** The progress of a sweep. `after` is the last row that it read; null at the table's beginning. */
export interface SweepCursor {
  table: string;
  after: number | string | null;
}

export const SWEEP_START: SweepCursor = { table: "contacts", after: null };

/** The number of rows that a step masked, and where the sweep continues; null at its end. */
export interface SweptRows {
  masked: number;
  next: SweepCursor | null;
}

/** Masks numbers in the campaign's tables in steps. Each step is part of the caller's transaction. */
export class RowSweep {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Processes `limit` rows, fewer if they are long. */
  step({ table, after }: SweepCursor, sought: Sought, limit: number): SweptRows {
    const [swept, following] = SWEPT.slice(SWEPT.findIndex((one) => one.table === table));
    if (!swept) return { masked: 0, next: null };
    const { texts, json } = swept;
    const rows = this.#rows(swept, after, limit);
    const masked = rows.filter((row) =>
      this.#change(table, row, OWN[table]?.of(row, sought) ?? maskedColumns(row, texts, json, sought.masks)),
    ).length;
    const last = rows.at(-1)?.swept_key;
    if (last != null) return { masked, next: { table, after: last } };
    return { masked, next: following ? { table: following.table, after: null } : null };
  }

  #rows({ table, texts, json }: SweptTable, after: SweepCursor["after"], limit: number): Row[] {
    const [key, also] = [primaryKey(this.#sql, table), OWN[table]?.also ?? []];
    const columns = [...texts, ...json];
    const size = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
    const where = after === null ? "" : `WHERE ${key} > ?`;
    const wanted = `SELECT ${key} key, ${size} size FROM ${table} ${where} ORDER BY ${key} LIMIT ?`;
    return this.#sql
      .exec<Row>(
        `SELECT swept.key swept_key, ${columns.concat(also).join(", ")}
         FROM ${upToSize(wanted)} swept CROSS JOIN ${table} own ON own.${key} = swept.key ORDER BY swept.key`,
        ...(after === null ? [] : [after]),
        limit,
        MOST_READ_BYTES,
      )
      .toArray();
  }

  /** Stores the new values of a row; returns false if nothing differs. */
  #change(table: string, row: Row, values: Row): boolean {
    const changed = Object.entries(values).filter(([column, value]) => value !== row[column]);
    if (changed.length === 0) return false;
    const set = changed.map(([column]) => `${column} = ?`).join(", ");
    const where = `WHERE ${primaryKey(this.#sql, table)} = ?`;
    this.#sql.exec(`UPDATE ${table} SET ${set} ${where}`, ...changed.map(([, value]) => value), row.swept_key ?? null);
    return true;
  }
}

export function maskText(masks: readonly NumberMask[], text: string): string {
  return masks.reduce((masked, mask) => mask.text(masked), text);
}

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

/**
 * Returns the new values of a rejected row with the person's number. It is about them, so its other cells are emptied.
 */
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
