import { OpenAPIHono } from "@hono/zod-openapi";
import { prices } from "../../kernel/db/schema/index.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { PricesAt } from "../../records/prices/price-list.ts";
import { pricedName } from "../../records/prices/rates.ts";
import { findModel, type ModelKeys } from "./choose-model.ts";
import { type AnswersWith, listModels } from "./contract.ts";
import { endOf, inService, LISTED_MODELS, type ListedModel } from "./list.ts";
import { keyHolders, modelKeys } from "./model-keys.ts";

export const models = new OpenAPIHono<AppEnv>();

serve(models, listModels, async ({ env, store, now }) => {
  const [installs, own] = await store.read(modelKeys(store), store.select(prices));
  const keys = keyHolders(installs);
  const served = (name: string, priced: string) => servedModel(env, { name, priced }, { keys, own, now });
  const listed = LISTED_MODELS.map((one) => {
    const { name, label, provider, replaced_by } = one;
    return Object.assign(served(name, inService(one, now).name), { label, provider, ends_at: endAt(one), replaced_by });
  });
  const custom = (keys.custom_llm?.models ?? []).map((model) => {
    const [name, provider] = [`custom_llm:${model}`, "custom_llm" as const];
    return Object.assign(served(name, name), { label: model, provider, ends_at: null, replaced_by: null });
  });
  return { models: [...listed, ...custom] };
});

interface Facts {
  keys: ModelKeys;
  own: (typeof prices.$inferSelect)[];
  now: number;
}

/**
 * Returns which model answers for agents that name this one, and its price. If none answers, `priced` is the name in
 * the price list.
 */
function servedModel(env: Bindings, { name, priced }: { name: string; priced: string }, { keys, own, now }: Facts) {
  const found = findModel(env, name, keys, now);
  const isOwnRuntime = env.VOICE_RUNTIME_URL !== "";
  const isMissing = "reason" in found;
  const list = new PricesAt(own, new Date(now).toISOString());
  const price = (kind: "input" | "output") =>
    list.of(`model/${pricedName(isMissing ? priced : found.name)}/${kind}`).unit_micros;
  const builtIn: AnswersWith = isMissing ? "scripted" : found.kind;
  return {
    llm_model: name,
    answers_with: isOwnRuntime ? ("own_runtime" as const) : builtIn,
    model: isMissing ? null : found.model,
    available: isOwnRuntime || !isMissing,
    reason: isMissing && !isOwnRuntime ? found.reason : null,
    input_micros_per_million: price("input"),
    output_micros_per_million: price("output"),
  };
}

function endAt(model: ListedModel): string | null {
  const end = endOf(model);
  return end === null ? null : new Date(end).toISOString();
}
