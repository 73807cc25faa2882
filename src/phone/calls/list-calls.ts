import { and, desc, eq, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { calls } from "../../kernel/db/schema/index.ts";
import { heldOn } from "./conversation-of.ts";
import type { CallFilters, CallOwner } from "./filters.ts";

type CallRow = typeof calls.$inferSelect;

/** A part of a list: so many after an offset, and older than a call. */
interface Part {
  limit: number;
  offset: number;
  olderThan?: Pick<CallRow, "created_at" | "id"> | undefined;
}

/** A page of calls, newest first, with how many there are in all and the conversations held on these: one round trip. */
export async function listCalls(store: AccountStore, query: CallFilters & Part) {
  const { listed, rows, totals } = partOf(store, query, query);
  const counts = totals.map((where) => store.count(calls, where));
  const [found, held, first = 0, second = 0] = await store.read(rows, heldOn(store, listed), ...counts);
  return { rows: found.sort(newestFirst), total: first + second, held };
}

/** The next calls of a long list, newest first, with the conversations held on them: one round trip. */
export async function callsAfter(
  store: AccountStore,
  filters: CallFilters,
  olderThan: Part["olderThan"],
  limit: number,
) {
  const { listed, rows } = partOf(store, filters, { limit, offset: 0, olderThan });
  const [found, held] = await store.read(rows, heldOn(store, listed));
  return { rows: found.sort(newestFirst), held };
}

/** The reads of a part of the list, and the conditions that together are those of the whole list. */
function partOf(store: AccountStore, filters: CallFilters, part: Part) {
  const { phone_number } = filters;
  return phone_number === undefined
    ? partOfAll(store, filters, part)
    : partOfNumber(store, filters, part, phone_number);
}

function partOfAll(store: AccountStore, filters: CallFilters, { limit, offset, olderThan }: Part) {
  const whole = conditionsOf(filters);
  const where = and(whole, older(olderThan));
  const orderBy = [desc(calls.created_at), desc(calls.id)];
  const listed = sql`(SELECT ${calls.id} FROM ${calls} WHERE ${and(eq(calls.account, store.account), where)}
    ORDER BY ${sql.join(orderBy, sql`, `)} LIMIT ${limit} OFFSET ${offset})`;
  return { listed, rows: store.select(calls, { where, orderBy, limit, offset }), totals: [whole] };
}

/** Each side has an index of its own: what is found by them is merged in order, and nothing else is looked at. */
function partOfNumber(store: AccountStore, filters: CallFilters, { limit, offset, olderThan }: Part, number: string) {
  const where = conditionsOf(filters, notByIndex);
  const from = and(eq(calls.from_number, number), where);
  // A call of a number to itself is one.
  const to = and(eq(calls.to_number, number), ne(calls.from_number, number), where);
  const side = (isTheirs: SQL | undefined) =>
    sql`SELECT ${calls.created_at} AS at, ${calls.id} AS id FROM ${calls} WHERE ${and(eq(calls.account, store.account), isTheirs, older(olderThan))}`;
  const listed = sql`(SELECT id FROM (${side(from)} UNION ALL ${side(to)} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}))`;
  return { listed, rows: store.select(calls, { where: inArray(calls.id, listed) }), totals: [from, to] };
}

function older(than: Part["olderThan"]): SQL | undefined {
  return than && sql`(${calls.created_at}, ${calls.id}) < (${than.created_at}, ${than.id})`;
}

function newestFirst(a: CallRow, b: CallRow): number {
  return b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id);
}

/** How a column stands in a query. */
type InQuery = (column: SQLiteColumn) => SQL;

/** The conditions that a query asks for; `column` writes the columns that have an index of their own. */
function conditionsOf(
  { status, since, until, ...owner }: CallFilters,
  column: InQuery = (one) => sql`${one}`,
): SQL | undefined {
  return and(
    ownedBy(owner, column),
    status === undefined ? undefined : eq(column(calls.status), status),
    since === undefined ? undefined : gte(calls.created_at, since),
    until === undefined ? undefined : lt(calls.created_at, until),
  );
}

/** The condition of calls of an agent or a campaign. */
export function ownedBy({ agent_id, campaign_id }: CallOwner, column: InQuery = (one) => sql`${one}`): SQL | undefined {
  return and(
    agent_id === undefined ? undefined : eq(column(calls.agent_id), agent_id),
    campaign_id === undefined ? undefined : eq(column(calls.campaign_id), campaign_id),
  );
}

/** A column that is compared and never searched by (SQLite's unary plus). */
function notByIndex(column: SQLiteColumn): SQL {
  return sql`+${column}`;
}
