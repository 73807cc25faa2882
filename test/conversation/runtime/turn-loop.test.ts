import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import type { Charge } from "../../../src/conversation/runtime/budget/charge.ts";
import type { TurnBudget } from "../../../src/conversation/runtime/budget/request-budget.ts";
import {
  type Cut,
  type Model,
  ModelFailed,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ToolCall,
} from "../../../src/conversation/runtime/models/model.ts";
import type { ToolOutcome } from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import {
  AgentTurn,
  MAX_TOOL_ROUNDS,
  NOT_RUN,
  type TurnDependencies,
} from "../../../src/conversation/runtime/turns/turn-loop.ts";

const SENTENCES = builtInSentences("en");

type Script = (ModelPart | "wait" | Error)[];

/** A model that plays one script per request; `wait` lasts until the request is aborted or `goOn` is called. */
class PlayedModel implements Model {
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

const text = (words: string): ModelPart => ({ type: "text", text: words });
const call = (name: string, id = name): ModelPart => ({ type: "tool_call", call: { id, name, arguments: {} } });

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
function listener(model: Model, outcome: (call: ToolCall) => ToolOutcome = () => ({ ok: true, result: "done" })) {
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

describe("an answer", () => {
  it("an answer is streamed and recorded as one turn", async () => {
    const model = new PlayedModel([
      text("Good "),
      text("morning."),
      { type: "usage", input_tokens: 3, cached_tokens: 0, output_tokens: 2 },
    ]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, 400).run()).toEqual({ next: "listen" });
    expect(output).toMatchObject({ spokenText: "Good morning.", ends: 1, latencies: [600] });
    expect(output.turns).toEqual([{ text: "Good morning.", interrupted: false }]);
  });

  it("an answer is recorded from its first words on", async () => {
    const model = new PlayedModel([text("One "), text("two"), "wait", text(" three")]);
    const { output, deps } = listener(model);
    const answer = new AgentTurn(deps, null).run();
    await expect.poll(() => output.spokenText).toBe("One two");
    expect(output.writing).toEqual(["One "]);
    output.clock += 250;
    model.goOn();
    await answer;
    expect(output.writing).toEqual(["One ", "One two three"]);
  });

  it("runs tools in between and continues with their results", async () => {
    const model = new PlayedModel([text("One moment."), call("look_up")], [text("It is open.")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.used).toEqual(["look_up"]);
    expect(output.turns.map((turn) => turn.text)).toEqual(["One moment.", "It is open."]);
  });

  it("ends the conversation if a tool ends it", async () => {
    const model = new PlayedModel([text("Goodbye."), call("end_call")]);
    const { output, deps } = listener(model, ({ name }) => ({
      ok: true,
      result: "",
      ...(name === "end_call" && { ends: "agent_ended" }),
    }));
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "end", reason: "agent_ended" });
    expect(output.used).toEqual(["end_call"]);
  });
});

/** Outcomes in which `end_call` ends the conversation and `transfer_call` transfers the caller. */
const ending = ({ name }: ToolCall): ToolOutcome => {
  const ends = { end_call: "agent_ended", transfer_call: "transferred" }[name];
  return ends === undefined ? { ok: true, result: "" } : { ok: true, result: "", ends };
};

