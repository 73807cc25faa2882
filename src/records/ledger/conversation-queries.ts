import { FOUND_ALONE, type ValuedState, type Verdict } from "../analysis/analysis.ts";
import { lookedFor } from "../analysis/brief.ts";
import type { DISCLOSURES } from "./disclosed.ts";
import { oneOfAgents } from "./of-agents.ts";
import type { ConversationRow } from "./report.ts";
import { conversations } from "./schema.ts";
import { storedRow } from "./stored-row.ts";

/** Selects conversations; times are ISO 8601, UTC. */
export interface ConversationFilter {
  agent_id?: string | undefined;
  agent_ids?: readonly string[] | undefined;
  /** Only this version of the agent in `agent_id`. */
  agent_version?: number | undefined;
  campaign_id?: string | undefined;
  contact_id?: string | undefined;
  call_id?: string | undefined;
  kind?: ConversationRow["kind"] | undefined;
  disposition?: string | undefined;
  phone_number?: string | undefined;
  disclosed?: (typeof DISCLOSURES)[number] | undefined;
  successful?: Verdict | undefined;
  /** Values of an analysis, by name. */
  data?: Record<string, string> | undefined;
  /** The states that the values in `data` may have; by default only found values. */
  state?: readonly ValuedState[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A position in the list of conversations, newest first. */
export type ConversationCursor = Pick<ConversationRow, "started_at" | "id">;

/** The part of the list to read from one volume. */
export interface ConversationPart {
  after: ConversationCursor | null;
  limit: number;
  /** The most rows to read. */
  reads: number;
}

export interface ConversationsFound {
  rows: ConversationRow[];
  /** Where reading stopped, if rows are left; null if the volume has no more. */
  stopped: ConversationCursor | null;
}

export type LastOfSession = Pick<ConversationRow, "id" | "status" | "ended_at">;

/** The columns that have an index, the most selective first. */
const INDEXED = [
  ["call_id", "conversations_call"],
  ["contact_id", "conversations_contact"],
  ["phone_number", "conversations_phone"],
  ["campaign_id", "conversations_campaign"],
  ["agent_id", "conversations_agent"],
  ["disposition", "conversations_disposition"],
  ["disclosed", "conversations_disclosed"],
  ["successful", "conversations_successful"],
  ["kind", "conversations_kind"],
] as const;

/** Returns the conversations of one part of the list, newest first. */
export function findConversations(
  sql: SqlStorage,
  filter: ConversationFilter,
  { after, limit, reads }: ConversationPart,
): ConversationsFound {
  const { by, rest } = pathOf(filter, after);
  const page = pageStatement(by, rest, reads, limit);
  const rows = sql
    .exec(page.sql, ...page.values)
    .toArray()
    .map((row) => storedRow(conversations, row));
  if (rows.length >= limit) return { rows, stopped: rows.at(-1) ?? null };
  return { rows, stopped: rest.length === 0 ? null : cursorOfRow(sql, by, reads) };
}

/** Returns the statement of a page, so that tests can check how many rows it reads. */
export function conversationsStatement(
  filter: ConversationFilter,
  { after, limit, reads }: ConversationPart,
): Statement {
  const { by, rest } = pathOf(filter, after);
  return pageStatement(by, rest, reads, limit);
}

/** Returns the newest conversation with this session key; null if the volume has none. */
export function lastOfSession(sql: SqlStorage, session_key: string): LastOfSession | null {
  const [last] = sql
    .exec<LastOfSession>(
      "SELECT id, status, ended_at FROM conversations WHERE session_key = ? ORDER BY started_at DESC LIMIT 1",
      session_key,
    )
    .toArray();
  return last ?? null;
}

interface Statement {
  sql: string;
  values: (string | number)[];
}

type Condition = [sql: string, ...values: (string | number)[]];

/** The rows that an index yields in the order of the list. */
interface Path {
  from: string;
  order: readonly [started_at: string, id: string];
  conditions: Condition[];
}

const BY_ROW = ["conversations.started_at", "conversations.id"] as const;
const BY_VALUE = ["found.started_at", "found.conversation_id"] as const;
const OF_VALUE = {
  any: "analysis_values found INDEXED BY analysis_values_any CROSS JOIN conversations ON conversations.id = found.conversation_id",
  one: "analysis_values found INDEXED BY analysis_values_state CROSS JOIN conversations ON conversations.id = found.conversation_id",
};
const HAS_VALUE =
  "EXISTS (SELECT 1 FROM analysis_values v WHERE v.conversation_id = page.id AND v.name = ? AND v.value = ?";

function pathOf(filter: ConversationFilter, after: ConversationCursor | null): { by: Path; rest: Condition[] } {
  const { since, until, agent_ids, agent_version, data = {}, state = FOUND_ALONE } = filter;
  const named = INDEXED.flatMap(([column, index]) => {
    const value = filter[column];
    if (value === "not_required") return [];
    if (column === "agent_id" && value !== undefined && agent_version !== undefined) {
      const condition: Condition = ["agent_id = ? AND agent_version = ?", value, agent_version];
      return [{ index: "conversations_version", condition }];
    }
    return value === undefined ? [] : [{ index, condition: [`${column} = ?`, value] as Condition }];
  });
  const values = Object.entries(data).map(([name, value]) => [name, lookedFor(value)] as const);
  // A call or contact has few conversations. Otherwise, a value is the most selective filter.
  const isFew = filter.call_id !== undefined || filter.contact_id !== undefined;
  const value = isFew ? undefined : values[0];
  const otherValues = value === undefined ? values : values.slice(1);
  const first = value === undefined ? named[0] : undefined;
  const others = first === undefined ? named : named.slice(1);
  const order = value === undefined ? BY_ROW : BY_VALUE;
  const [started, id] = order;
  const conditions: Condition[] = first ? [first.condition] : [];
  // A separate index has both states in order of time.
  const [only, ...more] = state;
  const inState = more.length > 0 ? [] : [only ?? "found"];
  if (value && inState.length === 0) conditions.push(["found.name = ? AND found.value = ?", ...value]);
  else if (value) conditions.push(["found.name = ? AND found.value = ? AND found.state = ?", ...value, ...inState]);
  if (after) conditions.push([`(${started}, ${id}) < (?, ?)`, after.started_at, after.id]);
  if (since !== undefined) conditions.push([`${started} >= ?`, since]);
  if (until !== undefined) conditions.push([`${started} < ?`, until]);
  const rest = others.map(({ condition }) => condition);
  for (const other of otherValues)
    rest.push([`${HAS_VALUE}${inState.length === 0 ? "" : " AND v.state = ?"})`, ...other, ...inState]);
  if (filter.disclosed === "not_required") rest.push(["disclosure IS NULL"]);
  if (agent_ids !== undefined) rest.push(oneOfAgents("agent_id", agent_ids));
  const from = value
    ? OF_VALUE[inState.length === 0 ? "any" : "one"]
    : `conversations INDEXED BY ${first?.index ?? "conversations_started"}`;
  return { by: { from, order, conditions }, rest };
}

/** Returns the statement of a page. The conditions without an index are compared in at most `reads` rows. */
function pageStatement(by: Path, rest: Condition[], reads: number, limit: number): Statement {
  const rows = pathStatement("conversations.*", by);
  if (rest.length === 0) return { sql: `${rows.sql} LIMIT ?`, values: [...rows.values, limit] };
  const where = rest.map(([text]) => text).join(" AND ");
  return {
    sql: `SELECT * FROM (${rows.sql} LIMIT ?) page WHERE ${where} LIMIT ?`,
    values: [...rows.values, reads, ...rest.flatMap(([, ...values]) => values), limit],
  };
}

/** Returns the position of the row with this number on a path; null if the path is shorter. */
function cursorOfRow(sql: SqlStorage, by: Path, number: number): ConversationCursor | null {
  const [started, id] = by.order;
  const { sql: text, values } = pathStatement(`${started} started_at, ${id} id`, by);
  const [row] = sql.exec<ConversationCursor>(`${text} LIMIT 1 OFFSET ?`, ...values, number - 1).toArray();
  return row ?? null;
}

function pathStatement(columns: string, { from, order: [started, id], conditions }: Path): Statement {
  const where = conditions.length === 0 ? "true" : conditions.map(([text]) => text).join(" AND ");
  return {
    sql: `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${started} DESC, ${id} DESC`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}
