import { type AuditPart, type AuditPosition, dividingId } from "../../kernel/audit-position.ts";
import type { Act } from "../../kernel/db/account-store.ts";
import { firstIdAt, instantOf } from "../../kernel/instant-ids.ts";
import { maskedEntry } from "../../kernel/mask-entry.ts";
import { NumberMask } from "../../kernel/mask-number.ts";
import { rangeOf } from "./call-queries.ts";
import { Rows } from "./rows.ts";
import { acts } from "./schema.ts";
import { storedRow } from "./stored-row.ts";

/** The most entries that are read for a page, and for its total. */
const MAX_READS = 10_000;

/** Selects entries of the audit log; times are ISO 8601, UTC. */
export interface ActFilter {
  action?: string | undefined;
  resource?: string | undefined;
  actor?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** The requested part of a volume's log, newest first. */
export interface ActPart {
  before: AuditPosition | null;
  limit: number;
}

export type TimedAct = Act & { at: string };

/** Writes an act's entry, once. */
export function writeAct(sql: SqlStorage, act: Act): void {
  const rows = new Rows(sql, acts);
  if (rows.get(act.id) === null) rows.put(null, act);
}

/** Returns some of the acts that a filter selects, newest first. */
export function findActs(sql: SqlStorage, filter: ActFilter, part: ActPart): AuditPart<TimedAct> {
  const query = queryOf(filter, part.before);
  const floor = floorOf(sql, query);
  const found = select(sql, "*", query, floor, part.limit).map((row) => timed(storedRow(acts, row)));
  if (found.length === part.limit) return { rows: found, readTo: found.at(-1) ?? null };
  return { rows: found, readTo: floor === null ? null : { at: timeOf(floor), id: floor } };
}

/** Counts the acts that a filter selects, up to `most`, and returns whether there may be more. */
export function countActs(sql: SqlStorage, filter: ActFilter, most: number): { total: number; more: boolean } {
  const query = queryOf(filter, null);
  const floor = floorOf(sql, query);
  const counted = select(sql, "id", query, floor, most + 1).length;
  return { total: Math.min(counted, most), more: counted > most || floor !== null };
}

/** Returns the time of a volume's oldest act, ms; null if it has none. */
export function oldestAct(sql: SqlStorage): number | null {
  const [row] = sql.exec<{ id: string }>("SELECT id FROM acts ORDER BY id LIMIT 1").toArray();
  return row ? instantOf(row.id) : null;
}

/** Deletes up to `most` acts from before a time (ms) and returns the number deleted. */
export function deleteActsBefore(sql: SqlStorage, at: number, most: number): number {
  const old = "SELECT id FROM acts WHERE id < ? ORDER BY id LIMIT ?";
  return sql.exec(`DELETE FROM acts WHERE id IN (${old}) RETURNING 1`, firstIdAt(at), most).toArray().length;
}

export interface PersonInActs {
  number: string | null;
  visitor: string | null;
}

/** Masks a person in `limit` acts after an id. Returns how many it masked and the id to continue after, null at the end. */
export function sweepActs(
  sql: SqlStorage,
  { number, visitor }: PersonInActs,
  after: string,
  limit: number,
): { masked: number; next: string | null } {
  const person = { mask: number === null ? null : new NumberMask(number), visitor };
  const found = sql
    .exec("SELECT * FROM acts WHERE id > ? ORDER BY id LIMIT ?", after, limit)
    .toArray()
    .map((row) => storedRow(acts, row));
  const rows = new Rows(sql, acts);
  const masked = found.filter((act) => {
    const entry = maskedEntry(act, person);
    return entry !== null && rows.put(act, Object.assign({}, act, entry));
  });
  return { masked: masked.length, next: found.length < limit ? null : (found.at(-1)?.id ?? null) };
}

interface Query {
  /** The conditions that an index evaluates. The others are in `rest`. */
  by: Condition[];
  rest: Condition[];
}
type Condition = [sql: string, ...values: string[]];

/**
 * Returns the conditions of a query. The most selective filter uses its index; the others are only compared (SQLite's
 * unary plus).
 */
function queryOf({ actor, resource, action, since, until }: ActFilter, before: AuditPosition | null): Query {
  const { low, high } = rangeOf({ since, until }, before && dividingId(before));
  const named = Object.entries({ actor, resource, action }).flatMap(([column, value]): [string, string][] =>
    value === undefined ? [] : [[column, value]],
  );
  const [first, ...others] = named;
  const window: Condition = ["id >= ? AND id < ?", low, high];
  return {
    by: first ? [[`${first[0]} = ?`, first[1]], window] : [window],
    rest: others.map(([column, value]): Condition => [`+${column} = ?`, value]),
  };
}

/** Returns the lowest id that one read by the index reaches; null if the read reaches all rows. */
function floorOf(sql: SqlStorage, { by, rest }: Query): string | null {
  if (rest.length === 0) return null;
  const [text, values] = conditions(by);
  const query = `SELECT id FROM acts WHERE ${text} ORDER BY id DESC LIMIT 1 OFFSET ?`;
  const [row] = sql.exec<{ id: string }>(query, ...values, MAX_READS - 1).toArray();
  return row?.id ?? null;
}

function select(sql: SqlStorage, columns: string, { by, rest }: Query, floor: string | null, limit: number) {
  const bound: Condition[] = floor === null ? [] : [["id >= ?", floor]];
  const [text, values] = conditions([...by, ...bound, ...rest]);
  return sql.exec(`SELECT ${columns} FROM acts WHERE ${text} ORDER BY id DESC LIMIT ?`, ...values, limit).toArray();
}

function conditions(all: Condition[]): [text: string, values: string[]] {
  return [all.map(([text]) => text).join(" AND "), all.flatMap(([, ...values]) => values)];
}

const timed = (act: Act): TimedAct => Object.assign({ at: timeOf(act.id) }, act);
const timeOf = (id: string) => new Date(instantOf(id) ?? 0).toISOString();
