import { and, desc, eq, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore } from "../db/account-store.ts";
import { calls } from "../db/schema/index.ts";
import { heldOn } from "./conversation-of.ts";

type CallRow = typeof calls.$inferSelect;

/** Which calls, and which page of them. */
interface CallQuery {
  agent_id?: string | undefined;
  campaign_id?: string | undefined;
  status?: string | undefined;
  /** Of either side. */
  phone_number?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
  offset: number;
}

/** A page of calls, newest first, with how many there are in all and the conversations held on these: one round trip. */
export function listCalls(store: AccountStore, query: CallQuery) {
  const { phone_number } = query;
  return phone_number === undefined ? listAny(store, query) : listOfNumber(store, query, phone_number);
}

async function listAny(store: AccountStore, query: CallQuery) {
  const where = conditionsOf(query);
  const { limit, offset } = query;
  const orderBy = [desc(calls.created_at), desc(calls.id)];
  const listed = sql`(SELECT ${calls.id} FROM ${calls} WHERE ${and(eq(calls.account, store.account), where)}
    ORDER BY ${sql.join(orderBy, sql`, `)} LIMIT ${limit} OFFSET ${offset})`;
  const [rows, total, held] = await store.read(
    store.select(calls, { where, orderBy, limit, offset }),
    store.count(calls, where),
    heldOn(store, listed),
  );
  return { rows, total, held };
}

/** Each side has an index of its own: what is found by them is merged in order, and nothing else is looked at. */
async function listOfNumber(store: AccountStore, query: CallQuery, number: string) {
  const { limit, offset } = query;
  const where = conditionsOf(query, notByIndex);
  const from = and(eq(calls.from_number, number), where);
  // A call of a number to itself is one.
  const to = and(eq(calls.to_number, number), ne(calls.from_number, number), where);
  const side = (isTheirs: SQL | undefined) =>
    sql`SELECT ${calls.created_at} AS at, ${calls.id} AS id FROM ${calls} WHERE ${and(eq(calls.account, store.account), isTheirs)}`;
  const listed = sql`(SELECT id FROM (${side(from)} UNION ALL ${side(to)} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}))`;
  const [rows, fromThem, toThem, held] = await store.read(
    store.select(calls, { where: inArray(calls.id, listed) }),
    store.count(calls, from),
    store.count(calls, to),
    heldOn(store, listed),
  );
  return { rows: rows.sort(newestFirst), total: fromThem + toThem, held };
}

function newestFirst(a: CallRow, b: CallRow): number {
  return b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id);
}

/** The conditions that a query asks for; `column` writes the columns that have an index of their own. */
function conditionsOf(
  { agent_id, campaign_id, status, since, until }: CallQuery,
  column: (column: SQLiteColumn) => SQL = (one) => sql`${one}`,
): SQL | undefined {
  return and(
    agent_id === undefined ? undefined : eq(column(calls.agent_id), agent_id),
    campaign_id === undefined ? undefined : eq(column(calls.campaign_id), campaign_id),
    status === undefined ? undefined : eq(column(calls.status), status),
    since === undefined ? undefined : gte(calls.created_at, since),
    until === undefined ? undefined : lt(calls.created_at, until),
  );
}

/** A column that is compared and never searched by (SQLite's unary plus). */
function notByIndex(column: SQLiteColumn): SQL {
  return sql`+${column}`;
}
