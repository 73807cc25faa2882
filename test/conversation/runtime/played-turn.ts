import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import type { Charge } from "../../../src/conversation/runtime/budget/charge.ts";
import type { TurnBudget } from "../../../src/conversation/runtime/budget/request-budget.ts";
import type { Model, ModelPart, ModelRequest, ToolCall } from "../../../src/conversation/runtime/models/model.ts";
import type { ToolOutcome } from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import type { TurnDependencies } from "../../../src/conversation/runtime/turns/turn-loop.ts";

export const SENTENCES = builtInSentences("en");

export type Script = (ModelPart | "wait" | Error)[];

/** A model that plays one script per request; `wait` lasts until the request is aborted or `goOn` is called. */
export class PlayedModel implements Model {
  readonly name = "played";
  readonly requests: ModelRequest[] = [];
  readonly #scripts: Script[];
  #gate = Promise.withResolvers<void>();

  constructor(...scripts: Script[]) {
    this.#scripts = scripts;
  }

  goOn(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers();
  }

  async *answer(request: ModelRequest): AsyncIterable<ModelPart> {
    this.requests.push(request);
    const script = this.#scripts[Math.min(this.requests.length, this.#scripts.length) - 1] ?? [];
    for (const part of script) {
      if (part instanceof Error) throw part;
      if (part !== "wait") {
        yield part;
        continue;
      }
      const aborted = new Promise<never>((_, reject) =>
        request.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
      );
      await Promise.race([this.#gate.promise, aborted]);
    }
  }
}

export const text = (words: string): ModelPart => ({ type: "text", text: words });
export const call = (name: string, id = name): ModelPart => ({ type: "tool_call", call: { id, name, arguments: {} } });

const charge: Charge = {
  streamed: () => {},
  read: () => {},
  reported: () => {},
  refused: () => {},
  complete: () => {},
  end: () => {},
};
const unlimited: TurnBudget = { reserve: async () => charge, renew: () => {} };

/** Creates a conversation that only records what it receives. */
export function listener(
  model: Model,
  outcome: (call: ToolCall) => ToolOutcome = () => ({ ok: true, result: "done" }),
) {
  const output = {
    spokenText: "",
    ends: 0,
    turns: [] as { text: string; interrupted: boolean; heard?: string }[],
    writing: [] as string[],
    latencies: [] as number[],
    used: [] as string[],
    skipped: [] as string[],
    reported: [] as unknown[],
    pauses: [] as number[],
    clock: 1_000,
  };
  const deps: TurnDependencies = {
    model: async () => model,
    system: "Be brief.",
    facts: "",
    tools: [{ name: "look_up", description: "", parameters: {} }],
    sentences: () => SENTENCES,
    history: () => [{ role: "user", text: "hello" }],
    say: ({ text: words, last }) => {
      output.spokenText += words;
      if (last) output.ends++;
    },
    speaking: (words) => output.writing.push(words),
    spoken: (turn) => output.turns.push(turn),
    latency: (ms) => output.latencies.push(ms),
    usage: () => {},
    failed: () => {},
    use: async (wanted) => {
      output.used.push(wanted.name);
      return outcome(wanted);
    },
    heard: async () => {},
    transferOnFailure: null,
    isRead: (name) => name === "look_up",
    skip: ({ name }, reason) => output.skipped.push(`${name}: ${reason}`),
    nextResult: async () => {},
    report: (error) => output.reported.push(error),
    pause: async (ms) => {
      output.pauses.push(ms);
      output.clock += ms;
    },
    isSpoken: false,
    filler: { words: () => "One moment.", after_ms: 1_500 },
    spokenUntil: () => 0,
    after: () => () => {},
    max_output_tokens: 1_000,
    budget: unlimited,
    now: () => output.clock,
  };
  return { output, deps };
}
