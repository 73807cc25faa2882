import { inArray } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { integrationInstalls } from "../../kernel/db/schema/index.ts";
import { secretsContext } from "../../kernel/db/seal-contexts.ts";
import type { Vault } from "../../kernel/secrets/vault.ts";
import { aiIntegrations } from "../catalog/integrations/ai.ts";
import type { CustomServer, ModelKeys } from "./choose-model.ts";
import { customNames } from "./model-name.ts";

/** The stored part of an account's installs of model vendors. */
export type ModelInstall = typeof integrationInstalls.$inferSelect;

const secrets = z.object({ api_key: z.string().optional() });

export const MODEL_INTEGRATIONS = aiIntegrations.map(({ id }) => id);

/** Returns the statement that reads the account's installs of model vendors. */
export function modelKeys(store: AccountStore): Read<ModelInstall[]> {
  return store.select(integrationInstalls, { where: inArray(integrationInstalls.id, MODEL_INTEGRATIONS) });
}

/** Decrypts the account's own keys from these rows. @throws VaultUnavailable if a stored key cannot be decrypted */
export async function openKeys(vault: Vault, rows: ModelInstall[]): Promise<ModelKeys> {
  const [openai, anthropic, custom] = await Promise.all([
    keyOf("openai", vault, rows),
    keyOf("anthropic", vault, rows),
    keyOf("custom_llm", vault, rows),
  ]);
  return { openai, anthropic, custom_llm: serverOf(rows, custom) };
}

/** Returns the account's own model server, with this key; null if the integration is incomplete. */
function serverOf(rows: readonly Pick<ModelInstall, "id" | "installed_at" | "params">[], api_key: string | null) {
  const { base_url, models } = installOf("custom_llm", rows)?.params ?? {};
  if (api_key === null || typeof base_url !== "string") return null;
  return { base_url, models: customNames(models), api_key } satisfies CustomServer;
}

/** Returns the install of a model vendor; undefined if it is not installed. */
function installOf<I extends Pick<ModelInstall, "id" | "installed_at">>(
  name: keyof ModelKeys,
  rows: readonly I[],
): I | undefined {
  const id = aiIntegrations.find((integration) => integration.name === name)?.id;
  return rows.find((install) => install.id === id && install.installed_at !== null);
}

async function keyOf(name: keyof ModelKeys, vault: Vault, rows: ModelInstall[]): Promise<string | null> {
  const row = installOf(name, rows);
  if (!row?.secrets) return null;
  const opened = secrets.parse(await vault.open(row.secrets, secretsContext(row.account, row.id)));
  return opened.api_key?.trim() || null;
}

/** Placeholder for an existing key whose value is not needed. */
const SEALED = "sealed";

/** Returns which keys of its own the account has, without decrypting them. */
export function keyHolders(
  rows: readonly Pick<ModelInstall, "id" | "installed_at" | "params" | "secret_names">[],
): ModelKeys {
  const keyAt = (name: keyof ModelKeys) =>
    installOf(name, rows)?.secret_names.includes("api_key") === true ? SEALED : null;
  return {
    openai: keyAt("openai"),
    anthropic: keyAt("anthropic"),
    custom_llm: serverOf(rows, keyAt("custom_llm")),
  };
}
