import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** The fields for which the audit log shows old and new values. For other fields it shows only the names. */
const SHOWN: ReadonlySet<string> = new Set([
  "plan",
  "caps",
  "quotas",
  "status",
  "disabled",
  "role",
  "unattended",
  "versioning",
]);

/**
 * The changed fields by name: null if only the name is shown, otherwise the old and the new value. SQL means JSON
 * that the database computes from the row before the change. For a field that is shown by name only, SQL is the
 * condition under which it has changed.
 */
export type ChangedFields = Record<string, ValueChange | SQL | null>;
type ValueChange = { from: unknown; to: unknown };

/**
 * Returns the fields of a request that change something. They are compared in the JSON form in which they are stored. A
 * field that is missing in `before` counts as changed. SQL values (`oldValue`, `wasSet`) are compared when the entry is
 * written.
 */
export function changedFields(before: object, sent: object): ChangedFields {
  const was = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(sent).filter(([field, to]) => to !== undefined && differ(was.get(field), to));
  return Object.fromEntries(
    changed.map(([field, to]) => [field, SHOWN.has(field) ? { from: was.get(field) ?? null, to } : null]),
  );
}

/** Returns the columns of a request that change something. The database compares them when it writes. */
export function changedColumns(table: SQLiteTable, sent: object): ChangedFields {
  const values = new Map<string, unknown>(Object.entries(sent));
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([field, column]): [string, ChangedFields[string]][] => {
      const to = values.get(field);
      if (to === undefined) return [];
      if (SHOWN.has(field)) return [[field, { from: oldValue(column), to }]];
      return [[field, isOther(column, to)]];
    }),
  );
}

/** Returns the condition that a row differs from `set` in at least one column. */
export function differsFrom(table: SQLiteTable, set: object): SQL {
  const values = new Map<string, unknown>(Object.entries(set));
  const others = Object.entries(getTableColumns(table)).flatMap(([field, column]) => {
    const to = values.get(field);
    return to === undefined ? [] : [isOther(column, to)];
  });
  return others.length === 0 ? sql`false` : sql`(${sql.join(others, sql` OR `)})`;
}

/** Returns the condition that a column differs from a value, which may be an expression. */
function isOther(column: SQLiteColumn, to: unknown): SQL {
  if (is(to, SQL)) return sql`${column} IS NOT (${to})`;
  return sql`${column} IS NOT ${to === null ? null : column.mapToDriverValue(to)}`;
}

/** Returns SQL for the value of a column before the change. */
export function oldValue(column: SQLiteColumn): SQL {
  return sql`json_quote(${column})`;
}

/** Returns SQL for whether a column was set before the change. */
export function wasSet(column: SQLiteColumn): SQL {
  return sql`iif(${column} IS NULL, 'false', 'true')`;
}

/** Returns SQL for whether a boolean column was true before the change. */
export function isTrue(column: SQLiteColumn): SQL {
  return sql`iif(${column}, 'true', 'false')`;
}

/**
 * Checks whether the database computes any of the changes, so that the entry must be written before the row changes.
 */
export function needsRowBefore(changes: ChangedFields): boolean {
  return Object.values(changes).some(isOpen);
}

/** Returns SQL for the changes as the audit log stores them: JSON, or null if there are none. */
export function storedChanges(changes: ChangedFields): SQL {
  const fields = Object.entries(changes);
  if (fields.length === 0) return sql`NULL`;
  const settled = JSON.stringify(Object.fromEntries(fields.filter(([, change]) => !isOpen(change))));
  const open = fields.flatMap(([field, change]) => {
    if (change === null || !isOpen(change)) return [];
    const path = pathOf(field);
    if (is(change, SQL)) return [{ path, value: sql`NULL`, isSame: sql`NOT (${change})` }];
    const [from, to] = [asJson(change.from), asJson(change.to)];
    const value = sql`json_object('from', json(${from}), 'to', json(${to}))`;
    return [{ path, value, isSame: sql`${from} IS ${to}` }];
  });
  if (open.length === 0) return sql`${settled}`;
  const values = open.map(({ path, value }) => sql`${path}, ${value}`);
  // Unchanged fields are written under the name `-`, which no field has, and then removed.
  const unchanged = open.map(({ path, isSame }) => sql`iif(${isSame}, ${path}, '$."-"')`);
  const list = (pieces: SQL[]) => sql.join(pieces, sql`, `);
  return sql`nullif(json_remove(json_set(${settled}, ${list(values)}), ${list(unchanged)}), '{}')`;
}

/** Returns a field as a JSON path. Known names are inlined, because a statement accepts at most 100 parameters. */
function pathOf(field: string): SQL {
  const path = `$.${field}`;
  return /^[a-z_]+$/.test(field) ? sql.raw(`'${path}'`) : sql`${path}`;
}

function isOpen(change: ChangedFields[string]): boolean {
  return change !== null && (is(change, SQL) || is(change.from, SQL) || is(change.to, SQL));
}

function differ(from: unknown, to: unknown): boolean {
  return is(from, SQL) || is(to, SQL) || JSON.stringify(from) !== JSON.stringify(to);
}

function asJson(value: unknown): SQL {
  return is(value, SQL) ? value : sql`${JSON.stringify(value)}`;
}
