import type { ModelKeys, ModelSettings } from "./choose-model.ts";
import type { ModelInstall } from "./model-keys.ts";
import { keyHolders } from "./model-keys.ts";
import { modelPair, type NamedPair } from "./model-pair.ts";

/** Returns the names of an agent's models in the price list. `fallback` is null if it has none. `now` in ms. */
export function pricedModels(
  env: ModelSettings & Pick<Env, "VOICE_RUNTIME_URL">,
  agent: NamedPair,
  installs: readonly ModelInstall[],
  now: number,
): { model: string; fallback: string | null } {
  // The account's own runtime gets the agent's model and reports its usage.
  if (env.VOICE_RUNTIME_URL !== "") return { model: agent.llm_model, fallback: null };
  return answeringPair(env, agent, keyHolders(installs), now);
}

/** Returns the names, in prices and records, of the models with which the built-in runtime answers for an agent. */
export function answeringPair(
  env: ModelSettings,
  agent: NamedPair,
  keys: ModelKeys,
  now: number,
): { model: string; fallback: string | null } {
  const { first, fallback } = modelPair(env, agent, keys, now);
  return { model: first?.name ?? "scripted", fallback: fallback?.name ?? null };
}
