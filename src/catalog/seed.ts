import { and, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { AccountStore, type Write } from "../db/account-store.ts";
import { Directory } from "../db/directory.ts";
import { faqs, playbooks, tools } from "../db/schema/index.ts";
import { CATALOG } from "./index.ts";
import type { ItemTable } from "./items.ts";

/** What of the catalogue an account gets copies of. */
type Items = Pick<typeof CATALOG, "tools" | "playbooks" | "faqs">;

/** Accounts brought up to date before the next are asked for. */
const BATCH = 20;

/**
 * Brings the shipped tools, playbooks and FAQs to an account: new ones appear, defaults it left alone follow what is
 * shipped now, and what it changed or made itself stays. Doing it twice changes nothing.
 */
export function seedStatements(store: AccountStore, now: number, items: Items = CATALOG): Write<unknown>[] {
  const at = new Date(now).toISOString();
  const seeded = () => ({
    ...{ id: uuidv7({ msecs: now }), is_default: true, modified_from_default: false },
    ...{ created_at: at, updated_at: at },
  });
  const untouched = (table: ItemTable) => and(eq(table.is_default, true), eq(table.modified_from_default, false));
  const on = <T extends ItemTable>(table: T, columns: (keyof T["_"]["columns"] & string)[]) => {
    const when = untouched(table);
    return { target: [table.account, table.name], columns, ...(when && { when }) };
  };
  return [
    store.upsertMany(
      tools,
      items.tools.map((tool) => ({ ...tool, ...seeded() })),
      on(tools, [
        ...(["display_name", "description", "category", "implementation_type"] as const),
        ...(["implementation_code", "implementation_config", "schema", "tags"] as const),
      ]),
    ),
    store.upsertMany(
      playbooks,
      items.playbooks.map((playbook) => ({ ...playbook, ...seeded() })),
      on(playbooks, ["display_name", "description", "category", "tags", "tool_names", "triggers", "content"]),
    ),
    store.upsertMany(
      faqs,
      items.faqs.map((faq) => ({ ...faq, ...seeded() })),
      on(faqs, ["title", "summary", "content", "category", "tags"]),
    ),
  ];
}

/** Seeds one account, and notes which catalogue it has. */
export async function seedAccount(d1: D1Database, account: string, now: number): Promise<void> {
  const store = new AccountStore(d1, account, { actor: "system:catalog", request_id: "" }, true);
  await store.record(...seedStatements(store, now));
  await new Directory(d1).hasCatalog(account, CATALOG.version);
}

/**
 * Brings accounts with an older catalogue up to date, a batch at a time, until none is left or `until` (ms) is past;
 * each is noted when it is done, so that an interruption costs nothing. Gives how many were done.
 */
export async function seedOutdated(d1: D1Database, until: number): Promise<number> {
  const directory = new Directory(d1);
  let done = 0;
  for (;;) {
    const outdated = await directory.outdated(CATALOG.version, BATCH);
    for (const account of outdated) {
      if (Date.now() >= until) return done;
      await seedAccount(d1, account, Date.now());
      done++;
    }
    if (outdated.length < BATCH) return done;
  }
}
