import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { campaigns } from "../../kernel/db/schema/index.ts";
import { COUNTED_QUOTAS, countStatements } from "../plan/quota-counts.ts";

/** An account's open campaigns in D1, and the numbers of rows that quotas count. */
export interface Listing {
  open: string[];
  used: Record<string, number>;
}

export async function readListing(store: AccountStore): Promise<Listing> {
  // This must equal the index's condition. Otherwise D1 does not use the index.
  const isOpen = sql`status IN ('draft', 'running', 'paused')`;
  const [open, ...counts] = await store.read(
    store.select(campaigns, { where: isOpen, columns: ["id"] }),
    ...countStatements(store),
  );
  const used = Object.fromEntries(COUNTED_QUOTAS.map((name, n) => [name, counts[n] ?? 0]));
  return { open: open.map(({ id }) => id), used };
}
