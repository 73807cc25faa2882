import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { campaigns } from "../../kernel/db/schema/index.ts";
import { COUNTED_QUOTAS, countStatements } from "../plan/quota-counts.ts";

/** What D1 has of an account: the campaigns it lists as open, and how many rows it has of what quotas count. */
export interface Listing {
  open: string[];
  used: Record<string, number>;
}

export async function readListing(store: AccountStore): Promise<Listing> {
  // Word for word what the index is of, or it is not used.
  const isOpen = sql`status IN ('draft', 'running', 'paused')`;
  const [open, ...counts] = await store.read(
    store.select(campaigns, { where: isOpen, columns: ["id"] }),
    ...countStatements(store),
  );
  const used = Object.fromEntries(COUNTED_QUOTAS.map((name, n) => [name, counts[n] ?? 0]));
  return { open: open.map(({ id }) => id), used };
}
