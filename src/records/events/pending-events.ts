import { asc, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import type { AccountTable } from "../../kernel/db/account-table.ts";
import { pendingEvents } from "../../kernel/db/schema/index.ts";
import { type NewEvent, newEvent } from "./event.ts";
import { EVENT_TYPES, type EventData, type EventType } from "./types.ts";

/** The number of events that are delivered at a time. */
const AT_ONCE = 500;

/** How rows become events. Each field of the event's data is a value, a column of the row or an expression. */
interface Happening<T extends EventType, F extends AccountTable> {
  from: F;
  /** Selects the account's rows that get an event. */
  where: SQL;
  resource: SQLiteColumn;
  at: SQLiteColumn;
  data: { [K in keyof EventData<T>]: EventData<T>[K] | SQLiteColumn | SQL };
}

/**
 * Creates an event for each of these rows, in the batch that changes them. `deliverPending` later moves it to the
 * account's sequence. Repeating the batch creates no second event.
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

/**
 * The state after a delivery: more events can be delivered, only types that another release knows are left, or nothing
 * is left.
 */
export type PendingLeft = "more" | "unknown" | "nothing";

/**
 * Delivers pending events to the account's sequence, oldest first. Events of types that only another release knows, as
 * during a deployment, stay until that release delivers them.
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
