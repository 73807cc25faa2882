import type { ModelKeys } from "../../agent/models/choose-model.ts";
import { type ModelInstall, openKeys } from "../../agent/models/model-keys.ts";
import { modelPair, type NamedPair } from "../../agent/models/model-pair.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { Provider } from "../carriers/carrier.ts";
import { type Addresses, isReal, speaksText } from "../carriers/no-runtime.ts";

/**
 * Returns why neither of an agent's models would answer on a call by this carrier; null if one would. On a real carrier
 * with the built-in runtime, the scripted agent never answers. `now` is in ms.
 * @throws VaultUnavailable if the account's own key can't be opened
 */
export async function noModel(
  env: Bindings & Addresses,
  provider: Provider,
  agent: NamedPair,
  installs: ModelInstall[],
  now: number,
): Promise<string | null> {
  if (!needsModel(env, provider)) return null;
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), installs);
  return noModelBy(env, provider, agent, keys, now);
}

/** Does the same as `noModel`, with keys that are already opened or known to exist. */
export function noModelBy(
  env: Bindings & Addresses,
  provider: Provider,
  agent: NamedPair,
  keys: ModelKeys,
  now: number,
): string | null {
  if (!needsModel(env, provider)) return null;
  const { first, fallback } = modelPair(env, agent, keys, now);
  if (first !== null || fallback !== null) return null;
  return `no model answers for ${agent.llm_model}: install its vendor's integration with an API key, or set LLM_BASE_URL`;
}

/** Checks whether this carrier's calls need a model of this service. A custom runtime uses its own. */
function needsModel(env: Addresses, provider: Provider): boolean {
  return isReal(env, provider) && speaksText(env, provider);
}
