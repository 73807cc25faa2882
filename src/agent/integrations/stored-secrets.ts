import { z } from "zod";
import type { integrationInstalls } from "../../kernel/db/schema/index.ts";
import { secretsContext } from "../../kernel/db/seal-contexts.ts";
import type { Vault } from "../../kernel/secrets/vault.ts";

type Install = Pick<typeof integrationInstalls.$inferSelect, "account" | "id" | "secrets">;

const texts = z.record(z.string(), z.string());

/**
 * Opens the secrets of an install, by name; empty if none are stored. @throws VaultUnavailable if they cannot be opened
 */
export async function openSecrets(vault: Vault, { account, id, secrets }: Install): Promise<Record<string, string>> {
  if (secrets === null) return {};
  return texts.parse(await vault.open(secrets, secretsContext(account, id)));
}
