import { eq, isNull, lt, or } from "drizzle-orm";
import type { AccountStore } from "../db/account-store.ts";
import { all } from "../db/conditions.ts";
import { widgetKeys } from "../db/schema/index.ts";
import type { WidgetKeyRow } from "./widget-lookup.ts";

/** A key's last use is written at most this often, ms. */
const LAST_USE_EVERY_MS = 60_000;

/** Notes that the key is in use, durably as its deletion asks for it, and at most once a minute. */
export async function noteUse(store: AccountStore, key: WidgetKeyRow, now: number): Promise<void> {
  const before = new Date(now - LAST_USE_EVERY_MS).toISOString();
  if (key.last_used_at !== null && key.last_used_at > before) return;
  const stale = or(isNull(widgetKeys.last_used_at), lt(widgetKeys.last_used_at, before));
  const isKey = all(eq(widgetKeys.id, key.id), stale);
  await store.record(store.update(widgetKeys, { last_used_at: new Date(now).toISOString() }, isKey));
}
