import { and, eq, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { type AccountStore, UniqueViolation } from "../kernel/db/account-store.ts";
import { changedColumns } from "../kernel/db/audit-changes.ts";
import { all } from "../kernel/db/conditions.ts";
import { isRevision } from "../kernel/db/revision.ts";
import { documents, type faqs, type playbooks, type tools } from "../kernel/db/schema/index.ts";
import { ApiError, invalidField, notFound } from "../kernel/http/errors.ts";
import { whyUnchanged } from "../kernel/http/if-match.ts";
import type { Authority } from "../kernel/scopes.ts";

/** The tables of an account's own copies. Rows are addressed by uuid or name, and some are seeded by the service. */
export type ItemTable = typeof tools | typeof playbooks | typeof faqs;
type Item<T extends ItemTable> = T["$inferSelect"];

const uuid = z.uuid();

/** Returns the condition that a row has this uuid or name. */
export function byIdOrName(table: ItemTable, idOrName: string): SQL {
  return uuid.safeParse(idOrName).success ? eq(table.id, idOrName.toLowerCase()) : eq(table.name, idOrName);
}

/**
 * Returns the condition for items that the caller may see: for a key that is limited to agents, those attached to one
 * of them. Returns undefined if the caller may see all.
 */
export function seenBy({ agentIds }: Pick<Authority, "agentIds">, store: AccountStore, table: ItemTable) {
  if (agentIds === null) return undefined;
  const [column, attached] = ATTACHED[getTableName(table)](table);
  const own = sql`SELECT value FROM json_each(${JSON.stringify(agentIds)})`;
  return sql`${column} IN (${attached} WHERE account = ${store.account} AND agent_id IN (${own}))`;
}

/** Returns the same condition as `seenBy`, for documents. */
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

/** The names of each table's items in the audit log. */
const RESOURCES = { tools: "tool", playbooks: "playbook", faqs: "faq" } as const satisfies Record<
  ItemTable["_"]["name"],
  string
>;

type ItemResource = (typeof RESOURCES)[keyof typeof RESOURCES];

/** Returns an item. @throws ApiError 404 if it doesn't exist or the caller may not see it (`seenBy`) */
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

export async function itemOf<T extends ItemTable>(store: AccountStore, table: T, id: string): Promise<Item<T> | null> {
  const [row] = await store.read(store.first(table, { where: eq(table.id, id) }));
  return (row as Item<T> | undefined) ?? null;
}

/** Deletes an item of the account's own. @throws ApiError 403 if the service seeded it, 404 */
export async function deleteItem<T extends ItemTable>(store: AccountStore, table: T, idOrName: string, what: string) {
  const item = await findItem(store, table, idOrName, what);
  const { id, name, is_default } = item;
  if (is_default) throw new ApiError(403, "default_item", `a default ${what} cannot be deleted`);
  const resource: ItemResource = RESOURCES[getTableName(table)];
  const entry = { action: "delete", resource, resource_id: id } as const;
  await store.write(entry, store.delete(table, eq(table.id, id)));
  return { id, name, deleted: true as const };
}

/** Waits for a write. @throws ApiError 400 if the name is taken in the account */
export async function refuseTakenName<T>(write: Promise<T>, what: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof UniqueViolation ? takenName(what) : error;
  }
}

export function takenName(what: string): ApiError {
  const sentence = `a ${what} with this name already exists`;
  return invalidField("name", "duplicate_name", sentence, sentence);
}

/** Returns the default display name of an item: `Book appointment` for `book_appointment`. */
export function displayName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

interface ItemChange<T extends ItemTable> {
  /** The name of the kind in messages. */
  what: string;
  sent: { [K in keyof Item<T>]?: Item<T>[K] | undefined };
  now: number;
  /** The revision on which the change is based; null for any. */
  ifMatch: number | null;
  /** A further condition on the row when it is written. */
  where?: SQL | undefined;
  /** Creates the error if only this condition does not hold. */
  unless?: () => ApiError;
}

/**
 * Changes an item if its values differ, and marks a default as modified, so that seeding skips it. Returns null if the
 * item has another revision or does not meet the condition.
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

/** Changes an item; see `tryUpdateItem`. @throws ApiError 404, 412, or `unless` */
export async function updateItem<T extends ItemTable>(
  store: AccountStore,
  table: T,
  id: string,
  change: ItemChange<T>,
): Promise<Item<T>> {
  const row = await tryUpdateItem(store, table, id, change);
  if (row) return row;
  const { what, ifMatch, unless } = change;
  const isIt = all(eq(table.id, id), isRevision(table, ifMatch));
  if (unless && (await store.read(store.count(table, isIt)))[0] > 0) throw unless();
  throw await whyUnchanged(store, table, eq(table.id, id), what);
}

/** Returns counts by category as an object, with their sum. */
export function countsOf(rows: { value: string; n: number }[]): { categories: Record<string, number>; sum: number } {
  return {
    categories: Object.fromEntries(rows.map(({ value, n }) => [value, n])),
    sum: rows.reduce((sum, { n }) => sum + n, 0),
  };
}
