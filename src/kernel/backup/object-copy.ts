import { type Migration, migrate } from "../durable/migrate.ts";
import { conflict } from "../http/errors.ts";
import {
  CELL_BYTES,
  type Cell,
  type CopiedTable,
  type DeclaredTables,
  isCopied,
  PAGE_BYTES,
  type TableRows,
} from "./declared.ts";
import { type RestoredColumn, restoredRows } from "./restored-rows.ts";
import { isRestoring, RESTORED, RESTORING } from "./restoring.ts";

/** The position in the copy of an object: the table, and the last key that was copied. */
export interface ObjectCursor {
  table: number;
  key: Cell[] | null;
}

/** A page of an object's rows; `next` is null at the end. */
export interface ObjectPage {
  /** The number of schema steps that the object has run. */
  steps: number;
  tables: TableRows[];
  next: ObjectCursor | null;
}

/** A page to restore into an object, from the backup with this id. The last page completes the object. */
export interface ObjectRestore {
  backup: string;
  steps: number;
  tables: TableRows[];
  last: boolean;
}

type Storage = Pick<DurableObjectStorage, "sql" | "transactionSync" | "kv">;

const copiedOf = (declared: DeclaredTables): string[] =>
  Object.keys(declared).filter((table) => isCopied(declared[table] ?? { left: "" }));

/** Returns how many schema steps an object has run; 0 if it is empty. */
function stepsOf(sql: SqlStorage): number {
  const exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").toArray().length > 0;
  return exists ? sql.exec<{ n: number }>("SELECT count(*) AS n FROM migrations").one().n : 0;
}

/**
 * Returns the next page of an object's rows, each table in the order of its primary key. An empty object has one empty
 * page.
 */
export function readObject(
  { sql }: Storage,
  declared: DeclaredTables,
  from: ObjectCursor | null,
  bytes = PAGE_BYTES,
): ObjectPage {
  const steps = stepsOf(sql);
  const tables = steps === 0 ? [] : copiedOf(declared);
  const page: ObjectPage = { steps, tables: [], next: null };
  let remaining = bytes;
  for (let table = from?.table ?? 0; table < tables.length; table++) {
    const name = tables[table] ?? "";
    const how = declared[name];
    const only = how && "copy" in how ? (how.only ?? {}) : {};
    const part = readTable(sql, name, { after: table === from?.table ? from.key : null, only }, remaining);
    if (part.read.rows.length > 0) page.tables.push(part.read);
    remaining -= part.bytes;
    if (part.lastKey !== null) return Object.assign(page, { next: { table, key: part.lastKey } });
    if (remaining <= 0 && table + 1 < tables.length)
      return Object.assign(page, { next: { table: table + 1, key: null } });
  }
  return page;
}

/** Returns as many rows of a table after a key as fit. `lastKey` is null after the table's last row. */
function readTable(
  sql: SqlStorage,
  table: string,
  { after, only }: { after: Cell[] | null; only: NonNullable<CopiedTable["only"]> },
  most: number,
) {
  const info = sql.exec<{ name: string; pk: number }>(`SELECT name, pk FROM pragma_table_info('${table}')`).toArray();
  const columns = info.map(({ name }) => name);
  const keys = info
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);
  const wanted = Object.entries(only);
  const conditions = wanted.map(([name, values]) => `"${name}" IN (${values.map(() => "?").join(", ")})`);
  if (after) conditions.push(`(${keys.join(", ")}) > (${keys.map(() => "?").join(", ")})`);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const read: TableRows = { table, columns, rows: [] };
  const query = `SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM ${table} ${where} ORDER BY ${keys.join(", ")}`;
  let bytes = 0;
  for (const cells of sql.exec(query, ...wanted.flatMap(([, values]) => values), ...(after ?? [])).raw()) {
    const row = cells as Cell[];
    bytes += Math.max(JSON.stringify(row).length, row.length * CELL_BYTES);
    if (bytes > most && read.rows.length > 0) {
      const last = read.rows.at(-1) ?? [];
      return { read, bytes, lastKey: keys.map((key) => last[columns.indexOf(key)] ?? null) };
    }
    read.rows.push(row);
  }
  return { read, bytes, lastKey: null };
}

