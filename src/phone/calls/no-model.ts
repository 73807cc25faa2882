import { chooseModel } from "../../agent/models/choose-model.ts";
import { type ModelInstall, openKeys } from "../../agent/models/model-keys.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { Provider } from "../carriers/carrier.ts";
import { type Addresses, isReal, speaksText } from "../carriers/no-runtime.ts";

/**
 * Why nobody would think for an agent on a call by this carrier, null where somebody would: people whom a carrier on the
 * internet connects with our own runtime never talk with the scripted agent. `now` in ms.
 * @throws VaultUnavailable where the account's own key does not open
 */
export async function noModel(
  env: Bindings & Addresses,
  provider: Provider,
  llmModel: string,
  installs: ModelInstall[],
  now: number,
): Promise<string | null> {
  if (!isReal(env, provider) || !speaksText(env, provider)) return null;
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), installs);
  if (chooseModel(env, llmModel, keys, now).kind !== "scripted") return null;
  return `no model answers for ${llmModel}: install its vendor's integration with an API key, or set LLM_BASE_URL`;
}
