import { and, isNull, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MINUTE_MS } from "../time.ts";

/** The minimum interval between two writes of a key's last use, ms. */
const LAST_USE_EVERY_MS = MINUTE_MS;

/** A table of keys of any kind. */
export type KeyTable = SQLiteTable & { last_used_at: SQLiteColumn; disabled_at: SQLiteColumn };

/** Checks whether a use at `now` (ms) should be written, because the last written use is more than a minute old. */
export function isUseDue(lastUsedAt: string | null, now: number): boolean {
  return lastUsedAt === null || Date.parse(lastUsedAt) < now - LAST_USE_EVERY_MS;
}

/**
 * Returns the columns that a use of a key at `now` (ms) sets, and the condition for the write. It goes to D1 directly
 * and invalidates no cached read, because configuration does not change. A deletion checks the last use in its own
 * write, so the use must be durable before the key is served.
 */
export function useAt(table: KeyTable, now: number): { set: { last_used_at: string }; isDue: SQL | undefined } {
  const before = new Date(now - LAST_USE_EVERY_MS).toISOString();
  const isDue = and(isNull(table.disabled_at), or(isNull(table.last_used_at), lt(table.last_used_at, before)));
  return { set: { last_used_at: new Date(now).toISOString() }, isDue };
}
