import { getTableName, is, SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Cell, PAGE_BYTES, type TableRows } from "../backup/declared.ts";
import { type RestoredColumn, restoredRows } from "../backup/restored-rows.ts";
import { conflict } from "../http/errors.ts";
import type { Vault } from "../secrets/vault.ts";
import type { D1Table, RowRules, RowTables } from "../stores/tables.ts";
import type { BoundStatement } from "./batch.ts";
import * as schema from "./schema/index.ts";

export interface RowsCursor {
  table: string;
  key: Cell[] | null;
}

interface Vaults {
  /** The vault that opens sealed values, and the account for which they are sealed. */
  from: { vault: Vault; account: string };
  to: { vault: Vault; account: string };
}

/** The number of rows that are read at once. A row may have 2 MB. */
const PAGE_ROWS = 100;
const BY_NAME = new Map<string, SQLiteTable>(
  Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [[getTableName(value), value] as const] : [])),
);

type CopiedRows = Extract<RowRules, { copy: true }>;

/** Returns the tables in backups, in the order in which they are written. */
const copiedOf = (tables: RowTables) =>
  Object.entries<RowRules>(tables).flatMap(([table, declared]) => ("copy" in declared ? [{ table, declared }] : []));

interface Layout {
  columns: RestoredColumn[];
  /** The columns of the primary key that follow the account. */
  keys: string[];
}

const layouts = new Map<string, Layout>();

/** Returns the columns of a table except the account, with the rules for what a backup may put into them. */
export function layoutOf(tables: RowTables, table: string): Layout {
  const cached = layouts.get(table);
  if (cached) return cached;
  const found = BY_NAME.get(table);
  const declared = tables[table as D1Table];
  if (!found || !("copy" in declared)) throw new TypeError(`${table} is not in backups`);
  const { columns, primaryKeys } = getTableConfig(found);
  const primary = new Set([
    ...columns.filter((column) => column.primary).map((column) => column.name),
    ...primaryKeys.flatMap((key) => key.columns.map((column) => column.name)),
  ]);
  const own = columns.filter(({ name }) => name !== "account");
  const layout = {
    columns: own.map((column) => restoredColumn(column, primary.has(column.name), declared)),
    keys: [...primary].filter((name) => name !== "account"),
  };
  layouts.set(table, layout);
  return layout;
}

function restoredColumn(column: SQLiteColumn, isKey: boolean, { only, signed, borders }: CopiedRows): RestoredColumn {
  const { name, notNull, hasDefault, dataType, enumValues } = column;
  const type = column.getSQLType();
  const restored: RestoredColumn = {
    name,
    type: type === "integer" || type === "real" ? type : "text",
    isNullable: !notNull,
    isKey,
    hasDefault: !notNull || hasDefault,
    isSigned: signed?.includes(name) ?? false,
    border: borders?.[name],
    values: only?.[name] ?? (dataType === "boolean" ? [0, 1] : enumValues),
  };
  if (dataType !== "json") return restored;
  const { default: initial } = column;
  // Without a default, or with an SQL default, the schema does not tell lists from objects.
  const kind = initial === undefined || is(initial, SQL) ? undefined : Array.isArray(initial) ? "list" : "object";
  return Object.assign(restored, { json: kind ?? "structure" });
}

/**
 * Returns the next rows of an account, without its name and with their secrets resealed. `next` is null at the end.
 * @throws VaultUnavailable if a secret cannot be opened
 */
