import { eq, inArray } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { AccountStatements } from "../../kernel/db/account-statements.ts";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { Maintenance } from "../../kernel/db/maintenance.ts";
import { faqs, playbooks, tools } from "../../kernel/db/schema/index.ts";
import { ShippedRows } from "../../kernel/db/shipped-rows.ts";
import { accountStore, type StoreBindings } from "../../kernel/durable/account-stores.ts";
import { logError } from "../../kernel/log.ts";
import { CATALOG } from "../catalog/index.ts";
import type { ItemTable } from "../items.ts";

/** The part of the catalogue that is copied into accounts. */
type Items = Pick<typeof CATALOG, "tools" | "playbooks" | "faqs">;

/** The seeder's name as an actor, in the audit log and in rows. */
const SEEDER = "system:catalog";
/** The maximum number of accounts seeded in a run: each needs four queries, and an invocation may make a thousand. */
const MOST_A_RUN = 200;

/** Returns the columns that every shipped row has. */
const seededAt = (at: string) => ({
  is_default: true,
  modified_from_default: false,
  created_at: at,
  updated_at: at,
  revision: 1,
  updated_by: SEEDER,
  revised_at: at,
});
const SEEDED = [
  ...(["is_default", "modified_from_default", "created_at", "updated_at"] as const),
  ...(["revision", "updated_by", "revised_at"] as const),
];
const SHIPPED = {
  tools: new ShippedRows(tools, CATALOG.tools, SEEDED),
  playbooks: new ShippedRows(playbooks, CATALOG.playbooks, SEEDED),
  faqs: new ShippedRows(faqs, CATALOG.faqs, SEEDED),
};

/** Returns the writes that create the shipped tools, playbooks and FAQs in a new account. */
export function firstCatalogue(statements: AccountStatements, now: number): Write<unknown>[] {
  const seeded = seededAt(new Date(now).toISOString());
  return [
    statements.insertShipped(SHIPPED.tools, now, seeded),
    statements.insertShipped(SHIPPED.playbooks, now, seeded),
    statements.insertShipped(SHIPPED.faqs, now, seeded),
  ];
}

/**
 * Returns writes that update an account's shipped tools, playbooks and FAQs: new ones are added, unchanged defaults are
 * replaced, and what the account changed or created stays. Idempotent.
 */
export function seedStatements(store: AccountStore, now: number, items: Items = CATALOG): Write<unknown>[] {
  const common = seededAt(new Date(now).toISOString());
  const withId = <I extends object>(item: I) => ({ ...item, id: uuidv7({ msecs: now }) });
  const on = <T extends ItemTable>(table: T, columns: (keyof T["_"]["columns"] & string)[]) => {
    return { target: [table.account, table.name], columns, when: untouched(table), revised: table, common };
  };
  return [
    store.upsertMany(
      tools,
      items.tools.map(withId),
      on(tools, [
        ...(["display_name", "description", "category", "implementation_type"] as const),
        ...(["implementation_code", "implementation_config", "schema", "effect", "tags"] as const),
      ]),
    ),
    store.upsertMany(
      playbooks,
      items.playbooks.map(withId),
      on(playbooks, ["display_name", "description", "category", "tags", "tool_names", "triggers", "content"]),
    ),
    store.upsertMany(faqs, items.faqs.map(withId), on(faqs, ["title", "summary", "content", "category", "tags"])),
  ];
}

/** Returns the condition that an item is a default that the account has not changed. */
const untouched = (table: ItemTable) => all(eq(table.is_default, true), eq(table.modified_from_default, false));

/** Deletes tools that are no longer shipped, from agents too, unless the account changed them. */
const retire = (store: AccountStore) =>
  store.delete(tools, all(untouched(tools), inArray(tools.name, CATALOG.retired_tools)));

/** Seeds one account and records its catalogue's version. */
export async function seedAccount(env: StoreBindings, account: string, now: number): Promise<void> {
  const store = accountStore(env, account, { actor: SEEDER, request_id: "" });
  await store.record(...seedStatements(store, now), retire(store));
  await new Maintenance(env.DB).hasCatalog(account, CATALOG.version);
}

/**
 * Updates accounts with an older catalogue until none are left, `until` (ms) has passed, or this run has reached its
 * limit. Each account is recorded when it is done, so that an interrupted run loses nothing. A failing account is
 * reported and left to a later run. Returns the number of updated accounts.
 */
export async function seedOutdated(env: StoreBindings, until: number): Promise<number> {
  let done = 0;
  for (const account of await new Maintenance(env.DB).outdated(CATALOG.version, MOST_A_RUN)) {
    if (Date.now() >= until) return done;
    if (await seedOrReport(env, account)) done++;
  }
  return done;
}

async function seedOrReport(env: StoreBindings, account: string): Promise<boolean> {
  try {
    await seedAccount(env, account, Date.now());
    return true;
  } catch (error) {
    logError("catalog", error, { account });
    return false;
  }
}
