import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SealContext } from "../secrets/vault.ts";

/** Validates a value as the API validates the same field of a request. */
export interface Border {
  safeParse(value: unknown): { success: boolean };
}

/** What an object's table accepts from a backup, beyond its schema. */
export interface CopiedTable {
  readonly copy: true;
  /** The columns that contain JSON. */
  readonly json?: readonly string[];
  /** The values of a column to which copies are limited: a backup skips other rows, and a restore refuses them. */
  readonly only?: Readonly<Record<string, readonly Cell[]>>;
  /** Values by column that replace the backup's. */
  readonly set?: Readonly<Record<string, Cell>>;
  /** The complete list of a column's values: a restore refuses others. */
  readonly values?: Readonly<Record<string, readonly Cell[]>>;
  /** The values that the API accepts for a column that requests can set; a restore accepts no others. */
  readonly borders?: Readonly<Record<string, Border>>;
}

/** What a backup does with a table or bucket: copy it, or leave it out for a reason that users are shown. */
export type Declared = CopiedTable | { readonly left: string };

/** The tables of an object by name, in the order in which a backup writes them. */
export type DeclaredTables = Readonly<Record<string, Declared>>;

/** The rules of a D1 table: which columns are sealed, and what replaces values whose copy would grant access. */
export type DeclaredRows =
  | {
      readonly copy: true;
      readonly sealed?: Readonly<Record<string, (account: string, id: string) => SealContext>>;
      /** Values by column that replace the backup's; `now` is the time of the restore (ISO 8601). */
      readonly set?: Readonly<Record<string, string | number | null | { now: true }>>;
      /** The values of a column to which copies are limited: a backup skips other rows, and a restore refuses them. */
      readonly only?: Readonly<Record<string, readonly string[]>>;
      /** The columns whose numbers may be negative. */
      readonly signed?: readonly string[];
    }
  | { readonly left: string };

/** Returns the columns with a fixed list of values in the table's schema, with these values. */
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

/** The limit for the rows of a page in bytes, unless its first row alone is larger. */
export const PAGE_BYTES = 768 * 1024;
/**
 * The minimum a cell counts towards the limit, bytes. It keeps a page to about 40,000 cells, well below a body's
 * `MAX_VALUES`.
 */
export const CELL_BYTES = 20;
