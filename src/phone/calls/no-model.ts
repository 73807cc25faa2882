import { chooseModel, type ModelKeys } from "../../agent/models/choose-model.ts";
import { type ModelInstall, openKeys } from "../../agent/models/model-keys.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { Provider } from "../carriers/carrier.ts";
import { type Addresses, isReal, speaksText } from "../carriers/no-runtime.ts";

/**
 * Why no model would answer for an agent on a call by this carrier; null if one would: callers of a real carrier that
 * uses our own runtime never get the scripted agent. `now` in ms. @throws VaultUnavailable if the account's own key
 * does not open
 */
export async function noModel(
  env: Bindings & Addresses,
  provider: Provider,
  llmModel: string,
  installs: ModelInstall[],
  now: number,
): Promise<string | null> {
  if (!needsModel(env, provider)) return null;
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), installs);
  return noModelBy(env, provider, llmModel, keys, now);
}

/** The same by keys that are open, or known to exist. */
export function noModelBy(
  env: Bindings & Addresses,
  provider: Provider,
  llmModel: string,
  keys: ModelKeys,
  now: number,
): string | null {
  if (!needsModel(env, provider) || chooseModel(env, llmModel, keys, now).kind !== "scripted") return null;
  return `no model answers for ${llmModel}: install its vendor's integration with an API key, or set LLM_BASE_URL`;
}

/** Whether this carrier's calls take a model that this service asks. */
function needsModel(env: Addresses, provider: Provider): boolean {
  return isReal(env, provider) && speaksText(env, provider);
}
