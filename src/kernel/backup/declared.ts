import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SealContext } from "../secrets/vault.ts";

/** Validates a value as the API validates the same field of a request. */
export interface Border {
  safeParse(value: unknown): { success: boolean };
}

/** The rules for what an object's table accepts from a backup, in addition to its schema. */
export interface CopiedTable {
  readonly copy: true;
  /** The columns that contain JSON. */
  readonly json?: readonly string[];
  /** The values of a column to which copies are limited. A backup skips other rows, and a restore refuses them. */
  readonly only?: Readonly<Record<string, readonly Cell[]>>;
  /** The values, by column, that replace those of the backup. */
  readonly set?: Readonly<Record<string, Cell>>;
  /** The complete list of a column's values. A restore refuses any other value. */
  readonly values?: Readonly<Record<string, readonly Cell[]>>;
  /** The values that the API accepts for a column that requests can set. A restore accepts no others. */
  readonly borders?: Readonly<Record<string, Border>>;
}

/** What a backup does with a table or bucket: copies it, or leaves it out for a reason that users see. */
export type Declared = CopiedTable | { readonly left: string };

/** The tables of an object by name, in the order in which a backup writes them. */
export type DeclaredTables = Readonly<Record<string, Declared>>;

/**
 * The rules for a D1 table: which columns are sealed, and which values are replaced because a copy of them would grant
 * access.
 */
export type DeclaredRows =
  | {
      readonly copy: true;
      readonly sealed?: Readonly<Record<string, (account: string, id: string) => SealContext>>;
      /** The values, by column, that replace those of the backup; `now` is the time of the restore (ISO 8601). */
      readonly set?: Readonly<Record<string, string | number | null | { now: true }>>;
      /** The values of a column to which copies are limited. A backup skips other rows, and a restore refuses them. */
      readonly only?: Readonly<Record<string, readonly string[]>>;
      /** The columns in which numbers may be negative. */
      readonly signed?: readonly string[];
    }
  | { readonly left: string };

/** Returns the columns that have a fixed list of values in the table's schema, with these values. */
export function valuesOf(table: SQLiteTable): Readonly<Record<string, readonly Cell[]>> {
  return Object.fromEntries(
    getTableConfig(table).columns.flatMap(({ name, dataType, enumValues }) => {
      const values = dataType === "boolean" ? [0, 1] : enumValues;
      return values === undefined ? [] : [[name, values]];
    }),
  );
}

export const isCopied = (declared: Declared | DeclaredRows): boolean => "copy" in declared;

export type Cell = string | number | null;

export interface TableRows {
  table: string;
  columns: string[];
  rows: Cell[][];
}

/** The maximum size of a page's rows, bytes. A page with a single row may be larger. */
export const PAGE_BYTES = 768 * 1024;
/**
 * The minimum number of bytes that a cell counts. It limits a page to about 40,000 cells, well below a body's
 * `MAX_VALUES`.
 */
export const CELL_BYTES = 20;
