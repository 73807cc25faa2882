import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ProviderChoice } from "../../../agent/models/provider.ts";
import type { ModelMessage, ModelRequest } from "./model.ts";
import { type ModelTurn, transcriptOf } from "./transcript.ts";

export function promptOf({ kind }: ProviderChoice, request: ModelRequest): LanguageModelV4Prompt {
  const facts: ModelMessage[] = request.facts === "" ? [] : [{ role: "user", text: request.facts }];
  const transcript = transcriptOf([...facts, ...request.messages]);
  const messages = (kind === "anthropic" ? betweenUsers(transcript) : transcript).flatMap(messagesOf);
  const system: LanguageModelV4Message[] =
    request.system.trim() === "" ? [] : [{ role: "system", content: request.system }];
  return kind === "anthropic" ? [...system.map(cached), ...withLast(messages, cached)] : [...system, ...messages];
}

/**
 * Makes Anthropic cache the request up to this message, because the next request repeats it. Other vendors cache
 * automatically.
 */
function cached(message: LanguageModelV4Message): LanguageModelV4Message {
  return Object.assign({}, message, { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } });
}

function withLast<T>(items: T[], change: (item: T) => T): T[] {
  return items.map((item, at) => (at === items.length - 1 ? change(item) : item));
}

/**
 * Puts the transcript between messages of the user, because Anthropic requires the first and the last message to be the
 * user's.
 */
function betweenUsers(transcript: ModelTurn[]): ModelTurn[] {
  const last = transcript.at(-1);
  const begun = transcript[0]?.role === "user" ? transcript : [user("(The conversation begins.)"), ...transcript];
  return last?.role === "agent" && last.calls.length === 0 ? [...begun, user("(Silence.)")] : begun;
}

function user(text: string): ModelTurn {
  return { role: "user", texts: [text] };
}

function messagesOf(turn: ModelTurn): LanguageModelV4Message[] {
  const words = turn.texts.length === 0 ? [] : [{ type: "text" as const, text: turn.texts.join("\n") }];
  if (turn.role === "user") return [{ role: "user", content: words }];
  const calls = turn.calls.map(({ call }) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments ?? {},
  }));
  const results = turn.calls.map(({ call, result }) => ({
    type: "tool-result" as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: "text" as const, value: result },
  }));
  const spoken: LanguageModelV4Message = { role: "assistant", content: [...words, ...calls] };
  return results.length === 0 ? [spoken] : [spoken, { role: "tool", content: results }];
}
