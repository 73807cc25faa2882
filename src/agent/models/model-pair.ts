import { chooseModel, type ModelKeys, type ModelSettings } from "./choose-model.ts";
import type { ProviderChoice } from "./provider.ts";

/** The model and fallback that an agent names for its answers. */
export interface NamedPair {
  llm_model: string;
  fallback_model: string | null;
}

/**
 * The models that answer for an agent: its model and its fallback. Either is null if it is not connected. `now` in ms.
 */
export interface ModelPair {
  first: ProviderChoice | null;
  fallback: ProviderChoice | null;
}

/**
 * Decides which models answer for an agent. The same model at the same server does not count as a second one, because
 * it would fail like the first.
 */
export function modelPair(
  env: ModelSettings,
  { llm_model, fallback_model }: NamedPair,
  keys: ModelKeys,
  now: number,
): ModelPair {
  const first = connectedModel(env, llm_model, keys, now);
  const second = fallback_model ? connectedModel(env, fallback_model, keys, now) : null;
  const isSame = first?.base_url === second?.base_url && first?.model === second?.model;
  return { first, fallback: isSame ? null : second };
}

function connectedModel(env: ModelSettings, name: string, keys: ModelKeys, now: number): ProviderChoice | null {
  const choice = chooseModel(env, name, keys, now);
  return choice.kind === "scripted" ? null : choice;
}