/**
 * Writes a page into an object that holds nothing else. The object's tables are created as they were at the time of the
 * backup, and the last page migrates them to the current schema, in a transaction with `complete`. A page that was
 * written before changes nothing. Returns whether the object is complete.
 * @throws ApiError 409 if the object holds something else or the backup is from a newer release
 */
export function restoreObject(
  storage: Storage,
  { migrations, tables: declared }: { migrations: readonly Migration[]; tables: DeclaredTables },
  { backup, steps, tables, last }: ObjectRestore,
  complete: () => void = () => {},
): boolean {
  if (storage.kv.get(RESTORED) === backup) return true;
  if (steps > migrations.length) throw conflict("newer_release", "the backup is of a newer release than this one");
  storage.transactionSync(() => {
    if (!isRestoring(storage)) {
      if (stepsOf(storage.sql) > 0)
        throw conflict("not_empty", "other data already exists in the place of the restore");
      storage.kv.put(RESTORING, backup);
    } else if (storage.kv.get(RESTORING) !== backup)
      throw conflict("another_backup", "another backup is being restored there");
    if (steps > 0) migrate(storage, migrations.slice(0, steps), Date.now());
    for (const rows of tables) writeRows(storage.sql, declared, rows);
    if (!last) return;
    if (steps > 0) migrate(storage, migrations, Date.now());
    complete();
    storage.kv.delete(RESTORING);
    storage.kv.put(RESTORED, backup);
  });
  return last;
}

function writeRows(sql: SqlStorage, declared: DeclaredTables, page: TableRows): void {
  const { table } = page;
  const how = Object.hasOwn(declared, table) ? declared[table] : undefined;
  if (!how || !("copy" in how)) throw conflict("unknown_table", `backups have no table ${table}`);
  const known = restoredColumns(sql, table, how);
  const has = (name: string) => known.some((column) => column.name === name);
  // The column may be newer than this version of the schema.
  const forced = Object.fromEntries(Object.entries(how.set ?? {}).filter(([name]) => has(name)));
  const { columns, rows } = restoredRows({ table, columns: known, forced }, page);
  const keys = known.filter(({ isKey }) => isKey).map(({ name }) => name);
  const others = columns.filter((name) => !keys.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
  const cells = columns.map((_, i) => `value ->> ${i}`).join(", ");
  try {
    // Updates rows instead of replacing them, so that triggers that count rows count each one once.
    sql.exec(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")}) SELECT ${cells} FROM json_each(?) WHERE TRUE
       ON CONFLICT (${keys.join(", ")}) DO ${others.length > 0 ? `UPDATE SET ${others.join(", ")}` : "NOTHING"}`,
      JSON.stringify(rows),
    );
  } catch (error) {
    if (!(error instanceof Error && /constraint/i.test(error.message))) throw error;
    throw conflict("not_consistent", `rows of ${table} refer to rows that do not exist, or contradict each other`);
  }
}

/** Returns the columns of an object's table at its current schema version; none if the table does not exist. */
export function restoredColumns(
  sql: SqlStorage,
  table: string,
  { json = [], only = {}, values = {}, borders = {} }: CopiedTable,
): RestoredColumn[] {
  type Info = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };
  const info = sql
    .exec<Info>(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${table}')`)
    .toArray();
  return info.map(({ name, type, notnull, dflt_value, pk }) => {
    const isNullable = notnull === 0 && pk === 0;
    const column: RestoredColumn = {
      name,
      type: type === "INTEGER" ? "integer" : type === "REAL" ? "real" : "text",
      isNullable,
      isKey: pk > 0,
      hasDefault: isNullable || dflt_value !== null,
      values: only[name] ?? values[name],
      border: borders[name],
    };
    return json.includes(name) ? Object.assign(column, { json: "structure" as const }) : column;
  });
}
