import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Pieces } from "../pieces.ts";
import type { AccountStore } from "./account-store.ts";
import type { AccountTable, Row } from "./account-table.ts";
import { all } from "./conditions.ts";
import type { Read } from "./statement.ts";

/* Rows with long texts. All of an account's rows together may exceed an isolate's memory, so many are read in pieces. */

/** The maximum size of the texts that are read at once, bytes as stored. A single row may exceed it. */
export const MOST_READ_BYTES = 8 * 1024 * 1024;
/** The maximum number of rows that are read at once if their texts are larger together. */
const MOST_ROWS = 500;

/** A page of rows with long texts. */
interface WidePage<T> {
  table: T;
  where?: SQL | undefined;
  orderBy: SQL[];
  limit?: number;
  offset?: number;
  /** The columns that can be long. */
  texts: SQLiteColumn[];
}
type WideTable = AccountTable & { id: SQLiteColumn };

/** Returns SQL for the size of these columns, bytes. It does not read the texts. */
export function octets(texts: readonly (SQLiteColumn | SQL)[]): SQL<number> {
  return sql.join(
    texts.map((text) => sql`coalesce(octet_length(${text}), 0)`),
    sql` + `,
  ) as SQL<number>;
}

/** Selects the rows of the page if the texts of all pages can be read at once; otherwise none. */
export function selectIfSmall<T extends WideTable>(store: AccountStore, page: WidePage<T>): Read<Row<T>[]> {
  const { table, where, texts } = page;
  const own = all(sql`account = ${store.account}`, where);
  const bytes = sql`(SELECT coalesce(sum(${octets(texts)}), 0) FROM ${table} WHERE ${own})`;
  return store.select(table, Object.assign({}, page, { where: all(sql`${bytes} <= ${MOST_READ_BYTES}`, where) }));
}

/**
 * Returns the rows of the page. Reads them if `selectIfSmall` selected none: in pieces if they are too large to be read
 * at once. `total` is the number of rows of all pages.
 */
export async function rowsOf<T extends WideTable>(
  store: AccountStore,
  { table, where, orderBy, limit, offset = 0, texts }: WidePage<T>,
  { rows: selected, total }: { rows: Row<T>[]; total: number },
): Promise<Row<T>[] | Pieces<Row<T>>> {
  if (selected.length > 0 || total <= offset) return selected;
  const [rows] = await store.read(store.values(table, { id: table.id, bytes: octets(texts) }, where, orderBy));
  const sizes = rows.slice(offset, limit === undefined ? undefined : offset + limit);
  const read = async (ids: readonly unknown[]) =>
    (await store.read(store.select(table, { where: isAmong(table.id, ids), orderBy })))[0];
  const pieces = piecesOf(sizes);
  const [only = [], ...others] = pieces;
  return others.length === 0 ? read(only) : inTurn(pieces, read);
}

/** Divides rows into pieces of up to `most` bytes that can be read at once, in their order. */
export function piecesOf<Id>(sizes: readonly { id: Id; bytes: number }[], most = MOST_READ_BYTES): Id[][] {
  const pieces: Id[][] = [];
  let bytes = 0;
  for (const row of sizes) {
    const piece = pieces.at(-1);
    bytes += row.bytes;
    if (piece && piece.length < MOST_ROWS && bytes <= most) {
      piece.push(row.id);
    } else {
      pieces.push([row.id]);
      bytes = row.bytes;
    }
  }
  return pieces;
}

export async function* inTurn<P, R>(pieces: readonly P[], read: (piece: P) => Promise<R>): AsyncGenerator<R> {
  for (const piece of pieces) yield await read(piece);
}

export function isAmong(column: SQLiteColumn, ids: readonly unknown[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** Applies `show` to each item of a list that may come in pieces. */
export function eachShown<I, O>(items: I[] | Pieces<I>, show: (item: I) => O): O[] | Pieces<O> {
  return Array.isArray(items) ? items.map(show) : shownInTurn(items, show);
}

async function* shownInTurn<I, O>(pieces: Pieces<I>, show: (item: I) => O): AsyncGenerator<O[]> {
  for await (const piece of pieces) yield piece.map(show);
}
