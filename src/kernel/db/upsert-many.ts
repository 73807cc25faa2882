import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountTable, PlainRow } from "./account-table.ts";
import type { RevisedTable } from "./revision.ts";

/** What happens to rows that already exist by `target`, and which rows are skipped. */
export interface UpsertMany<T extends AccountTable, C extends keyof PlainRow<T> = never> {
  target: SQLiteColumn[];
  columns: (keyof T["_"]["columns"] & string)[];
  patched?: (keyof T["_"]["columns"] & string)[];
  when?: SQL;
  /** The table, if the revision must be raised when a row's content changes. */
  revised?: RevisedTable;
  common?: Pick<PlainRow<T>, C>;
  only?: (value: (column: keyof T["_"]["columns"] & string) => SQL) => SQL;
}

/**
 * Returns the parts of an upsert of many rows: what is selected from each row's JSON, under which condition, and what
 * is set.
 */
export function upsertOf<T extends AccountTable, C extends keyof PlainRow<T> = never>(
  table: T,
  rows: Omit<PlainRow<T>, C>[],
  on: UpsertMany<T, C>,
  account: string,
) {
  const columns = Object.entries(getTableColumns(table));
  const common: Record<string, unknown> = { ...on.common, account };
  const own = columns.filter(([key]) => !(key in common));
  const values = rows.map((row) => {
    const record: Record<string, unknown> = row;
    return own.map(([key, column]) => driverValue(column, record[key] === undefined ? column.default : record[key]));
  });
  const pick = (key: string, column: SQLiteColumn) =>
    key in common
      ? sql`${driverValue(column, common[key])}`
      : sql.raw(`value ->> ${own.findIndex(([name]) => name === key)}`);
  const picks = sql.join(
    columns.map(([key, column]) => pick(key, column)),
    sql`, `,
  );
  const only = on.only?.((key) => pick(key, table[key as keyof T] as unknown as SQLiteColumn)) ?? sql`true`;
  const taken = columns.filter(([key]) => on.columns.includes(key));
  const patched = columns.filter(([key]) => on.patched?.includes(key));
  const differs = taken.map(([, column]) => sql`${column} IS NOT ${sql.raw(`excluded."${column.name}"`)}`);
  const revision = (old: SQLiteColumn, raised: SQL): [string, SQL] => [
    old.name,
    sql`iif(${sql.join(differs, sql` OR `)}, ${raised}, ${old})`,
  ];
  const raised = on.revised && [
    revision(on.revised.revision, sql`${on.revised.revision} + 1`),
    revision(on.revised.updated_by, sql`excluded.updated_by`),
    revision(on.revised.revised_at, sql`excluded.revised_at`),
  ];
  const set = Object.fromEntries([
    ...(raised ?? []),
    ...taken.map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)]),
    ...patched.map(([key, column]) => [key, sql`json_patch(${column}, ${sql.raw(`excluded."${column.name}"`)})`]),
  ]);
  return { picks, only, set, values };
}

/** Returns a value in the form in which the column stores it. */
export function driverValue(column: SQLiteColumn, value: unknown): unknown {
  return value == null ? null : column.mapToDriverValue(value);
}
