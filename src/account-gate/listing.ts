import { sql } from "drizzle-orm";
import type { AccountStore } from "../db/account-store.ts";
import { accountUsage, campaigns } from "../db/schema/index.ts";

/** What D1 has of an account: the campaigns it lists as open, and what is used of the quotas it counts. */
export interface Listing {
  open: string[];
  used: Record<string, number>;
}

export async function readListing(store: AccountStore): Promise<Listing> {
  // Word for word what the index is of, or it is not used.
  const isOpen = sql`status IN ('draft', 'running', 'paused')`;
  const [usage, open] = await store.read(
    store.select(accountUsage),
    store.select(campaigns, { where: isOpen, columns: ["id"] }),
  );
  return { open: open.map(({ id }) => id), used: Object.fromEntries(usage.map(({ name, used }) => [name, used])) };
}