describe("the tool calls of one answer", () => {
  it("an answer's tool calls are carried out before the one that ends the conversation", async () => {
    const model = new PlayedModel([text("Understood, goodbye."), call("end_call"), call("book"), call("opt_out")]);
    const { output, deps } = listener(model, ending);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "end", reason: "agent_ended" });
    expect(output.used).toEqual(["opt_out", "book", "end_call"]);
  });

  it("do not hang up on a caller who was transferred", async () => {
    const model = new PlayedModel([call("end_call"), call("transfer_call")]);
    const { output, deps } = listener(model, ending);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "end", reason: "transferred" });
    expect([output.used, output.skipped]).toEqual([["transfer_call"], [`end_call: ${NOT_RUN.transferred}`]]);
  });

  it("do not hang up on a caller whose transfer failed", async () => {
    const model = new PlayedModel([call("end_call"), call("transfer_call")], [text("Nobody is there.")]);
    const { output, deps } = listener(model, () => ({ ok: false, result: "busy" }));
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect([output.used, output.skipped]).toEqual([["transfer_call"], [`end_call: ${NOT_RUN.not_transferred}`]]);
  });

  it("tool calls without a result because of an interruption are recorded", async () => {
    const model = new PlayedModel([call("book"), call("look_up"), call("end_call"), call("opt_out")]);
    const { output, deps } = listener(model);
    const answer = new AgentTurn(
      {
        ...deps,
        use: async (wanted) => {
          output.used.push(wanted.name);
          if (wanted.name === "book") answer.interrupt();
          return { ok: true, result: "" };
        },
      },
      null,
    );
    expect(await answer.run()).toEqual({ next: "interrupted" });
    expect(output.used).toEqual(["opt_out", "book"]);
    expect(output.skipped).toEqual([`look_up: ${NOT_RUN.interrupted}`, `end_call: ${NOT_RUN.interrupted}`]);
  });

  it("opt out a caller who interrupts the words after them", async () => {
    const model = new PlayedModel([text("Understood. "), call("opt_out"), call("end_call"), text("Good"), "wait"]);
    const { output, deps } = listener(model);
    const answer = new AgentTurn(deps, null);
    const over = answer.run();
    await expect.poll(() => output.spokenText).toBe("Understood. Good");
    answer.interrupt();
    expect(await over).toEqual({ next: "interrupted" });
    expect([output.used, output.skipped]).toEqual([["opt_out"], [`end_call: ${NOT_RUN.interrupted}`]]);
  });

  it("tool calls beyond the maximum of an answer are recorded", async () => {
    const model = new PlayedModel(
      Array.from({ length: 18 }, (_, n) => call("book", String(n))),
      [text("Done.")],
    );
    const { output, deps } = listener(model);
    await new AgentTurn(deps, null).run();
    expect(output.used).toHaveLength(16);
    expect(output.skipped).toEqual([`book: ${NOT_RUN.excess}`, `book: ${NOT_RUN.excess}`]);
  });

  it("tool calls that only read run together", async () => {
    const model = new PlayedModel([call("look_up", "a"), call("look_up", "b"), call("book")], [text("Done.")]);
    const { output, deps } = listener(model);
    const running: string[] = [];
    const both = Promise.withResolvers<void>();
    await new AgentTurn(
      {
        ...deps,
        use: async ({ name }) => {
          running.push(name);
          if (running.length === 2) both.resolve();
          await both.promise;
          output.used.push(name);
          return { ok: true, result: "" };
        },
      },
      null,
    ).run();
    expect(output.used).toEqual(["look_up", "look_up", "book"]);
  });
});

