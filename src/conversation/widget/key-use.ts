import { eq } from "drizzle-orm";
import type { WidgetKeyRow } from "../../account/visitors/widget-lookup.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { isUseDue } from "../../kernel/db/last-use.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";

/**
 * Records the use of an enabled key before it admits anybody. Returns false if it was disabled or deleted since it was
 * read.
 */
export async function noteUse(store: AccountStore, key: WidgetKeyRow, now: number): Promise<boolean> {
  if (!isUseDue(key.last_used_at, now)) return true;
  const [used] = await store.record(store.useKey(widgetKeys, eq(widgetKeys.id, key.id), now));
  return used?.disabled_at === null;
}
