import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { apiKeys } from "../../kernel/db/schema/index.ts";
import { authorityOfKey } from "../gate/authority.ts";

/** The API key that requested a visitor's session: its row's id, and the view (`viewOf`) that it had then. */
export interface Maker {
  key_id: string;
  view: string;
}

type KeyRow = Pick<
  typeof apiKeys.$inferSelect,
  "disabled_at" | "expires_at" | "scopes" | "agent_ids" | "allowed_addresses"
>;

/** What a maker is judged by. */
export const MAKER_COLUMNS = ["id", "disabled_at", "expires_at", "scopes", "agent_ids", "allowed_addresses"] as const;

/** Reads the key of a maker; no row for a session that no key requested. */
export function makerRead(store: AccountStore, maker: Maker | null) {
  return store.first(apiKeys, { where: eq(apiKeys.id, maker?.key_id ?? ""), columns: [...MAKER_COLUMNS] });
}

/**
 * Returns whether a session that this maker requested may go on at `now`, ms: its key is still good, and may do what it
 * could do then. Otherwise a leaked key would leave sessions alive that outlive it by days.
 */
export function isMakerGood(maker: Maker | null, key: KeyRow | undefined, now: number): boolean {
  if (maker === null) return true;
  if (!key || key.disabled_at !== null) return false;
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return false;
  return authorityOfKey(key).view === maker.view;
}
