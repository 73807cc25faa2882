import { chooseModel } from "../../../agent/models/choose-model.ts";
import { openKeys } from "../../../agent/models/model-keys.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { Vault } from "../../../kernel/secrets/vault.ts";
import type { Provider } from "../../../phone/carriers/carrier.ts";
import { isReal } from "../../../phone/carriers/no-runtime.ts";
import type { Session } from "../session/snapshot.ts";
import { buildModel } from "./build-model.ts";
import { type Model, ModelFailed } from "./model.ts";
import { scriptedModel } from "./scripted.ts";
import { MODEL_TIMEOUTS, TIMERS, withTimeouts } from "./timeouts.ts";

/**
 * The model that answers in a session.
 * @throws VaultUnavailable where the account's own key does not open; ModelFailed where people would meet the scripted one
 */
export async function modelOf(env: Bindings, { snapshot, installs }: Session, ask: typeof fetch): Promise<Model> {
  const { agent, call } = snapshot;
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), Object.values(installs));
  const choice = chooseModel(env, agent.llm_model, keys, Date.now());
  if (choice.kind !== "scripted")
    return withTimeouts(
      buildModel(choice, ask, () => TIMERS.now),
      MODEL_TIMEOUTS,
      TIMERS,
    );
  // There was a model when the call was placed: its key may be gone, or the agent changed, since.
  if (call && isReal(env, call.provider as Provider))
    throw new ModelFailed(`no model answers for ${agent.llm_model}`, null, true, true);
  return scriptedModel(snapshot);
}
