import { inArray, sql } from "drizzle-orm";
import type { AccountStore } from "./account-store.ts";
import { spentTokens } from "./schema/index.ts";

/** The number of expired rows that each use deletes: more than it adds, but never a long list. */
const SWEEP_ROWS = 100;

/**
 * Records the single use of a token or code until `expiresAt` (ISO 8601). Only the first of two concurrent uses gets a
 * row. Also deletes some rows that have expired at `now` (ms).
 */
export function spendOnce(store: AccountStore, id: string, expiresAt: string, now: number) {
  const past = sql`(SELECT id FROM spent_tokens WHERE account = ${store.account} AND expires_at < ${new Date(now).toISOString()} LIMIT ${SWEEP_ROWS})`;
  return [
    store.insertNew(spentTokens, { id, expires_at: expiresAt }),
    store.delete(spentTokens, inArray(spentTokens.id, past)),
  ] as const;
}
