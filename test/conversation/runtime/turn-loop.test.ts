import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Cut,
  ModelFailed,
  type ModelPart,
  type ToolCall,
} from "../../../src/conversation/runtime/models/model.ts";
import type { ToolOutcome } from "../../../src/conversation/runtime/turns/built-in-tools.ts";
import { AgentTurn, MAX_TOOL_ROUNDS, NOT_RUN } from "../../../src/conversation/runtime/turns/turn-loop.ts";
import { call, listener, PlayedModel, text } from "./played-turn.ts";

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

  it("is requested without tools after the maximum number of rounds, so that it has words", async () => {
    const model = new PlayedModel([call("look_up")]);
    const { output, deps } = listener(model);
    expect(await new AgentTurn(deps, null).run()).toEqual({ next: "listen" });
    expect(output.used).toHaveLength(MAX_TOOL_ROUNDS);
    expect(model.requests.at(-1)?.tools).toEqual([]);
    expect(output.turns).toHaveLength(1);
  });

  it("an answer is stopped at its maximum length", async () => {
    const model = new PlayedModel(Array.from({ length: 10_000 }, () => text("and then ")));
    const { output, deps } = listener(model);
    await new AgentTurn(deps, null).run();
    expect(output.spokenText.length).toBeLessThan(9_000);
    expect(output.ends).toBe(1);
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
