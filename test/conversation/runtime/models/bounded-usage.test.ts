import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOf } from "../../../../src/conversation/runtime/budget/request-size.ts";
import { withBoundedUsage, withinBounds } from "../../../../src/conversation/runtime/models/bounded-usage.ts";
import { answered, request, served, streamOf } from "./support.ts";

const HONEST = streamOf("openai", [{ say: "x".repeat(400) }]);
const SIZE = sizeOf(request());

/** Returns the charge for an answer of 400 bytes with this reported usage. */
async function chargedFor(usage: object | null) {
  const said = usage === null ? "" : `"usage":${JSON.stringify(usage)}`;
  const stream = HONEST.replace('"usage":{"prompt_tokens":12,"completion_tokens":7}', said || '"none":0');
  const { model } = served("openai", () => new Response(stream));
  const { parts, error } = await answered(withBoundedUsage(model));
  expect(error).toBeNull();
  return parts.at(-1);
}

describe("the usage that an account's own server reports", () => {
  it.each<[string, object | null, number, number]>([
    ["too little", { prompt_tokens: 0, completion_tokens: 0 }, Math.ceil(SIZE.input / 2), 100],
    ["nothing", null, Math.ceil(SIZE.input / 2), 100],
    ["too much", { prompt_tokens: 1e15, completion_tokens: 1e15 }, SIZE.input, 700],
    ["less than nothing", { prompt_tokens: -5, completion_tokens: -5 }, Math.ceil(SIZE.input / 2), 100],
    ["fractions", { prompt_tokens: 1.5, completion_tokens: 2.5 }, Math.ceil(SIZE.input / 2), 100],
    ["what may be true", { prompt_tokens: SIZE.input - 1, completion_tokens: 150 }, SIZE.input - 1, 150],
  ])(
    "the usage that an account's own server reports counts within limits: %s",
    async (_, usage, input_tokens, output_tokens) => {
      expect(await chargedFor(usage)).toEqual({ type: "usage", input_tokens, cached_tokens: 0, output_tokens });
    },
  );

  it("counts the arguments of tools", async () => {
    const steps = [{ call: { id: "a", name: "look", arguments: { text: "y".repeat(1_000) } } }];
    const { model } = served("openai", () => new Response(streamOf("openai", steps)));
    const usage = (await answered(withBoundedUsage(model))).parts.at(-1);
    expect(usage).toMatchObject({ type: "usage" });
    expect(usage?.type === "usage" ? usage.output_tokens : 0).toBeGreaterThan(250);
  });

  it("the usage that an account's own server reports is not counted before the answer, because an interruption would charge it", async () => {
    const start = { type: "message_start", message: { usage: { input_tokens: 1e12 } } };
    const { model } = served("openai", () => new Response(`data: ${JSON.stringify(start)}\n\n${HONEST}`));
    const read: number[] = [];
    await answered(withBoundedUsage(model), request({ onInput: (tokens) => read.push(tokens) }));
    expect(read).toEqual([]);
  });

  it("never exceeds its limits", () => {
    const count = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Number.MAX_VALUE, Number.NaN, Infinity));
    const reported = fc.record({ input_tokens: count, cached_tokens: count, output_tokens: count });
    const size = fc.record({ input: fc.nat(1e6), output: fc.nat(4_000) });
    fc.assert(
      fc.property(reported, size, fc.nat(1e7), (usage, reserved, bytes) => {
        const charged = withinBounds(usage, reserved, bytes);
        expect(charged.input_tokens).toBeLessThanOrEqual(reserved.input);
        expect(charged.input_tokens).toBeGreaterThanOrEqual(reserved.input / 2);
        expect(charged.cached_tokens).toBeLessThanOrEqual(charged.input_tokens);
        expect(charged.cached_tokens).toBeGreaterThanOrEqual(0);
        expect(charged.output_tokens).toBeLessThanOrEqual(reserved.output);
        expect(charged.output_tokens).toBeGreaterThanOrEqual(Math.min(reserved.output, bytes / 4));
      }),
    );
  });
});
