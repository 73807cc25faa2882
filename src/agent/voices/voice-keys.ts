import { inArray } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { integrationInstalls } from "../../kernel/db/schema/index.ts";
import type { Vault } from "../../kernel/secrets/vault.ts";
import { voiceIntegrations } from "../catalog/integrations/voices.ts";
import { readinessOf } from "../integrations/readiness.ts";
import { openSecrets } from "../integrations/stored-secrets.ts";
import type { VoiceProvider } from "./vendors.ts";

/** The stored part of an account's installs of voice vendors. */
export type VoiceInstall = typeof integrationInstalls.$inferSelect;

/** Returns the statement that reads the account's installs of voice vendors. */
export function voiceInstalls(store: AccountStore): Read<VoiceInstall[]> {
  const ids = voiceIntegrations.map(({ id }) => id);
  return store.select(integrationInstalls, { where: inArray(integrationInstalls.id, ids) });
}

/** Returns a vendor's install if it is ready, otherwise the reason why it is not. */
export function voiceInstall(
  provider: VoiceProvider,
  installs: readonly VoiceInstall[],
): { install: VoiceInstall } | { reason: string } {
  const integration = voiceIntegrations.find(({ name }) => name === provider);
  const install = installs.find(({ id }) => id === integration?.id);
  const reason = integration ? readinessOf(integration, install).reason : `there is no integration ${provider}`;
  return install && reason === null ? { install } : { reason: reason ?? "" };
}

/** Decrypts the account's key. @throws VaultUnavailable if it cannot be decrypted */
export async function openVoiceKey(vault: Vault, install: VoiceInstall): Promise<string> {
  return (await openSecrets(vault, install)).api_key?.trim() ?? "";
}
