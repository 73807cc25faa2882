import type { Bindings } from "../../http/context.ts";
import { Vault } from "../../secrets/vault.ts";
import type { Session } from "../session/snapshot.ts";
import { buildModel } from "./build-model.ts";
import { chooseModel } from "./choose-model.ts";
import type { Model } from "./model.ts";
import { openKeys } from "./model-keys.ts";
import { scriptedModel } from "./scripted.ts";
import { PATIENCE, TIMERS, withTimeouts } from "./timeouts.ts";

/** The model that answers in a session. @throws VaultUnavailable where the account's own key does not open */
export async function modelOf(env: Bindings, { snapshot, installs }: Session, ask: typeof fetch): Promise<Model> {
  const keys = await openKeys(new Vault(env.ENCRYPTION_KEYS), Object.values(installs));
  const choice = chooseModel(env, snapshot.agent.llm_model, keys, Date.now());
  return choice.kind === "scripted" ? scriptedModel(snapshot) : withTimeouts(buildModel(choice, ask), PATIENCE, TIMERS);
}
