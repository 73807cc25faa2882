import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../../src/dev/stand-in-frames.ts";
import { APIS, answered, answering, begunStream, bytes, joined, request, served, streamOf } from "./support.ts";

const LOOK_UP = { id: "call_1", name: "look_up", arguments: { order: "A-1", __proto__x: [1, { ü: "→" }] } };
const USAGE = { type: "usage", input_tokens: 12, cached_tokens: 0, output_tokens: 7 };

describe.each(APIS)("the answers of %s", (api) => {
  it("a model's answer streams its words and reports the usage at the end", async () => {
    const { model } = answering(api, [{ say: "Good " }, { say: "morning. 👋" }]);
    expect(await answered(model)).toEqual({
      parts: [{ type: "text", text: "Good " }, { type: "text", text: "morning. 👋" }, USAGE],
      error: null,
    });
  });

  it("a character that a model's server sends in two halves arrives whole, and half a character as U+FFFD", async () => {
    const { model } = answering(api, [{ say: "Hi \ud83d" }, { say: "\udc4b, \ud800 and" }, { say: " bye \udc4b" }]);
    const { parts } = await answered(model);
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    expect(texts).toEqual(["Hi ", "👋, \ufffd and", " bye \ufffd"]);
  });

  it("arguments of a tool call that are nested deeper than 64 levels are invalid", async () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    const call = (levels: number) => ({ call: { id: `c${levels}`, name: "look_up", arguments: nested(levels) } });
    const { model } = answering(api, [call(64), call(65)]);
    const { parts } = await answered(model);
    const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call.arguments] : []));
    expect(calls).toEqual([nested(64), null]);
  });

  it("a model's answer reports how many input tokens were cached", async () => {
    const whole = streamOf(api, [{ say: "Good." }]);
    const cached =
      api === "openai"
        ? whole.replace('"prompt_tokens":12', '"prompt_tokens":12,"prompt_tokens_details":{"cached_tokens":8}')
        : whole.replace('"input_tokens":12', '"input_tokens":4,"cache_read_input_tokens":8');
    expect(cached).not.toBe(whole);
    const { model } = served(api, () => new Response(cached));
    const used = (await answered(model)).parts.at(-1);
    expect(used).toEqual({ type: "usage", input_tokens: 12, cached_tokens: 8, output_tokens: 7 });
  });

  it("a model's answer yields a part before the next one has arrived", async () => {
    const whole = streamOf(api, [{ say: "First." }, { say: "Second." }]);
    const at = whole.indexOf("Second.");
    const { model } = served(api, () => new Response(bytes([whole.slice(0, at)], "silence")));
    const parts = model.answer(request())[Symbol.asyncIterator]();
    expect(await parts.next()).toEqual({ done: false, value: { type: "text", text: "First." } });
  });

  it("a model's answer yields complete tool calls in order", async () => {
    const { model } = answering(api, [
      { say: "One moment." },
      { call: LOOK_UP },
      { call: { id: "call_2", name: "end_call", arguments: {} } },
    ]);
    expect((await answered(model)).parts).toEqual([
      { type: "text", text: "One moment." },
      { type: "tool_call", call: LOOK_UP },
      { type: "tool_call", call: { id: "call_2", name: "end_call", arguments: {} } },
      USAGE,
    ]);
  });

  it.each([
    ["", {}],
    ["{oops", null],
    ["[1]", null],
    ['"text"', null],
    ["null", null],
  ])("the model's arguments %j are read as %j", async (written, given) => {
    const { model } = answering(api, [{ call: { id: "c", name: "f", arguments: written } }]);
    expect((await answered(model)).parts[0]).toEqual({
      type: "tool_call",
      call: { id: "c", name: "f", arguments: given },
    });
  });

  it("comments, pings and unknown events in a model's answer are ignored", async () => {
    const odd = api === "openai" ? ": ping\n\nretry: 5\n\n" : ': ping\n\nevent: new\ndata: {"type":"new_kind"}\n\n';
    const { model } = answering(api, [{ say: "Yes" }, { raw: odd }, { say: "!" }]);
    expect(joined((await answered(model)).parts)).toEqual([{ type: "text", text: "Yes!" }, USAGE]);
  });

  it("a model's answer is complete if only the formal end is missing", async () => {
    const whole = streamOf(api, [{ say: "Done." }]);
    const end = api === "openai" ? whole.indexOf("data: [DONE]") : whole.indexOf("event: message_stop");
    for (const then of ["end", "break"] as const) {
      const { model } = served(api, () => new Response(bytes([whole.slice(0, end)], then)));
      // The AI SDK reports Anthropic's usage only at the formal end of the stream.
      const usage = api === "openai" ? [USAGE] : [];
      expect(await answered(model)).toEqual({ parts: [{ type: "text", text: "Done." }, ...usage], error: null });
    }
  });

  it("a model's answer may be empty", async () => {
    expect(await answered(answering(api, []).model)).toEqual({ parts: [USAGE], error: null });
  });

  it.each(["length", "content_filter"] as const)("a model's answer reports that it was cut by %s", async (by) => {
    const { model } = served(api, () => new Response(streamOf(api, [{ say: "We are" }], by)));
    expect(await answered(model)).toEqual({
      parts: [{ type: "text", text: "We are" }, { type: "cut", by }, USAGE],
      error: null,
    });
  });

  it("the model request is aborted if its consumer stops", async () => {
    let cancelled = 0;
    const { model } = served(api, () => new Response(bytes([begunStream(api)], "silence", () => cancelled++)));
    for await (const _ of model.answer(request())) break;
    expect(cancelled).toBe(1);
  });

  it("a model's answer yields the same parts however the bytes are split", async () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).map((say): Step => ({ say }));
    const call = fc
      .record({ id: fc.uuid(), name: fc.constant("look_up"), arguments: fc.dictionary(fc.string(), fc.jsonValue()) })
      .map((created): Step => ({ call: created }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(call, { maxLength: 2 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.constantFrom("\n", "\r\n"),
        async (words, calls, cuts, lineEnd) => {
          const text = streamOf(api, [...words, ...calls]).replaceAll("\n", lineEnd);
          const whole = new TextEncoder().encode(text);
          const at = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b), whole.length];
          const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
          const inOne = await answered(served(api, () => new Response(bytes([whole]))).model);
          const inPieces = await answered(served(api, () => new Response(bytes(pieces))).model);
          expect(inOne.error).toBeNull();
          expect(inPieces).toEqual(inOne);
          expect(inOne.parts).toHaveLength(words.length + calls.length + 1);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("answers of compatible servers", () => {
  const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const calling = (...tool_calls: object[]) => data({ choices: [{ delta: { tool_calls } }] });
  const parts = async (...frames: string[]) =>
    (await answered(served("openai", () => new Response(frames.join(""))).model)).parts;

  it("end at [DONE] without a finish reason or usage", async () => {
    expect(await parts(data({ choices: [{ delta: { content: "Hi." } }] }), "data: [DONE]\n\n")).toEqual([
      { type: "text", text: "Hi." },
    ]);
  });

  it("distinguish tool calls with equal or missing indexes", async () => {
    for (const index of [0, undefined]) {
      const found = await parts(
        calling({ index, id: "a", function: { name: "f", arguments: '{"x":1}' } }),
        calling({ index, id: "b", function: { name: "g", arguments: '{"y"' } }),
        calling({ index, function: { arguments: ":2}" } }),
        data({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }),
      );
      expect(found).toEqual([
        { type: "tool_call", call: { id: "a", name: "f", arguments: { x: 1 } } },
        { type: "tool_call", call: { id: "b", name: "g", arguments: { y: 2 } } },
      ]);
    }
  });

  it("give an id to a tool call without one", async () => {
    const found = await parts(
      calling({ index: 0, function: { name: "f", arguments: "{}" } }),
      data({ choices: [{ delta: {}, finish_reason: "stop" }] }),
    );
    expect(found).toEqual([
      { type: "tool_call", call: { id: expect.stringMatching(/^\w{8,}$/), name: "f", arguments: {} } },
    ]);
  });

  it("do not wait for the connection to close after the end", async () => {
    const body = () => bytes([streamOf("openai", [{ say: "Hi." }])], "silence");
    expect((await answered(served("openai", () => new Response(body())).model)).parts).toEqual([
      { type: "text", text: "Hi." },
      USAGE,
    ]);
  });

  it("yield a refusal as text", async () => {
    const found = await parts(data({ choices: [{ delta: { refusal: "I cannot." }, finish_reason: "stop" }] }));
    expect(found).toEqual([{ type: "text", text: "I cannot." }]);
  });
});
