import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { Vault, VaultUnavailable } from "../../kernel/secrets/vault.ts";
import { chooseModel, type ModelKeys } from "./choose-model.ts";
import { type AnswersWith, listModels } from "./contract.ts";
import { LISTED_MODELS } from "./list.ts";
import { keyHolders, type ModelInstall, modelKeys, openKeys } from "./model-keys.ts";

export const models = new OpenAPIHono<AppEnv>();

serve(models, listModels, async ({ c, env, store }) => {
  const [installs] = await store.read(modelKeys(store));
  const keys = await keysOf(env, installs);
  const answers_with = (llmModel: string): AnswersWith =>
    env.VOICE_RUNTIME_URL === "" ? chooseModel(env, llmModel, keys, c.get("now")).kind : "own_runtime";
  return {
    models: LISTED_MODELS.map(({ name: llm_model }) => ({ llm_model, answers_with: answers_with(llm_model) })),
  };
});

/**
 * The account's keys; one that does not open still counts, so that its conversations fail rather than fall back to the
 * scripted agent.
 */
async function keysOf(env: Bindings, installs: ModelInstall[]): Promise<ModelKeys> {
  try {
    return await openKeys(new Vault(env.ENCRYPTION_KEYS), installs);
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return keyHolders(installs);
  }
}
