import { oneOfAgents } from "./of-agents.ts";
import type { CallRow, RecordingRow } from "./report.ts";
import { recordings } from "./schema.ts";
import { storedRow } from "./stored-row.ts";

export interface RecordingFilter {
  id?: string | undefined;
  call_id?: string | undefined;
  agent_id?: string | undefined;
  agent_ids?: readonly string[] | undefined;
}

/** The position in a list of recordings: before this one. */
export type RecordingCursor = Pick<RecordingRow, "created_at" | "id">;

/** The requested part of a volume's list, newest first. */
export interface RecordingPart {
  before: RecordingCursor | null;
  skip: number;
  limit: number;
}

/** The fields of a call that identify its parties. */
export type CallSides = Pick<CallRow, "direction" | "from_number" | "to_number" | "variables">;

/** A recording with the parties of its call; null if the call is not recorded. */
export type ListedRecording = RecordingRow & { sides: CallSides | null };

/** The identity of a recording: its call and its id at the carrier. */
export type RecordingSource = Pick<RecordingRow, "id" | "call_id" | "provider_recording_id">;

type Condition = [sql: string, ...values: string[]];

export function findRecordings(sql: SqlStorage, filter: RecordingFilter, part: RecordingPart): ListedRecording[] {
  const { agent_ids, ...rest } = filter;
  if (agent_ids !== undefined && rest.call_id === undefined) return ofEachAgent(sql, rest, agent_ids, part);
  const { text, values } = pageSql(filter, part);
  return sql
    .exec(text, ...values)
    .toArray()
    .map((row) => Object.assign(storedRow(recordings, row), { sides: sidesIn(row) }));
}

/**
 * Merges the first recordings of each agent, because there is an index for one agent's list but none for several
 * agents.
 */
function ofEachAgent(
  sql: SqlStorage,
  filter: RecordingFilter,
  agentIds: readonly string[],
  { before, skip, limit }: RecordingPart,
): ListedRecording[] {
  const first = { before, skip: 0, limit: skip + limit };
  const found = agentIds.flatMap((agent_id) => findRecordings(sql, { ...filter, agent_id }, first));
  return found.sort(newestFirst).slice(skip, skip + limit);
}

/** Compares recordings in the order of the list. */
export function newestFirst(a: RecordingCursor, b: RecordingCursor): number {
  return b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id);
}

/** Returns the statement of a part of the list. */
export function pageSql(filter: RecordingFilter, { before, skip, limit }: RecordingPart) {
  const after: Condition[] = before === null ? [] : [["(r.created_at, r.id) < (?, ?)", before.created_at, before.id]];
  const { where, values } = conditionsOf(filter, after);
  const text = `SELECT r.*, c.direction, c.from_number, c.to_number, c.variables
    FROM recordings r LEFT JOIN calls c ON c.id = r.call_id AND c.line_revision > 0
    WHERE ${where} ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?`;
  return { text, values: [...values, limit, skip] };
}

export function countRecordings(sql: SqlStorage, filter: RecordingFilter, most: number): number {
  const { where, values } = conditionsOf(filter, []);
  const text = `SELECT count(*) AS n FROM (SELECT 1 FROM recordings r WHERE ${where} LIMIT ?)`;
  return sql.exec<{ n: number }>(text, ...values, most).one().n;
}

/** Returns the recordings of these calls, and which of these ids and calls were removed. */
export function recordingSources(sql: SqlStorage, calls: string[], ids: string[]) {
  const listed = sql.exec<Record<keyof RecordingSource, string>>(
    "SELECT id, call_id, provider_recording_id FROM recordings WHERE call_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(calls),
  );
  const removed = sql.exec<{ id: string }>(
    "SELECT id FROM removed WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...ids, ...calls]),
  );
  return { listed: listed.toArray(), removed: removed.toArray().map(({ id }) => id) };
}

/** Returns the conditions of a filter. The first named column uses its index; the others are compared. */
function conditionsOf({ id, call_id, agent_id, agent_ids }: RecordingFilter, more: Condition[]) {
  const named = [
    { column: "id", value: id },
    { column: "call_id", value: call_id },
    { column: "agent_id", value: agent_id },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const conditions: Condition[] = named.map(({ column, value }, i) => [`${i > 0 ? "+" : ""}r.${column} = ?`, value]);
  if (agent_ids !== undefined) conditions.push(oneOfAgents(named.length > 0 ? "+r.agent_id" : "r.agent_id", agent_ids));
  const all = [...conditions, ...more];
  return {
    where: all.length === 0 ? "true" : all.map(([text]) => text).join(" AND "),
    values: all.flatMap(([, ...values]) => values),
  };
}

function sidesIn({ direction, from_number, to_number, variables }: Record<string, SqlStorageValue>): CallSides | null {
  if (direction !== "inbound" && direction !== "outbound") return null;
  return {
    direction,
    from_number: String(from_number),
    to_number: String(to_number),
    variables: JSON.parse(String(variables)),
  };
}
