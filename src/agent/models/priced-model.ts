import { chooseModel, type ModelKeys, type ModelSettings } from "./choose-model.ts";
import type { ModelInstall } from "./model-keys.ts";
import { keyHolders } from "./model-keys.ts";
import { modelPair, type NamedPair } from "./model-pair.ts";

/** Under what name the price list has what answers for agents with this `llm_model`. `now` in ms. */
export function pricedModel(
  env: ModelSettings & Pick<Env, "VOICE_RUNTIME_URL">,
  llmModel: string,
  installs: readonly ModelInstall[],
  now: number,
): string {
  // The account's own runtime gets the agent's model, and reports its usage.
  if (env.VOICE_RUNTIME_URL !== "") return llmModel;
  return answering(env, llmModel, keyHolders(installs), now);
}

/** Returns the name, in prices and records, of what the service itself answers with for agents with this `llm_model`. */
export function answering(env: ModelSettings, llmModel: string, keys: ModelKeys, now: number): string {
  const choice = chooseModel(env, llmModel, keys, now);
  return choice.kind === "scripted" ? choice.kind : choice.name;
}

/** The same of both of an agent's models; `fallback` is null if it has no second one. */
export function answeringPair(
  env: ModelSettings,
  agent: NamedPair,
  keys: ModelKeys,
  now: number,
): { model: string; fallback: string | null } {
  const { first, fallback } = modelPair(env, agent, keys, now);
  return { model: first?.name ?? "scripted", fallback: fallback?.name ?? null };
}
