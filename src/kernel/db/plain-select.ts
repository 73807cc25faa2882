import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountTable } from "./account-table.ts";
import { PlainStatement } from "./plain-statement.ts";

/** What follows the table's name in a select. */
interface Rest {
  where: SQL | undefined;
  orderBy?: (SQL | SQLiteColumn)[] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}
interface Shape {
  /** The text up to the table's name. */
  sql: string;
  columns: [key: string, column: SQLiteColumn][];
}

/** One for each table and list of columns, because Drizzle's work grows with the columns and with the cells. */
const shapes = new WeakMap<AccountTable, Map<string, Shape>>();
const dialect = new SQLiteAsyncDialect();

/** Returns a select of one table as the database's batch takes it. `names` are the columns to read; all if omitted. */
export function plainSelect(
  table: AccountTable,
  names: readonly string[] | undefined,
  { where, orderBy = [], limit, offset }: Rest,
): PlainStatement {
  const { sql: head, columns } = shapeOf(table, names);
  const parts = [sql` where ${where}`];
  if (orderBy.length > 0) parts.push(sql` order by ${sql.join(orderBy, sql`, `)}`);
  if (limit !== undefined) parts.push(sql` limit ${limit}`);
  if (offset !== undefined) parts.push(sql` offset ${offset}`);
  const { sql: rest, params } = dialect.sqlToQuery(sql.join(parts));
  return new PlainStatement({ sql: head + rest, params }, (result) => rowsOf(columns, result as D1Result<StoredRow>));
}

type StoredRow = Record<string, unknown>;

function rowsOf(columns: Shape["columns"], { results }: D1Result<StoredRow>): Record<string, unknown>[] {
  return results.map((stored) => {
    const row: Record<string, unknown> = {};
    for (const [key, column] of columns) {
      const value = stored[column.name];
      row[key] = value === null ? null : column.mapFromDriverValue(value);
    }
    return row;
  });
}

function shapeOf(table: AccountTable, names: readonly string[] | undefined): Shape {
  const ofTable = shapes.get(table) ?? new Map<string, Shape>();
  shapes.set(table, ofTable);
  const key = names?.join() ?? "*";
  const known = ofTable.get(key);
  if (known) return known;
  const all = getTableColumns(table) as Record<string, SQLiteColumn>;
  const columns = (names ?? Object.keys(all)).map((name) => [name, column(all, name)] as [string, SQLiteColumn]);
  const list = columns.map(([, { name }]) => `"${name}"`).join(", ");
  const shape = { sql: `select ${list} from "${getTableName(table)}"`, columns };
  ofTable.set(key, shape);
  return shape;
}

function column(all: Record<string, SQLiteColumn>, name: string): SQLiteColumn {
  const found = all[name];
  if (!found) throw new TypeError(`there is no column ${name}`);
  return found;
}
