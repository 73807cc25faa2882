import type { SessionSnapshot } from "../session/session.ts";
import type { Model, ModelPart, ModelRequest } from "./model.ts";
import { type Knowledge, knowledgeOf } from "./scripted/knowledge.ts";
import { nextStep } from "./scripted/next-step.ts";

/** A few words, sent as one piece of a spoken answer. */
const PIECE = /\s*(?:\S+\s*){1,3}/g;
/** An estimate for English. */
const CHARS_PER_TOKEN = 4;

/**
 * Creates the embedded model. It needs no network and no key, and is deterministic. docs/scripted-agent.md is its
 * contract.
 */
export function scriptedModel(snapshot: SessionSnapshot): Model {
  let knowledge: Knowledge | undefined;
  return {
    name: "scripted",
    async *answer(request: ModelRequest): AsyncGenerator<ModelPart> {
      request.signal.throwIfAborted();
      knowledge ??= knowledgeOf(snapshot);
      const step = nextStep(snapshot, knowledge, request);
      const longest = request.max_output_tokens * CHARS_PER_TOKEN;
      const isCut = step.say.length > longest;
      const say = step.say.slice(0, longest);
      // A cut answer would not have reached its tool calls.
      const calls = isCut ? [] : step.calls;
      const called = calls.map(({ name, args }, i): ModelPart => {
        return { type: "tool_call", call: { id: `scripted_${request.messages.length}_${i}`, name, arguments: args } };
      });
      const words = (say.match(PIECE) ?? []).map((text): ModelPart => ({ type: "text", text }));
      for (const part of [...words, ...called]) {
        yield part;
        request.signal.throwIfAborted();
      }
      if (isCut) yield { type: "cut", by: "length" };
      const instructionChars = request.system.length + request.facts.length;
      const input = request.messages.reduce((sum, { text }) => sum + text.length, instructionChars);
      yield {
        type: "usage",
        input_tokens: tokens(input),
        cached_tokens: 0,
        output_tokens: tokens(say.length + charsOf(calls)),
      };
    },
  };
}

const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
const charsOf = (calls: unknown[]): number => (calls.length === 0 ? 0 : JSON.stringify(calls).length);
