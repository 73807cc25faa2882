import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { apiKeys } from "../../kernel/db/schema/index.ts";
import { isWithin, missingOfChoice, type ScopeChoice, withImplied } from "../../kernel/scopes.ts";

/** The scopes that an API key with chosen scopes needs in order to sign visitors in. */
export const SIGN_IN_SCOPES: ScopeChoice = [["runtime"], ["manage"]];

/** The columns of an API key that determine whether it may sign visitors in. */
export const SIGNER_COLUMNS = ["id", "disabled_at", "expires_at", "scopes", "scopes_named", "agent_ids"] as const;
export type SignerRow = Pick<typeof apiKeys.$inferSelect, (typeof SIGNER_COLUMNS)[number]>;

/** Reads the API key that signed a visitor in. Finds none for a guest. */
export const signerRead = (store: AccountStore, made_by: string | null) =>
  store.first(apiKeys, { where: eq(apiKeys.id, made_by ?? ""), columns: [...SIGNER_COLUMNS] });

/**
 * Checks whether an API key may sign in visitors of the agent at `now` (ms). When it may not, the visitors that it
 * signed in lose access too. `key` is undefined if it was deleted.
 */
export function maySignIn(key: SignerRow | undefined, agentId: string | null, now: number): boolean {
  if (!key || key.disabled_at !== null) return false;
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return false;
  if (!isWithin(key.agent_ids, agentId)) return false;
  return !key.scopes_named || missingOfChoice(SIGN_IN_SCOPES, withImplied(key.scopes)) === null;
}
