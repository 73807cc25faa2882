import type { widgetKeys } from "../../kernel/db/schema/index.ts";
import { widgetKeyContext } from "../../kernel/db/seal-contexts.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { Vault, VaultUnavailable } from "../../kernel/secrets/vault.ts";

type KeyRow = Pick<typeof widgetKeys.$inferSelect, "account" | "id" | "sealed_key">;

/** The key sealed, to be shown again; null if nothing can be sealed, since a key works without. */
export async function sealKey(env: Bindings, account: string, id: string, key: string): Promise<string | null> {
  try {
    return await new Vault(env.ENCRYPTION_KEYS).seal(key, widgetKeyContext(account, id));
  } catch (error) {
    if (error instanceof VaultUnavailable) return null;
    throw error;
  }
}

/** The key itself. @throws ApiError 409 where it was not stored; VaultUnavailable where it does not open */
export async function openKey(env: Bindings, { account, id, sealed_key }: KeyRow): Promise<string> {
  if (sealed_key === null)
    throw conflict("key_not_stored", "this widget key was created without a copy that can be shown; create a new one");
  return String(await new Vault(env.ENCRYPTION_KEYS).open(sealed_key, widgetKeyContext(account, id)));
}
