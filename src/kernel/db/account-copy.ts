import { type Cell, PAGE_BYTES, type TableRows } from "../backup/declared.ts";
import { conflict } from "../http/errors.ts";
import type { Vault } from "../secrets/vault.ts";
import { D1_BACKUP } from "./backup-data.ts";
import type { BoundStatement } from "./batch.ts";

/** Where the copy of an account's rows continues. */
export interface RowsPlace {
  table: string;
  key: Cell[] | null;
}

interface Vaults {
  /** The vault that opens sealed values, and the account they are sealed for. */
  from: { vault: Vault; account: string };
  /** That it is sealed by then. */
  to: { vault: Vault; account: string };
}

/** Rows read at once; a row may have 2 MB. */
const PAGE_ROWS = 100;
const TABLES = Object.entries(D1_BACKUP).flatMap(([table, declared]) =>
  "copy" in declared ? [{ table, declared }] : [],
);

/** What each table is like, by its name: read once, since nothing but a deployment changes it. */
const layouts = new Map<string, { columns: string[]; keys: string[] }>();

async function layoutOf(db: D1Database, table: string): Promise<{ columns: string[]; keys: string[] }> {
  const cached = layouts.get(table);
  if (cached) return cached;
  const { results } = await db
    .prepare("SELECT name, pk FROM pragma_table_info(?)")
    .bind(table)
    .all<{ name: string; pk: number }>();
  const keyed = results.filter(({ name, pk }) => pk > 0 && name !== "account").sort((a, b) => a.pk - b.pk);
  const layout = {
    columns: results.map(({ name }) => name).filter((name) => name !== "account"),
    keys: keyed.map(({ name }) => name),
  };
  layouts.set(table, layout);
  return layout;
}

/**
 * The next rows of an account, without its name and with their secrets resealed; `next` is null at the end.
 * @throws VaultUnavailable if a secret does not open
 */
export async function readAccountRows(
  db: D1Database,
  vaults: Vaults,
  from: RowsPlace | null,
): Promise<{ rows: TableRows; next: RowsPlace | null }> {
  const index = from === null ? 0 : TABLES.findIndex(({ table }) => table === from.table);
  const found = TABLES[index];
  if (!found) throw conflict("unknown_table", "backups have no such table");
  const { table, declared } = found;
  const { columns, keys } = await layoutOf(db, table);
  const key = from?.key ?? null;
  const after = key && keys.length > 0 ? ` AND (${keys.join(", ")}) > (${keys.map(() => "?").join(", ")})` : "";
  const order = keys.length > 0 ? ` ORDER BY ${keys.join(", ")}` : "";
  const where = declared.where === undefined ? "" : ` AND ${declared.where}`;
  const names = columns.map((name) => `"${name}"`).join(", ");
  const results = await db
    .prepare(`SELECT ${names} FROM ${table} WHERE account = ?${after}${where}${order} LIMIT ${PAGE_ROWS}`)
    .bind(vaults.from.account, ...(after === "" ? [] : (key ?? [])))
    .raw<Cell[]>();
  const rows = fitting(results);
  for (const row of rows) await resealRow(row, columns, declared.sealed ?? {}, vaults);
  const last = rows.at(-1);
  const isPartial =
    keys.length > 0 && last !== undefined && (rows.length < results.length || results.length === PAGE_ROWS);
  const following = TABLES[index + 1];
  const next = isPartial
    ? { table, key: keys.map((name) => last[columns.indexOf(name)] ?? null) }
    : following
      ? { table: following.table, key: null }
      : null;
  return { rows: { table, columns, rows }, next };
}

/** As many rows as a page has room for, at least one. */
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
  sealed: NonNullable<Extract<(typeof D1_BACKUP)["agents"], { copy: true }>["sealed"]>,
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
 * The statement that writes rows into an account while this backup is restored into it; those that are there stay as they
 * are.
 * @throws ApiError 409 for a table or column that is not of this release; VaultUnavailable where a secret does not open
 */
export async function writeAccountRows(
  db: D1Database,
  vaults: Vaults,
  { table, columns, rows }: TableRows,
  { backup, now }: { backup: string; now: string },
): Promise<BoundStatement> {
  const declared = TABLES.find((one) => one.table === table)?.declared;
  if (!declared) throw conflict("unknown_table", `backups have no table ${table}`);
  const layout = await layoutOf(db, table);
  if (!columns.every((name) => layout.columns.includes(name)))
    throw conflict("newer_release", `${table} has no such columns here`);
  for (const row of rows) {
    await resealRow(row, columns, declared.sealed ?? {}, vaults);
    for (const [column, value] of Object.entries(declared.set ?? {}))
      row[columns.indexOf(column)] = typeof value === "object" && value !== null ? now : value;
  }
  const names = columns.map((name) => `"${name}"`).join(", ");
  const cells = columns.map((_, i) => `value ->> ${i}`).join(", ");
  return {
    sql: `INSERT INTO ${table} (account, ${names}) SELECT ?, ${cells} FROM json_each(?)
      WHERE EXISTS (SELECT 1 FROM restores WHERE account = ? AND backup = ? AND finished_at IS NULL)
      ON CONFLICT DO NOTHING`,
    params: [vaults.to.account, JSON.stringify(rows), vaults.to.account, backup],
  };
}
