import { asc, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import type { AccountTable } from "../../kernel/db/account-table.ts";
import { pendingEvents } from "../../kernel/db/schema/index.ts";
import { type NewEvent, newEvent } from "./event.ts";
import { EVENT_TYPES, type EventData, type EventType } from "./types.ts";

/** Events that are brought to the account's sequence at a time. */
const AT_ONCE = 500;

/** What happens to rows: each field of its event is a value, or a column of the row, or made of these. */
interface Happening<T extends EventType, F extends AccountTable> {
  from: F;
  /** The rows of the account that it happens to. */
  where: SQL;
  resource: SQLiteColumn;
  at: SQLiteColumn;
  data: { [K in keyof EventData<T>]: EventData<T>[K] | SQLiteColumn | SQL };
}

/**
 * The event of each of these rows, written in the batch that causes it and brought to the account's sequence
 * afterwards. Repeating it makes no second event.
 */
export function announce<T extends EventType, F extends AccountTable>(
  store: AccountStore,
  type: T,
  { from, where, resource, at, data }: Happening<T, F>,
): Write<unknown> {
  const fields = Object.entries<unknown>(data).flatMap(([name, value]) => [sql`${name}`, sql`${value}`]);
  const json = sql`json_object(${sql.join(fields, sql`, `)})`;
  return store.insertSelected(pendingEvents, from, where, { type, resource, at, data: json }, "keep");
}

/** What is left after a delivery: more to deliver at once, only types that another release knows, or nothing. */
export type PendingLeft = "more" | "unknown" | "nothing";

/**
 * Brings pending events to the account's sequence, the oldest first. Events of types that only another release knows,
 * as during a deployment, stay for it.
 */
export async function deliverPending(
  store: AccountStore,
  take: (events: NewEvent[]) => Promise<void>,
): Promise<PendingLeft> {
  const { at, type, resource } = pendingEvents;
  const isKnown = inArray(type, EVENT_TYPES);
  const [rows, foreign] = await store.read(
    store.select(pendingEvents, { where: isKnown, orderBy: [asc(at), asc(type), asc(resource)], limit: AT_ONCE }),
    store.first(pendingEvents, { where: notInArray(type, EVENT_TYPES), columns: ["type"] }),
  );
  const left = foreign === undefined ? "nothing" : "unknown";
  if (rows.length === 0) return left;
  await take(rows.map((row) => eventOf(row)));
  const taken = JSON.stringify(rows.map((row) => [row.at, row.type, row.resource]));
  const isTaken = sql`(${at}, ${type}, ${resource}) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${taken}))`;
  await store.record(store.delete(pendingEvents, isTaken));
  return rows.length === AT_ONCE ? "more" : left;
}

function eventOf({ type, at, resource, data }: typeof pendingEvents.$inferSelect): NewEvent {
  return newEvent(type as EventType, at, resource, data as EventData<EventType>) as NewEvent;
}
