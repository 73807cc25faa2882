import type { Body } from "../api/client.ts";
import { agents, modelField as t } from "../texts/index.ts";
import type { Option } from "./field.tsx";

type Model = Body<"LanguageModel">;

const LABELS: Record<string, string> = agents.models;
/** The models that any account may name, whether they are connected or not. */
const ALWAYS = ["gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet"];

/** Returns the label of a model; the name itself for one on the account's own server. */
export function modelLabel(name: string): string {
  return LABELS[name] ?? name;
}

export function modelOptions(models: readonly Model[], current: string | null): Option<string>[] {
  const options = models.map((model) => {
    const { llm_model, available, answers_with } = model;
    const disabled = !available && !ALWAYS.includes(llm_model) && llm_model !== current;
    const state = available || answers_with === "own_runtime" ? t.price(model) : t.notConnected;
    return { value: llm_model, label: `${model.label}, ${state}`, disabled };
  });
  const isMissing = current !== null && !models.some(({ llm_model }) => llm_model === current);
  return isMissing ? [...options, { value: current, label: modelLabel(current) }] : options;
}

/** Returns the model of this name if its end is announced. */
export function modelsEnd(models: readonly Model[], name: string | null): Model | undefined {
  return models.find(({ llm_model, ends_at }) => llm_model === name && ends_at !== null);
}
