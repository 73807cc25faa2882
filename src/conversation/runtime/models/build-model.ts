import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ProviderChoice } from "../../../agent/models/provider.ts";
import { answer } from "./answer.ts";
import { Exchange } from "./exchange.ts";
import { type Model, ModelFailed, type ModelPart, type ModelRequest } from "./model.ts";
import { promptOf } from "./prompt.ts";
import { toolsUsed } from "./transcript.ts";

/** Builds the chosen model, which is requested with `fetch`; `now` in ms. */
export function buildModel(choice: ProviderChoice, fetch: typeof globalThis.fetch, now: () => number): Model {
  const name = `${choice.kind}/${choice.model}`;
  return {
    name,
    answer(request) {
      const exchange = new Exchange(fetch, now);
      return named(name, answer(modelAt(choice, exchange), optionsOf(choice, request), exchange, request));
    },
  };
}

function modelAt({ kind, base_url, api_key, model }: ProviderChoice, { fetch }: Exchange): LanguageModelV4 {
  const settings = { baseURL: base_url, apiKey: api_key, fetch };
  if (kind === "anthropic") return createAnthropic(settings)(model);
  const transformRequestBody = kind === "openai" ? withCompletionLimit : undefined;
  return createOpenAICompatible(Object.assign({ name: kind, includeUsage: true, transformRequestBody }, settings))(
    model,
  );
}

/** Uses OpenAI's own name for the limit. Its newer models refuse the older name, which other servers still use. */
function withCompletionLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(body, { max_completion_tokens: max_tokens });
}

function optionsOf(choice: ProviderChoice, request: ModelRequest): LanguageModelV4CallOptions {
  return {
    prompt: promptOf(choice, request),
    abortSignal: request.signal,
    includeRawChunks: true,
    maxOutputTokens: request.max_output_tokens,
    ...toolsOf(choice, request),
    ...(choice.thinks && { reasoning: "none" }),
    ...(choice.kind === "anthropic" && {
      // Calls are used only when complete, so partial arguments are not needed.
      providerOptions: { anthropic: { toolStreaming: false } },
    }),
  };
}

/** Returns the tools. If none may be used, Anthropic still requires those that the conversation has used. */
function toolsOf(
  { kind }: ProviderChoice,
  request: ModelRequest,
): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> {
  if (request.tools.length > 0) {
    const tools = request.tools.map(({ name, description, parameters }): LanguageModelV4FunctionTool => {
      return { type: "function", name, description, inputSchema: parameters };
    });
    return { tools };
  }
  const used = kind === "anthropic" ? toolsUsed(request) : [];
  if (used.length === 0) return {};
  const tools = used.map((name): LanguageModelV4FunctionTool => {
    return { type: "function", name, inputSchema: { type: "object" } };
  });
  return { tools, toolChoice: { type: "none" } };
}

async function* named(name: string, parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  try {
    yield* parts;
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    const { message, retryAfterMs, wasRefused, isPermanent, refusedTool, isBusy } = error;
    throw new ModelFailed(`${name}: ${message}`, retryAfterMs, wasRefused, isPermanent, refusedTool, isBusy);
  }
}
