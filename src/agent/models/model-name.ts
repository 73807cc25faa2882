import { z } from "@hono/zod-openapi";
import { LISTED_MODELS, listedModel } from "./list.ts";

const CUSTOM_PREFIX = "custom_llm:";
/** Printable ASCII except the comma, which separates the names in the integration's `models`. */
const CUSTOM_NAME = /^[!-+\--~]{1,150}$/;

/** Returns the model's name at the account's own server; null if it is not one of that server's models. */
export function customModel(name: string): string | null {
  return name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : null;
}

/** Returns the names in the integration's comma-separated param `models`. */
export function customNames(models: unknown): string[] {
  const names = String(models ?? "").split(",");
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** The models that an agent, or a change of one, names. */
export interface NamedModels {
  llm_model?: string | undefined;
  fallback_model?: string | null | undefined;
  analysis?: { model?: string | null | undefined } | undefined;
}

/** Returns the models that an agent names, with the fields that name them. */
export function modelsOf({ llm_model, fallback_model, analysis }: NamedModels): { field: string; name: string }[] {
  const fields = { llm_model, fallback_model, "analysis.model": analysis?.model };
  return Object.entries(fields).flatMap(([field, name]) => (name ? [{ field, name }] : []));
}

/** Returns the models of the account's own server that an agent names. */
export function customModelsOf(agent: NamedModels): string[] {
  return modelsOf(agent).flatMap(({ name }) => (customModel(name) === null ? [] : [name]));
}

/** Returns what is wrong with a model's name, as the end of a sentence; null if it is valid. */
function faultOf(name: string): string | null {
  const custom = customModel(name);
  if (custom === "") return "must name a model of your server after custom_llm:";
  if (custom !== null)
    return CUSTOM_NAME.test(custom) ? null : "must name a model in up to 150 characters without spaces and commas";
  if (listedModel(name)) return null;
  return `is not the name of a model: use ${LISTED_MODELS.map((model) => model.name).join(", ")} or custom_llm:<model>`;
}

export const modelName = z
  .string()
  .max(170)
  .superRefine((name, context) => {
    const message = faultOf(name);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