describe("a model that fails", () => {
  it("a model is retried if it failed before its first word", async () => {
    const model = new PlayedModel([new ModelFailed("500")], [text("Here I am.")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect([output.spokenText, model.requests.length]).toEqual(["Here I am.", 2]);
  });

  it("a failing model is retried at growing intervals before the agent apologizes", async () => {
    const model = new PlayedModel([new ModelFailed("500")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "failed" });
    expect([output.pauses, model.requests.length]).toEqual([[500, 1_000, 2_000, 4_000], 5]);
    expect(output.turns).toEqual([{ text: SENTENCES.apology, interrupted: false }]);
  });

  it("a model is not retried if the same request would fail again", async () => {
    const model = new PlayedModel([new ModelFailed("401", null, true, true)]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "failed" });
    expect([output.pauses, model.requests.length]).toEqual([[], 1]);
  });

  it("transfers the caller to the agent's target for failures", async () => {
    const { output, deps } = listener(new PlayedModel([new ModelFailed("500")]));
    const transfers: string[] = [];
    const transferOnFailure = async () => void transfers.push(output.spokenText);
    const ending = await new AgentTurn({ ...deps, transferOnFailure }, null).run();
    expect([ending, transfers]).toEqual([{ next: "end", reason: "transferred" }, [SENTENCES.unavailable]]);
  });

  it("leads to an apology in the language that a tool of the same answer set", async () => {
    const german = builtInSentences("de");
    const failing: Model = {
      name: "failing",
      answer: async function* ({ messages }) {
        if (messages.length > 1) throw new Error("no answer");
        yield call("set_language");
      },
    };
    const { output, deps } = listener(failing);
    const sentences = () => (output.used.includes("set_language") ? german : SENTENCES);
    const history = (): ModelMessage[] =>
      output.used.map((): ModelMessage => ({ role: "user", text: "Hallo" })).concat({ role: "user", text: "Hallo" });
    await new AgentTurn({ ...deps, sentences, history }, null).run();
    expect(output.turns.at(-1)?.text).toBe(german.apology);
  });

  it("leads to an apology if that transfer fails", async () => {
    const { output, deps } = listener(new PlayedModel([new ModelFailed("500")]));
    const transferOnFailure = () => Promise.reject(new Error("busy"));
    expect(await new AgentTurn({ ...deps, transferOnFailure }, null).run()).toEqual({ next: "failed" });
    expect(output.turns.map(({ text: words }) => words)).toEqual([SENTENCES.unavailable, SENTENCES.apology]);
  });

  it("a model that broke off is asked to continue, and nothing is repeated", async () => {
    const model = new PlayedModel([text("Your order "), new ModelFailed("cut off")], [text("is on its way.")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: "Your order is on its way.", interrupted: false }]);
    expect(model.requests[1]?.messages).toEqual([
      { role: "user", text: "hello" },
      { role: "agent", text: "Your order ", tool_calls: [] },
      { role: "user", text: expect.stringContaining("Continue") },
    ]);
  });

  it("leads to an apology if it breaks off repeatedly", async () => {
    const model = new PlayedModel(
      [text("Your order"), new ModelFailed("cut off")],
      [text("is on"), new ModelFailed("cut off")],
      [new ModelFailed("cut off")],
    );
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "failed" });
    expect(model.requests).toHaveLength(5);
    expect(output.turns.map((turn) => turn.text)).toEqual(["Your order is on", SENTENCES.apology]);
  });

  it.each([
    ["seconds to wait", 3_000, 3_000, true],
    ["a longer wait than a caller accepts", 60_000, 4_000, true],
    ["no time", null, 500, false],
    ["hardly any time", 0, 500, false],
  ])("a model is retried after its server asked for %s", async (_, retryAfterMs, waited, isFilled) => {
    const model = new PlayedModel([new ModelFailed("429", retryAfterMs)], [text("Here I am.")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, 400).run()).toEqual({ next: "listen" });
    expect(output.pauses).toEqual([waited]);
    expect(output.turns.map((turn) => turn.text)).toEqual(isFilled ? ["One moment.", "Here I am."] : ["Here I am."]);
    // The model does not see the filler, and the filler does not count as latency.
    expect([model.requests[1]?.messages.length, output.latencies]).toEqual([1, [600 + waited]]);
  });

  it("waits silently before a retry in a chat", async () => {
    const model = new PlayedModel([new ModelFailed("429", 3_000)], [text("Here I am.")]);
    const { output, deps } = listener(model);
    await new AgentTurn({ ...deps, filler: null }, null).run();
    expect([output.spokenText, output.pauses]).toEqual(["Here I am.", [3_000]]);
  });

  it("gets no more tools after the maximum number of rounds, so that it answers in words", async () => {
    const model = new PlayedModel([call("look_up")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.used).toHaveLength(MAX_TOOL_ROUNDS);
    expect(model.requests.at(-1)?.tools).toEqual([]);
    expect(output.turns).toHaveLength(1);
  });

  it("a model is stopped at the maximum length of an answer", async () => {
    const model = new PlayedModel(Array.from({ length: 10_000 }, () => text("and then ")));
    const { output, deps } = listener(model);
    await new AgentTurn(deps, null).run();
    expect(output.spokenText.length).toBeLessThan(9_000);
    expect(output.ends).toBe(1);
  });
});

describe("an empty answer", () => {
  const nothing: Script = [{ type: "usage", input_tokens: 3, cached_tokens: 0, output_tokens: 0 }];

  it("an empty answer after a tool creates no turn", async () => {
    const model = new PlayedModel([text("Noted."), call("look_up")], nothing);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "silent" });
    expect(output.turns).toEqual([{ text: "Noted.", interrupted: false }]);
  });

  it("an empty answer after a tool without any words before creates no turn", async () => {
    const { output, deps } = listener(new PlayedModel([call("look_up")], nothing));
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "silent" });
    expect(output.turns).toEqual([]);
  });

  it.each([
    ["nothing", nothing],
    ["blanks", [text(" "), text("\n")]],
  ])("an empty answer to a user's words means that the agent listens on: %s", async (_, script) => {
    const model = new PlayedModel(script);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "silent" });
    expect([output.spokenText, model.requests.length]).toEqual(["", 1]);
  });
});

