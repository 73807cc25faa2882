import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SealContext } from "../secrets/vault.ts";

/** Judges a value as the API judges the same field of a request. */
export interface Border {
  safeParse(value: unknown): { success: boolean };
}

/** What an object's table accepts from a backup, beyond what its schema says. */
export interface CopiedTable {
  readonly copy: true;
  /** Columns that hold JSON. */
  readonly json?: readonly string[];
  /** The only values of a column: a backup leaves other rows out, and a restore refuses them. */
  readonly only?: Readonly<Record<string, readonly Cell[]>>;
  /** Values that are written in place of the backup's, by column. */
  readonly set?: Readonly<Record<string, Cell>>;
  /** The only values of a column, if they are few: a restore refuses other ones. */
  readonly values?: Readonly<Record<string, readonly Cell[]>>;
  /** What the API takes for a column that one of its requests can set: a restore takes nothing else. */
  readonly borders?: Readonly<Record<string, Border>>;
}

/** What a backup does with a table or bucket: copies it, or leaves it out for a reason that users are shown. */
export type Declared = CopiedTable | { readonly left: string };

/** Each table of an object, by name, in the order in which a copy is written. */
export type DeclaredTables = Readonly<Record<string, Declared>>;

/** A D1 table: which of its columns are sealed, and what replaces values whose copy would grant access. */
export type DeclaredRows =
  | {
      readonly copy: true;
      readonly sealed?: Readonly<Record<string, (account: string, id: string) => SealContext>>;
      /** By column; `now` is when it is restored (ISO 8601). */
      readonly set?: Readonly<Record<string, string | number | null | { now: true }>>;
      /** The only values of a column: a backup leaves other rows out, and a restore refuses them. */
      readonly only?: Readonly<Record<string, readonly string[]>>;
      /** Columns whose numbers may be negative. */
      readonly signed?: readonly string[];
    }
  | { readonly left: string };

/** The columns of a table that have few values by its schema, with these. */
export function valuesOf(table: SQLiteTable): Readonly<Record<string, readonly Cell[]>> {
  return Object.fromEntries(
    getTableConfig(table).columns.flatMap(({ name, dataType, enumValues }) => {
      const values = dataType === "boolean" ? [0, 1] : enumValues;
      return values === undefined ? [] : [[name, values]];
    }),
  );
}

export const isCopied = (declared: Declared | DeclaredRows): boolean => "copy" in declared;

/** What a cell of a row can be. */
export type Cell = string | number | null;

/** Rows of a table. */
export interface TableRows {
  table: string;
  columns: string[];
  rows: Cell[][];
}

/** The most bytes of rows in a page, unless its first row alone has more. */
export const PAGE_BYTES = 768 * 1024;
/** What a cell counts for at least, bytes: a page has some 40,000 cells at most, well below `MAX_VALUES` of a body. */
export const CELL_BYTES = 20;
