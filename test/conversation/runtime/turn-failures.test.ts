import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import {
  type Cut,
  type Model,
  ModelFailed,
  type ModelMessage,
  type ModelPart,
} from "../../../src/conversation/runtime/models/model.ts";
import { AgentTurn, NOT_RUN } from "../../../src/conversation/runtime/turns/turn-loop.ts";
import { call, listener, PlayedModel, type Script, SENTENCES, text } from "./played-turn.ts";

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