describe("an answer that was cut", () => {
  const cut = (by: Cut): ModelPart => ({ type: "cut", by });

  it("an answer that was cut at the maximum length is continued once and recorded as one turn", async () => {
    const model = new PlayedModel([text("We are open"), cut("length")], [text("from nine to five.")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: "We are open from nine to five.", interrupted: false }]);
  });

  it("an answer that was cut twice is recorded as cut and not requested a third time", async () => {
    const model = new PlayedModel([text("We are open"), cut("length")], [text(" from"), cut("length")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: "We are open from", interrupted: false, finish: "length" }]);
    expect(model.requests).toHaveLength(2);
  });

  it("an answer that is cut before its first word twice leads to an apology", async () => {
    const { output, deps } = listener(new PlayedModel([cut("length")]));
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: SENTENCES.no_answer, interrupted: false, finish: "length" }]);
  });

  it("runs no tool, since its arguments may be cut too", async () => {
    const model = new PlayedModel([text("Yes."), call("look_up"), cut("length")], [text("It is open.")]);
    const { output, deps } = listener(model);
    await new AgentTurn(deps, null).run();
    expect([output.used, output.spokenText]).toEqual([[], "Yes. It is open."]);
    expect(output.skipped).toEqual([`look_up: ${NOT_RUN.cut}`]);
  });

  it("an answer that a content filter cuts keeps its words and records the reason", async () => {
    const model = new PlayedModel([text("Well, "), call("look_up"), cut("content_filter")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: "Well, ", interrupted: false, finish: "content_filter" }]);
    expect([output.used, model.requests.length]).toEqual([[], 1]);
  });

  it("an answer that a content filter cuts before its first word is replaced by a sentence", async () => {
    const { output, deps } = listener(new PlayedModel([cut("content_filter")]));
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.turns).toEqual([{ text: SENTENCES.filtered, interrupted: false, finish: "content_filter" }]);
  });

  it.each([
    ["We are", "open", "We are open"],
    ["We are ", "open", "We are open"],
    ["We are", ", we think", "We are, we think"],
    ["Yes.", "We are", "Yes. We are"],
    ["営業", "時間", "営業時間"],
  ])("an answer that was cut continues %j with %j", async (before, after, whole) => {
    const model = new PlayedModel([text(before), cut("length")], [text(after)]);
    const { output, deps } = listener(model);
    await new AgentTurn(deps, null).run();
    expect(output.spokenText).toBe(whole);
  });
});

describe("an interruption", () => {
  it("aborts the model and keeps the words that were heard", async () => {
    const model = new PlayedModel([text("We are open from nine "), "wait", text("to five")]);
    const { output, deps } = listener(model);
    const answer = new AgentTurn(deps, null);
    const ending = answer.run();
    await expect.poll(() => output.spokenText).not.toBe("");
    expect(answer.interrupt("We are open")).toBe(true);
    expect(await ending).toEqual({ next: "interrupted" });
    expect(output.turns).toEqual([{ text: "We are open from nine ", interrupted: true, heard: "We are open" }]);
    expect([output.spokenText, output.ends]).toEqual(["We are open from nine ", 0]);
  });

  it("an interruption before the first word records nothing", async () => {
    const model = new PlayedModel(["wait", text("Hello")]);
    const { output, deps } = listener(model);
    const answer = new AgentTurn(deps, null);
    const ending = answer.run();
    await expect.poll(() => model.requests.length).toBe(1);
    expect(answer.interrupt()).toBe(false);
    expect(await ending).toEqual({ next: "interrupted" });
    expect(output.turns).toEqual([]);
  });
});

const part = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }).map(text),
  fc.constantFrom("look_up", "unknown", "end_call").map((name) => call(name)),
  fc.constant(new ModelFailed("broken")),
  fc.constantFrom<Cut>("length", "content_filter").map((by): ModelPart => ({ type: "cut", by })),
);

describe("a turn of any model", () => {
  it("records each sent word in exactly one turn, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(part, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), async (scripts) => {
        const { output, deps } = listener(new PlayedModel(...scripts), ({ name }) => ({
          ok: name !== "unknown",
          result: "",
          ...(name === "end_call" && { ends: "agent_ended" }),
        }));
        const { next } = await new AgentTurn(deps, null).run();
        expect(["listen", "silent", "end", "failed"]).toContain(next);
        expect(output.turns.map((turn) => turn.text).join("")).toBe(output.spokenText);
        expect(output.ends).toBe(output.turns.length);
      }),
    );
  });
});
