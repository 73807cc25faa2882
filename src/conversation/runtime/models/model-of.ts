import { openKeys } from "../../../agent/models/model-keys.ts";
import { modelPair } from "../../../agent/models/model-pair.ts";
import type { ProviderChoice } from "../../../agent/models/provider.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { Vault } from "../../../kernel/secrets/vault.ts";
import type { Provider } from "../../../phone/carriers/carrier.ts";
import { isReal } from "../../../phone/carriers/no-runtime.ts";
import type { Session } from "../session/snapshot.ts";
import { withBoundedUsage } from "./bounded-usage.ts";
import { buildModel } from "./build-model.ts";
import { type Model, ModelFailed } from "./model.ts";
import { scriptedModel } from "./scripted.ts";
import { TIMERS, timed } from "./timeouts.ts";

/**
 * Returns the model that answers in a session, with the agent's second model as its fallback if that is connected. If
 * only the second model is connected, it answers.
 * @throws VaultUnavailable if the account's own key cannot be opened; ModelFailed if a real call would reach the
 * scripted agent
 */
export async function modelOf(env: Bindings, { snapshot, installs }: Session, ask: typeof fetch): Promise<Model> {
  const { agent, call } = snapshot;
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), Object.values(installs));
  const { first, fallback } = modelPair(env, agent, keys, Date.now());
  const second = fallback && connected(fallback, ask);
  if (first) return timed(connected(first, ask), second, TIMERS);
  // A real call had a model when it was placed; since then its key was removed, or the agent was changed.
  const gone = () => new ModelFailed(`no model answers for ${agent.llm_model}`, null, true, true);
  if (second === null && call && isReal(env, call.provider as Provider)) throw gone();
  if (second === null) return scriptedModel(snapshot);
  return timed({ name: agent.llm_model, answer: () => failing(gone()) }, second, TIMERS);
}

/** Returns an answer that fails before its first part. */
function failing(failure: ModelFailed): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) };
}

/** Builds a model whose reported usage is bounded if the server is the account's own. */
export function connected(choice: ProviderChoice, ask: typeof fetch): Model {
  const model = buildModel(choice, ask, () => TIMERS.now);
  return choice.kind === "custom_llm" ? withBoundedUsage(model) : model;
}
