import type { Bindings } from "../../kernel/http/context.ts";
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
>;

/** The account's own keys, null if it gave none. */
export interface ModelKeys {
  openai: string | null;
  anthropic: string | null;
}

/** Which model serves an agent. */
export type ModelChoice = { kind: "scripted" } | ProviderChoice;

/** The day on which OpenAI shuts down gpt-4o and gpt-4o-mini. */
const GPT_4O_ENDS_MS = Date.UTC(2027, 0, 14);

/**
 * The model that serves an agent with this `llm_model`: the configured server for all of them, otherwise the model's
 * maker, with the account's own key before the platform's, otherwise the scripted agent. `now` in ms.
 */
export function chooseModel(env: ModelSettings, llmModel: string, keys: ModelKeys, now: number): ModelChoice {
  if (env.LLM_BASE_URL !== "") {
    const model = env.LLM_MODEL || llmModel;
    return { kind: "compatible", base_url: env.LLM_BASE_URL, api_key: env.LLM_API_KEY ?? "", model, thinks: false };
  }
  const makers = [
    { kind: "openai", prefix: "gpt-", base_url: env.OPENAI_API_URL, api_key: keys.openai || env.OPENAI_API_KEY },
    {
      kind: "anthropic",
      prefix: "claude-",
      base_url: env.ANTHROPIC_API_URL,
      api_key: keys.anthropic || env.ANTHROPIC_API_KEY,
    },
  ] as const;
  const maker = makers.find(({ prefix }) => llmModel.startsWith(prefix));
  if (!maker?.api_key) return { kind: "scripted" };
  const { kind, base_url, api_key } = maker;
  return { kind, base_url, api_key, ...servedAs(llmModel, now) };
}

/** The current name, at its maker, of a model that agents name. */
function servedAs(llmModel: string, now: number): Pick<ProviderChoice, "model" | "thinks"> {
  // Retired on 2025-10-28. Of its successors this one can be kept from thinking altogether. claude-sonnet-5-5 cannot: it
  // puts words between tool calls into thinking blocks, which nobody would hear and a conversation does not keep.
  if (llmModel === "claude-3-5-sonnet") return { model: "claude-sonnet-5", thinks: true };
  // OpenAI's successor of both; with tools it accepts no reasoning effort but `none`.
  if (now >= GPT_4O_ENDS_MS && /^gpt-4o(-mini)?$/.test(llmModel)) return { model: "gpt-6-luna", thinks: true };
  return { model: llmModel, thinks: false };
}
