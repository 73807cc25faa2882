import type { ProviderChoice } from "../../../../src/agent/models/provider.ts";
import { buildModel } from "../../../../src/conversation/runtime/models/build-model.ts";
import type { Model, ModelPart, ModelRequest } from "../../../../src/conversation/runtime/models/model.ts";
import {
  anthropicFrames,
  framesOf,
  openaiFrames,
  type StandInCut,
  type Step,
} from "../../../../src/dev/stand-in-frames.ts";

export const SECRET = "sk-test-9f8e7d6c5b4a";

export const CHOICES: Record<"openai" | "anthropic", ProviderChoice> = {
  openai: {
    kind: "openai",
    base_url: "https://openai.invalid/v1",
    api_key: SECRET,
    model: "gpt-4o",
    name: "gpt-4o",
    thinks: false,
  },
  anthropic: {
    kind: "anthropic",
    base_url: "https://anthropic.invalid/v1",
    api_key: SECRET,
    model: "claude-sonnet-5",
    name: "claude-sonnet-5",
    thinks: true,
  },
};

/** The current time for a server's dates, ms. */
export const NOW = Date.UTC(2026, 10, 21, 9, 30);

export type Api = keyof typeof CHOICES;
export const APIS: Api[] = ["openai", "anthropic"];

/** Returns the complete stream of an answer with these steps. */
export function streamOf(api: Api, steps: Step[], cut?: StandInCut): string {
  return framesOf(api === "openai" ? openaiFrames(cut) : anthropicFrames(cut), steps).join("");
}

/** Returns the stream of an answer up to its first words, "Well, ". */
export function begunStream(api: Api): string {
  const whole = streamOf(api, [{ say: "Well, " }]);
  return whole.slice(0, whole.indexOf("\n\n", whole.indexOf("Well, ")) + 2);
}

/** Streams bytes of an answer; `then` runs after the last of them. */
export function bytes(
  chunks: (string | Uint8Array)[],
  then: "end" | "break" | "silence" = "end",
  cancelled: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const left = chunks.map((chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (then === "end") controller.close();
      else if (then === "break") controller.error(new TypeError(`lost https://api.invalid/?key=${SECRET}`));
      else return new Promise(() => undefined);
    },
    cancel: cancelled,
  });
}

/** Creates a model whose server gives this answer. Returns it with the requests that the server received. */
export function served(api: Api, answer: (init: RequestInit) => Response | Promise<Response>, choice = CHOICES[api]) {
  const requests: { url: string; headers: Headers; body: Record<string, unknown>; init: RequestInit }[] = [];
  const model = buildModel(
    choice,
    async (input, init = {}) => {
      requests.push({
        url: String(input),
        headers: new Headers(init.headers),
        body: JSON.parse(String(init.body)),
        init,
      });
      return answer(init);
    },
    () => NOW,
  );
  return { model, requests };
}

export function answering(api: Api, steps: Step[], choice = CHOICES[api]) {
  return served(api, () => new Response(streamOf(api, steps)), choice);
}

export function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "Be kind.",
    facts: "",
    messages: [{ role: "user", text: "Hello?" }],
    tools: [],
    max_output_tokens: 700,
    signal: new AbortController().signal,
    ...over,
  };
}

/** Returns the parts of an answer and the error it ends with, if any. */
export async function answered(
  model: Model,
  modelRequest = request(),
): Promise<{ parts: ModelPart[]; error: unknown }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.answer(modelRequest)) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: null };
}

/** Joins consecutive words, because their boundaries are arbitrary. */
export function joined(parts: ModelPart[]): ModelPart[] {
  const all: ModelPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.type === "text" && part.type === "text") all.splice(-1, 1, { type: "text", text: last.text + part.text });
    else all.push(part);
  }
  return all;
}
