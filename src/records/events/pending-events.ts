import { asc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import type { AccountTable } from "../../kernel/db/account-table.ts";
import { pendingEvents } from "../../kernel/db/schema/index.ts";
import { type NewEvent, newEvent } from "./event.ts";
import { type EventData, type EventType, isEventType } from "./types.ts";

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

/** Brings pending events to the account's sequence, the oldest first; gives whether there may be more. */
export async function deliverPending(
  store: AccountStore,
  take: (events: NewEvent[]) => Promise<void>,
): Promise<boolean> {
  const { at, type, resource } = pendingEvents;
  const [rows] = await store.read(
    store.select(pendingEvents, { orderBy: [asc(at), asc(type), asc(resource)], limit: AT_ONCE }),
  );
  if (rows.length === 0) return false;
  await take(rows.flatMap((row) => eventOf(row)));
  const taken = JSON.stringify(rows.map((row) => [row.at, row.type, row.resource]));
  const isTaken = sql`(${at}, ${type}, ${resource}) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${taken}))`;
  await store.record(store.delete(pendingEvents, isTaken));
  return rows.length === AT_ONCE;
}

/** Types that only another release knows are left out. */
function eventOf({ type, at, resource, data }: typeof pendingEvents.$inferSelect): NewEvent[] {
  return isEventType(type) ? [newEvent(type, at, resource, data as EventData<typeof type>) as NewEvent] : [];
}
