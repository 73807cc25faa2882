import { egressRules, refusalOf } from "../../kernel/egress/address.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { readBaseUrl } from "../integrations/hosts.ts";
import { DEFAULT_PLATFORM_MODELS, inService, listedModel } from "./list.ts";
import { customModel } from "./model-name.ts";
import type { ProviderChoice } from "./provider.ts";

/** The environment variables that decide which models are available. */
export type ModelSettings = Pick<
  Bindings,
  | "LLM_BASE_URL"
  | "LLM_MODEL"
  | "LLM_API_KEY"
  | "OPENAI_API_URL"
  | "OPENAI_API_KEY"
  | "ANTHROPIC_API_URL"
  | "ANTHROPIC_API_KEY"
  | "PLATFORM_MODELS"
  | "TOOL_HOSTS"
  | "PUBLIC_URL"
  | "ALLOWED_HOSTS"
>;

/** The account's own model server, from its integration `custom_llm`. */
export interface CustomServer {
  base_url: string;
  /** The models that the server serves. */
  models: string[];
  api_key: string;
}

/** The account's own keys; null if it has none. */
export interface ModelKeys {
  openai: string | null;
  anthropic: string | null;
  custom_llm: CustomServer | null;
}

/** Which model serves an agent. */
export type ModelChoice = { kind: "scripted" } | ProviderChoice;

/** Returns the model that serves an agent with this `llm_model`; the scripted agent if none does. `now` in ms. */
export function chooseModel(env: ModelSettings, llmModel: string, keys: ModelKeys, now: number): ModelChoice {
  const found = findModel(env, llmModel, keys, now);
  return "reason" in found ? { kind: "scripted" } : found;
}

/**
 * Decides which provider, address, key and model answer for an agent's model. `custom_llm:<model>` is answered by the
 * account's own server. A listed model is answered by the operator's server if there is one, otherwise by its vendor,
 * with the account's own key if it has one and the platform's if not. After a model's end, its successor answers. If
 * nothing answers, returns the end of a sentence that says what is missing. `now` in ms.
 */
export function findModel(
  env: ModelSettings,
  llmModel: string,
  keys: ModelKeys,
  now: number,
): ProviderChoice | { reason: string } {
  const custom = customModel(llmModel);
  if (custom !== null) return atOwnServer(env, custom, keys.custom_llm);
  if (env.LLM_BASE_URL !== "") {
    const { LLM_BASE_URL: base_url, LLM_API_KEY: api_key = "", LLM_MODEL } = env;
    const model = LLM_MODEL || llmModel;
    return { kind: "compatible", base_url, api_key, model, name: "compatible", thinks: false };
  }
  const listed = listedModel(llmModel);
  if (!listed) return { reason: `${llmModel} is not the name of a model` };
  const { provider: kind } = listed;
  const own = keys[kind];
  const [base_url, platform] =
    kind === "openai" ? [env.OPENAI_API_URL, env.OPENAI_API_KEY] : [env.ANTHROPIC_API_URL, env.ANTHROPIC_API_KEY];
  const api_key = own || (platformModels(env).has(llmModel) ? platform : undefined);
  if (!api_key) return { reason: `the integration ${kind}, with an API key, is not installed` };
  const { name, thinks } = inService(listed, now);
  return { kind, base_url, api_key, model: name, name, thinks };
}

/**
 * Returns the models that the platform's own keys serve: those that the operator lists, or the specification's if it
 * lists none.
 */
function platformModels({ PLATFORM_MODELS }: Pick<ModelSettings, "PLATFORM_MODELS">): ReadonlySet<string> {
  const listed = PLATFORM_MODELS.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return new Set(listed.length === 0 ? DEFAULT_PLATFORM_MODELS : listed);
}

function atOwnServer(
  env: ModelSettings,
  model: string,
  server: CustomServer | null,
): ProviderChoice | { reason: string } {
  if (!server) return { reason: "the integration custom_llm, with its base_url, models and api_key, is not installed" };
  const { base_url, api_key } = server;
  const url = readBaseUrl(base_url);
  // The operator's rules may have become stricter since the address was stored.
  const refused = url ? refusalOf(url, egressRules(env)) : "the address is invalid";
  if (refused !== null) return { reason: `the base_url of the integration custom_llm cannot be used: ${refused}` };
  if (!server.models.includes(model)) return { reason: `the integration custom_llm does not list ${model} in models` };
  return { kind: "custom_llm", base_url, api_key, model, name: `custom_llm:${model}`, thinks: false };
}
