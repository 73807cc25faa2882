import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Usage,
  TypeValidationError,
} from "@ai-sdk/provider";
import { z } from "zod";
import { isNestedDeeper, isObject, MAX_DEPTH } from "../../../kernel/objects.ts";
import type { Exchange } from "./exchange.ts";
import { brokenOff, gaveUp, notBegun, unreadable } from "./failures.ts";
import type { Cut, ModelPart, ModelRequest, ToolCall } from "./model.ts";
import { guardedBy } from "./unless-aborted.ts";

/**
 * A stream chunk that contains the reason why the answer ends. Nothing more follows it, even if the stream breaks off.
 */
const lastPiece = z.union([
  z
    .object({ choices: z.tuple([z.object({ finish_reason: z.string().min(1) })]).rest(z.unknown()) })
    .transform(({ choices }) => choices[0].finish_reason),
  z
    .object({ type: z.literal("message_delta"), delta: z.object({ stop_reason: z.string().min(1) }) })
    .transform(({ delta }) => delta.stop_reason),
]);

/** The reasons with which OpenAI and Anthropic report a cut answer. */
const CUTS = new Map<string, Cut>([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["content_filter", "content_filter"],
  ["refusal", "content_filter"],
]);

/** Anthropic's first stream chunk, which contains the input tokens. */
const firstPiece = z
  .object({
    type: z.literal("message_start"),
    message: z.object({
      usage: z.object({
        input_tokens: z.number(),
        cache_creation_input_tokens: z.number().nullish(),
        cache_read_input_tokens: z.number().nullish(),
      }),
    }),
  })
  .transform(({ message: { usage } }) => {
    return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  });

/** Checks whether a chunk contains part of an answer, unlike keep-alives, pings and empty chunks. */
function isWork(piece: unknown): boolean {
  if (!isObject(piece)) return false;
  if (typeof piece.type === "string") return /^(content_block_|message_delta)/.test(piece.type);
  const choice: unknown = Array.isArray(piece.choices) ? piece.choices[0] : null;
  if (!isObject(choice) || !isObject(choice.delta)) return false;
  return Object.entries(choice.delta).some(([name, value]) => name !== "role" && !isEmpty(value));
}

const isEmpty = (value: unknown): boolean =>
  value == null || value === "" || (Array.isArray(value) && value.length === 0);

/** A chunk of an unused kind. Servers may add new kinds. */
const otherPiece = z.object({
  choices: z.never().optional(),
  error: z.never().optional(),
  type: z
    .string()
    .regex(/^(?!message_|content_block_)/)
    .optional(),
});

/**
 * Yields the parts of the model's answer as they arrive, then whether it was cut. Its tool calls are complete only
 * then.
 * @throws ModelFailed, or the signal's reason
 */
export async function* answer(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  exchange: Exchange,
  { signal, onInput, onWork, onCall }: Pick<ModelRequest, "signal" | "onInput" | "onWork" | "onCall">,
): AsyncGenerator<ModelPart> {
  signal.throwIfAborted();
  const unlessAborted = guardedBy(signal);
  const { stream } = await unlessAborted(Promise.resolve(model.doStream(options))).catch((error: unknown) => {
    const tools = options.tools?.map(({ name }) => name) ?? [];
    throw signal.aborted ? signal.reason : notBegun(error, exchange, tools);
  });
  let usage: LanguageModelV4Usage | null = null;
  let ended: string | null = null;
  let hasBegun = false;
  let half = "";
  const reader = stream.getReader();
  try {
    while (usage === null) {
      const { done, value: part } = await unlessAborted(reader.read()).catch(() => {
        throw signal.aborted ? signal.reason : unreadable();
      });
      if (done) break;
      if (part.type === "text-delta" && part.delta !== "") {
        const { whole, rest } = wholeCharacters(half + part.delta);
        half = rest;
        if (whole !== "") yield { type: "text", text: whole };
      } else if (part.type === "raw") {
        ended ??= lastPiece.safeParse(part.rawValue).data ?? null;
        const tokens = hasBegun ? undefined : firstPiece.safeParse(part.rawValue).data;
        hasBegun = true;
        if (tokens !== undefined) onInput?.(tokens);
        if (isWork(part.rawValue)) onWork?.();
      } else if (part.type === "tool-input-start") {
        onCall?.();
      } else if (part.type === "error" && ended === null) throwFor(part.error);
      else if (part.type === "finish") usage = part.usage;
      else if (part.type === "tool-call") {
        const { toolCallId: id, toolName: name, input } = part;
        yield { type: "tool_call", call: { id, name, arguments: toolArguments(input) } };
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
  if (ended === null && !exchange.done) throw brokenOff(exchange);
  const by = CUTS.get(ended ?? "");
  if (by) yield { type: "cut", by };
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens?.total !== undefined) {
    const { total: input_tokens, cacheRead: cached_tokens = 0 } = inputTokens;
    yield { type: "usage", input_tokens, cached_tokens, output_tokens: outputTokens?.total ?? 0 };
  }
}

/**
 * Splits a text before the half of a character at its end, which the next part completes. Other halves become U+FFFD,
 * because neither carriers nor strict readers of JSON accept them.
 */
function wholeCharacters(text: string): { whole: string; rest: string } {
  const rest = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
  return { whole: text.slice(0, text.length - rest.length).toWellFormed(), rest };
}

/**
 * Throws ModelFailed for an error of the stream, unless the end of the answer already explains it.
 * @throws ModelFailed
 */
function throwFor(error: unknown): void {
  if (InvalidResponseDataError.isInstance(error)) return;
  if (!TypeValidationError.isInstance(error)) throw JSONParseError.isInstance(error) ? unreadable() : gaveUp({ error });
  if (otherPiece.safeParse(error.value).success) return;
  throw error.value instanceof Object && "error" in error.value ? gaveUp(error.value) : unreadable();
}

/**
 * Parses a tool's arguments as a model wrote them: empty text becomes an empty object. Anything except an object, and
 * an object that is nested too deeply, becomes null.
 */
function toolArguments(text: string): ToolCall["arguments"] {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isNestedDeeper(value, MAX_DEPTH) ? value : null;
  } catch {
    return null;
  }
}