export async function readAccountRows(
  db: D1Database,
  tables: RowTables,
  vaults: Vaults,
  from: RowsCursor | null,
): Promise<{ rows: TableRows; next: RowsCursor | null }> {
  const all = copiedOf(tables);
  const index = from === null ? 0 : all.findIndex(({ table }) => table === from.table);
  const chosen = all[index];
  if (!chosen) throw conflict("unknown_table", "backups have no such table");
  const { table, declared } = chosen;
  const { columns: known, keys } = layoutOf(tables, table);
  const columns = known.map(({ name }) => name);
  const key = from?.key ?? null;
  const after = key && keys.length > 0 ? ` AND (${keys.join(", ")}) > (${keys.map(() => "?").join(", ")})` : "";
  const order = keys.length > 0 ? ` ORDER BY ${keys.join(", ")}` : "";
  const only = Object.entries(declared.only ?? {});
  const where = only.map(([name, values]) => ` AND "${name}" IN (${values.map(() => "?").join(", ")})`).join("");
  const names = columns.map((name) => `"${name}"`).join(", ");
  const size = columns.map((name) => `coalesce(octet_length("${name}"), 0)`).join(" + ");
  // The rows that come before a row in the page decide whether it is sent, so that long rows are not read in vain.
  const page = `SELECT ${names}, sum(${size}) OVER (${order} ROWS UNBOUNDED PRECEDING) - (${size}) AS sizes_before,
    count(*) OVER () AS found FROM (SELECT ${names} FROM ${table} WHERE account = ?${after}${where}${order} LIMIT ${PAGE_ROWS})`;
  const results = await db
    .prepare(`SELECT ${names}, found FROM (${page}) WHERE sizes_before <= ${PAGE_BYTES}${order}`)
    .bind(vaults.from.account, ...(after === "" ? [] : (key ?? [])), ...only.flatMap(([, values]) => values))
    .raw<Cell[]>();
  const found = Number(results[0]?.at(-1) ?? 0);
  const rows = fitting(results.map((row) => row.slice(0, -1)));
  for (const row of rows) await resealRow(row, columns, declared.sealed ?? {}, vaults);
  const last = rows.at(-1);
  const isPartial = keys.length > 0 && last !== undefined && (rows.length < found || found === PAGE_ROWS);
  const following = all[index + 1];
  const next = isPartial
    ? { table, key: keys.map((name) => last[columns.indexOf(name)] ?? null) }
    : following
      ? { table: following.table, key: null }
      : null;
  return { rows: { table, columns, rows }, next };
}

/** Returns as many rows as fit into a page, but at least one. */
function fitting(rows: Cell[][]): Cell[][] {
  let bytes = 0;
  const end = rows.findIndex((row, i) => {
    bytes += JSON.stringify(row).length;
    return i > 0 && bytes > PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

async function resealRow(
  row: Cell[],
  columns: string[],
  sealed: NonNullable<CopiedRows["sealed"]>,
  { from, to }: Vaults,
): Promise<void> {
  const id = String(row[columns.indexOf("id")] ?? "");
  for (const [column, context] of Object.entries(sealed)) {
    const at = columns.indexOf(column);
    const value = row[at];
    if (typeof value !== "string") continue;
    const opened = await from.vault.open(value, context(from.account, id));
    row[at] = await to.vault.seal(opened, context(to.account, id));
  }
}

/**
 * Returns the statement that writes rows into an account into which this backup is being restored. Existing rows are
 * kept.
 * @throws ApiError 409 for an unknown table or column, 400 for rows that the table cannot hold; VaultUnavailable if a
 * secret cannot be opened
 */
export async function writeAccountRows(
  tables: RowTables,
  vaults: Vaults,
  page: TableRows,
  { backup, now }: { backup: string; now: string },
): Promise<BoundStatement> {
  const { table } = page;
  const declared = copiedOf(tables).find((one) => one.table === table)?.declared;
  if (!declared) throw conflict("unknown_table", `backups have no table ${table}`);
  const forced = Object.fromEntries(
    Object.entries(declared.set ?? {}).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null ? now : value,
    ]),
  );
  const known = layoutOf(tables, table).columns;
  const { columns, rows } = restoredRows({ table, columns: known, forced }, page);
  for (const row of rows) await resealRow(row, columns, declared.sealed ?? {}, vaults);
  const names = columns.map((name) => `"${name}"`).join(", ");
  const cells = columns.map((_, i) => `value ->> ${i}`).join(", ");
  return {
    sql: `INSERT INTO ${table} (account, ${names}) SELECT ?, ${cells} FROM json_each(?)
      WHERE EXISTS (SELECT 1 FROM restores WHERE account = ? AND backup = ? AND finished_at IS NULL)
      ON CONFLICT DO NOTHING`,
    params: [vaults.to.account, JSON.stringify(rows), vaults.to.account, backup],
  };
}
