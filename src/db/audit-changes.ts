import { is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** The fields whose old and new value the audit log tells; of any other it tells the name alone. */
const TOLD: ReadonlySet<string> = new Set(["plan", "caps", "quotas", "status", "disabled"]);

/**
 * The fields of a change by name: null where only the name is told, else what it was and what it is. A value may be the
 * database's to say: then it is SQL that gives JSON, over the row as it is right before the change.
 */
export type ChangedFields = Record<string, Told | null>;
type Told = { from: unknown; to: unknown };

/**
 * The fields that a request sent and that are another now, compared as the JSON they are stored as. What `before` lacks
 * counts as changed; what the database is to say (`oldValue`, `wasSet`) is compared when the entry is written.
 */
export function changedFields(before: object, sent: object): ChangedFields {
  const was = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(sent).filter(([field, to]) => to !== undefined && differ(was.get(field), to));
  return Object.fromEntries(
    changed.map(([field, to]) => [field, TOLD.has(field) ? { from: was.get(field) ?? null, to } : null]),
  );
}

/** What a column holds right before the change. */
export function oldValue(column: SQLiteColumn): SQL {
  return sql`json_quote(${column})`;
}

/** Whether a column holds anything right before the change. */
export function wasSet(column: SQLiteColumn): SQL {
  return sql`iif(${column} IS NULL, 'false', 'true')`;
}

/** Whether some value is the database's to say, so that the entry has to be made of the row before it changes. */
export function asksTheRow(changes: ChangedFields): boolean {
  return Object.values(changes).some(isOpen);
}

/** The changes as the audit log stores them: JSON, or null where there are none. */
export function storedChanges(changes: ChangedFields): SQL {
  const fields = Object.entries(changes);
  if (fields.length === 0) return sql`NULL`;
  const known = JSON.stringify(Object.fromEntries(fields.filter(([, told]) => !isOpen(told))));
  const open = fields.flatMap(([field, told]) => {
    if (told === null || !isOpen(told)) return [];
    return [{ path: `$.${field}`, from: asJson(told.from), to: asJson(told.to) }];
  });
  if (open.length === 0) return sql`${known}`;
  const values = open.map(({ path, from, to }) => sql`${path}, json_object('from', json(${from}), 'to', json(${to}))`);
  // No field is called `-`: what stays as it was is taken out again.
  const unchanged = open.map(({ path, from, to }) => sql`iif(${from} IS ${to}, ${path}, '$."-"')`);
  const list = (pieces: SQL[]) => sql.join(pieces, sql`, `);
  return sql`nullif(json_remove(json_set(${known}, ${list(values)}), ${list(unchanged)}), '{}')`;
}

function isOpen(told: Told | null): boolean {
  return told !== null && (is(told.from, SQL) || is(told.to, SQL));
}

function differ(from: unknown, to: unknown): boolean {
  return is(from, SQL) || is(to, SQL) || JSON.stringify(from) !== JSON.stringify(to);
}

function asJson(value: unknown): SQL {
  return is(value, SQL) ? value : sql`${JSON.stringify(value)}`;
}
