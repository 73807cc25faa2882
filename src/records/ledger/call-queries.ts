import { firstIdAt } from "../../kernel/instant-ids.ts";
import { type CallStatus, isTerminal } from "./call-status.ts";
import type { DISCLOSURES } from "./disclosed.ts";
import { oneOfAgents } from "./of-agents.ts";
import type { CallRow } from "./report.ts";
import { calls } from "./schema.ts";
import { storedRow } from "./stored-row.ts";

/** Selects calls; times are ISO 8601, UTC. */
export interface CallFilter {
  agent_id?: string | undefined;
  agent_ids?: readonly string[] | undefined;
  /** Only this version of the agent in `agent_id`. */
  agent_version?: number | undefined;
  campaign_id?: string | undefined;
  status?: CallStatus | undefined;
  /** Matches either side of the call. */
  phone_number?: string | undefined;
  disclosed?: (typeof DISCLOSURES)[number] | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** The requested part of a volume's list, newest first. */
export interface CallPart {
  /** Only calls with a lower id. */
  before: string | null;
  skip: number;
  limit: number;
  /** The most rows to read. */
  reads: number;
}

export interface CallsFound {
  rows: CallRow[];
  skipped: number;
  read: number;
  /** Where the search stopped: the lowest id that was read. Null if the volume has no more calls. */
  stopped: string | null;
}

export interface CallsCounted {
  calls: number;
  read: number;
  /** Whether there may be more. */
  stopped: boolean;
}

/** An SQL statement with its values. */
export interface Statement {
  sql: string;
  values: (string | number)[];
}

type Condition = [sql: string, ...values: (string | number)[]];

/**
 * How the calls of a filter are found: by one index (or one for each side of a number), then by the other conditions.
 */
interface Path {
  /** The table, with the name of an index if SQLite would otherwise use a less selective one. */
  from: string;
  by: Condition[];
  rest: Condition[];
}

/** Ids from `low` to below `high`. Because an id begins with its time, this is a range of time. */
interface Range {
  low: string;
  high: string;
}

/** Returns the calls of one part of a list, newest first. */
export function findCalls(sql: SqlStorage, filter: CallFilter, part: CallPart): CallsFound {
  const path = pathOf(filter);
  const within = rangeOf(filter, part.before);
  const bound = path.rest.length === 0 ? NO_BOUND : boundOf(sql, path, within, part.reads);
  const range = { low: bound.floor ?? within.low, high: within.high };
  const rows = run(sql, pageSql(path, range, part)).map((row) => storedRow(calls, row));
  const skipped = rows.length > 0 || part.skip === 0 ? part.skip : count(sql, path, range, part.skip);
  const read = path.rest.length === 0 ? skipped + rows.length : bound.read;
  return { rows, skipped, read, stopped: rows.length < part.limit ? bound.floor : null };
}

/** Counts the calls of a filter up to `most`, reading at most `reads` rows. */
export function countCalls(sql: SqlStorage, filter: CallFilter, most: number, reads: number): CallsCounted {
  const path = pathOf(filter);
  const within = rangeOf(filter, null);
  const bound = path.rest.length === 0 ? NO_BOUND : boundOf(sql, path, within, reads);
  const found = count(sql, path, { low: bound.floor ?? within.low, high: within.high }, most + 1);
  const read = path.rest.length === 0 ? found : bound.read;
  return { calls: Math.min(found, most), read, stopped: found > most || bound.floor !== null };
}

const NO_BOUND = { read: 0, floor: null };

/** Returns how far `reads` rows of a path reach. `floor` is null if the path has fewer rows. */
function boundOf(sql: SqlStorage, path: Path, range: Range, reads: number): { read: number; floor: string | null } {
  const [bound] = run(sql, boundSql(path, range, reads));
  const { read, floor } = bound as { read: number; floor: string | null };
  return { read, floor: read < reads ? null : floor };
}

function count(sql: SqlStorage, path: Path, range: Range, most: number): number {
  const [counted] = run(sql, countSql(path, range, most));
  return (counted as { n: number }).n;
}

function run(sql: SqlStorage, statement: Statement) {
  return sql.exec(statement.sql, ...statement.values).toArray();
}

/** Returns the statements of a query, so that tests can check their query plans. */
export function statementsOf(filter: CallFilter, part: CallPart): Statement[] {
  const path = pathOf(filter);
  const range = rangeOf(filter, part.before);
  return [pageSql(path, range, part), boundSql(path, range, part.reads), countSql(path, range, part.limit)];
}

function pageSql(path: Path, range: Range, { limit, skip }: CallPart): Statement {
  const { sql, values } = select("*", path, range);
  return { sql: `${sql} ORDER BY id DESC LIMIT ? OFFSET ?`, values: [...values, limit, skip] };
}

function boundSql({ from, by }: Path, range: Range, reads: number): Statement {
  const { sql, values } = select("id", { from, by, rest: [] }, range);
  const ids = `${sql} ORDER BY id DESC LIMIT ?`;
  return { sql: `SELECT count(*) AS read, min(id) AS floor FROM (${ids})`, values: [...values, reads] };
}

function countSql(path: Path, range: Range, most: number): Statement {
  const { sql, values } = select("id", path, range);
  return { sql: `SELECT count(*) AS n FROM (${sql} LIMIT ?)`, values: [...values, most] };
}

function select(columns: string, { from, by, rest }: Path, { low, high }: Range): Statement {
  const listed: Condition = ["line_revision > 0"];
  const window: Condition = ["id >= ? AND id < ?", low, high];
  const sides = by.map((one) => [listed, one, window, ...rest]);
  const texts = sides.map((side) => side.map(([text]) => text).join(" AND "));
  return {
    sql: texts.map((where) => `SELECT ${columns} FROM ${from} WHERE ${where}`).join(" UNION ALL "),
    values: sides.flatMap((side) => side.flatMap(([, ...values]) => values)),
  };
}

/**
 * Chooses the index: by status for running calls, because there are few; otherwise that of the most selective filter.
 */
function pathOf(filter: CallFilter): Path {
  const { phone_number, status, disclosed, campaign_id, agent_id, agent_version, agent_ids } = filter;
  const isNone = disclosed === "not_required";
  const named = [
    equal(["campaign_id", campaign_id]),
    equal(["agent_id", agent_id], ["agent_version", agent_version]),
    equal(["disclosed", isNone ? undefined : disclosed]),
  ];
  const byStatus = equal(["status", status]);
  const columns = status !== undefined && !isTerminal(status) ? [byStatus, ...named] : [...named, byStatus];
  const wanted = columns.filter((group) => group.length > 0);
  const [first, ...others] = wanted;
  const ofAgents: Condition[] = agent_ids === undefined ? [] : [oneOfAgents("+agent_id", agent_ids)];
  if (isNone) ofAgents.push(["disclosure IS NULL"]);
  if (phone_number !== undefined)
    return { from: "calls", by: sidesOf(phone_number), rest: [...wanted.flat().map(compared), ...ofAgents] };
  const by: Condition = first ? searched(first) : ["true"];
  const isByVersion = first?.some(({ column }) => column === "agent_version");
  const from = isByVersion ? "calls INDEXED BY calls_version" : "calls";
  return { from, by: [by], rest: [...others.flat().map(compared), ...ofAgents] };
}

/** A column and its required value. */
interface Equal {
  column: string;
  value: string | number;
}

/** Returns the filtered columns of one index. */
function equal(...columns: [column: string, value: string | number | undefined][]): Equal[] {
  return columns.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
}

function searched(group: Equal[]): Condition {
  return [group.map(({ column }) => `${column} = ?`).join(" AND "), ...group.map(({ value }) => value)];
}

// A call from a number to itself must be found once.
function sidesOf(number: string): Condition[] {
  return [
    ["from_number = ?", number],
    ["to_number = ? AND +from_number <> ?", number, number],
  ];
}

/** Returns a condition that SQLite compares but never uses for an index (unary plus). */
function compared({ column, value }: Equal): Condition {
  return [`+${column} = ?`, value];
}

/** A text that sorts after every id. */
const HIGHEST = "g";

/** Returns the range of ids for a window of time, ending before a given call. */
export function rangeOf({ since, until }: Pick<CallFilter, "since" | "until">, before: string | null): Range {
  const end = until === undefined ? HIGHEST : firstIdAt(Date.parse(until));
  return {
    low: since === undefined ? "" : firstIdAt(Date.parse(since)),
    high: before !== null && before < end ? before : end,
  };
}
