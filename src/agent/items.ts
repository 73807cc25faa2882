import { and, eq, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { type AccountStore, UniqueViolation } from "../kernel/db/account-store.ts";
import { changedColumns } from "../kernel/db/audit-changes.ts";
import { all } from "../kernel/db/conditions.ts";
import { documents, type faqs, type playbooks, type tools } from "../kernel/db/schema/index.ts";
import { ApiError, invalidField, notFound } from "../kernel/http/errors.ts";
import { whyUnchanged } from "../kernel/http/if-match.ts";
import type { Authority } from "../kernel/scopes.ts";

/** What an account has its own copies of: addressed by uuid or name, and partly seeded by the system. */
export type ItemTable = typeof tools | typeof playbooks | typeof faqs;
type Item<T extends ItemTable> = T["$inferSelect"];

const uuid = z.uuid();

/** The row with this uuid or this name. */
export function byIdOrName(table: ItemTable, idOrName: string): SQL {
  return uuid.safeParse(idOrName).success ? eq(table.id, idOrName.toLowerCase()) : eq(table.name, idOrName);
}

/**
 * Which shared items the caller sees: for a key that is limited to agents, those attached to one of them; undefined for
 * all.
 */
export function seenBy({ agentIds }: Pick<Authority, "agentIds">, store: AccountStore, table: ItemTable) {
  if (agentIds === null) return undefined;
  const [column, attached] = ATTACHED[getTableName(table)](table);
  const own = sql`SELECT value FROM json_each(${JSON.stringify(agentIds)})`;
  return sql`${column} IN (${attached} WHERE account = ${store.account} AND agent_id IN (${own}))`;
}

/** As `seenBy`, for documents. */
export function documentsSeenBy({ agentIds }: Pick<Authority, "agentIds">, { account }: AccountStore): SQL | undefined {
  if (agentIds === null) return undefined;
  const own = sql`SELECT value FROM json_each(${JSON.stringify(agentIds)})`;
  const attached = sql`SELECT document_id FROM agent_documents WHERE account = ${account} AND agent_id IN (${own})`;
  return sql`${documents.id} IN (${attached})`;
}

const ATTACHED: Record<ItemTable["_"]["name"], (table: ItemTable) => [column: SQLiteColumn, attached: SQL]> = {
  tools: ({ name }) => [name, sql`SELECT tool_name FROM agent_tools`],
  playbooks: ({ id }) => [id, sql`SELECT playbook_id FROM agent_playbooks`],
  faqs: ({ id }) => [id, sql`SELECT faq_id FROM agent_faqs`],
};

/** Their names in the audit log. */
const RESOURCES = { tools: "tool", playbooks: "playbook", faqs: "faq" } as const satisfies Record<
  ItemTable["_"]["name"],
  string
>;

type ItemResource = (typeof RESOURCES)[keyof typeof RESOURCES];

/** @throws 404 where the account has no such row, or none that is seen (`seenBy`) */
export async function findItem<T extends ItemTable>(
  store: AccountStore,
  table: T,
  idOrName: string,
  what: string,
  seen?: SQL,
): Promise<Item<T>> {
  const [row] = await store.read(store.first(table, { where: and(byIdOrName(table, idOrName), seen) }));
  if (!row) throw notFound(what);
  return row as Item<T>;
}

/** The row of this id, null if the account has none. */
export async function itemOf<T extends ItemTable>(store: AccountStore, table: T, id: string): Promise<Item<T> | null> {
  const [row] = await store.read(store.first(table, { where: eq(table.id, id) }));
  return (row as Item<T> | undefined) ?? null;
}

/** Deletes a row of the account's own; 403 for one the system seeded. */
export async function deleteItem<T extends ItemTable>(store: AccountStore, table: T, idOrName: string, what: string) {
  const item = await findItem(store, table, idOrName, what);
  const { id, name, is_default } = item;
  if (is_default) throw new ApiError(403, "default_item", `a default ${what} cannot be deleted`);
  const resource: ItemResource = RESOURCES[getTableName(table)];
  const entry = { action: "delete", resource, resource_id: id } as const;
  await store.write(entry, store.delete(table, eq(table.id, id)));
  return { id, name, deleted: true as const };
}

/** A write that fails where the account has the name already: then a 400. */
export async function refuseTakenName<T>(write: Promise<T>, what: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof UniqueViolation ? takenName(what) : error;
  }
}

/** The 400 for a name that is taken in the account. */
export function takenName(what: string): ApiError {
  const sentence = `a ${what} with this name already exists`;
  return invalidField("name", "duplicate_name", sentence, sentence);
}

/** `book_appointment` → `Book appointment`: the default name of an item. */
export function displayName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** A change of an item by what PUT sent. */
interface ItemChange<T extends ItemTable> {
  /** Its name in messages. */
  what: string;
  sent: { [K in keyof Item<T>]?: Item<T>[K] | undefined };
  now: number;
  /** The revision that the change is based on; null for any. */
  ifMatch: number | null;
  /** A further condition on the row as the write finds it. */
  where?: SQL | undefined;
}

/**
 * Changes an item that has other values, and marks a default, so that seeding leaves it alone. Returns null if it does not
 * have the revision or does not meet the condition.
 */
export async function tryUpdateItem<T extends ItemTable>(
  store: AccountStore,
  table: T,
  id: string,
  { sent, now, ifMatch, where }: ItemChange<T>,
): Promise<Item<T> | null> {
  const marks = {
    modified_from_default: sql`(${table.is_default} OR ${table.modified_from_default})`,
    updated_at: new Date(now).toISOString(),
  };
  type Set = Parameters<typeof store.reviseIfOther<T>>[1];
  const [[row]] = await store.write(
    {
      action: "update",
      resource: RESOURCES[getTableName(table)],
      resource_id: id,
      changes: changedColumns(table, sent),
    },
    store.reviseIfOther(table, sent as Set, marks as Set, all(eq(table.id, id), where), ifMatch),
  );
  return (row as Item<T> | undefined) ?? null;
}

/** Changes an item; see `tryUpdateItem`. @throws ApiError 404, 412 */
export async function updateItem<T extends ItemTable>(
  store: AccountStore,
  table: T,
  id: string,
  change: ItemChange<T>,
): Promise<Item<T>> {
  const row = await tryUpdateItem(store, table, id, change);
  if (row) return row;
  throw await whyUnchanged(store, table, eq(table.id, id), change.what);
}

/** Counts by category as an object, and what they add up to. */
export function countsOf(rows: { value: string; n: number }[]): { categories: Record<string, number>; sum: number } {
  return {
    categories: Object.fromEntries(rows.map(({ value, n }) => [value, n])),
    sum: rows.reduce((sum, { n }) => sum + n, 0),
  };
}
