import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { answer, begun, callWith, type Reply, refusal } from "./fallback-support.ts";

const SENTENCES = builtInSentences("en");
const OPEN = answer({ say: "It is open." });
const LOOK: Parameters<typeof answer>[0] = { call: { id: "a", name: "look", arguments: { day: "Friday" } } };
const ROLE = answer()[0] ?? "";

/** Lets the second model answer after the first one fails with this reply. */
async function failing(first: Reply) {
  const talk = callWith({ first: [first], second: [OPEN] });
  talk.hears("Are you open?");
  await talk.advance(15_000);
  return talk;
}

describe("a first model that fails before its first word is replaced by the second", () => {
  it.each<[string, Reply, number]>([
    ["cannot be reached", "UNREACHABLE", 0],
    ["never answers", "HANGS", 4],
    ["sends nothing", ["SILENCE"], 4],
    ["sends only keep-alives", [": hi\n\n", 2_000, ": hi\n\n", 1_500, ": hi\n\n", 2_000, ": hi\n\n", "SILENCE"], 4],
    [
      "sends only pieces without a choice",
      ['data: {"choices":[]}\n\n', 3_000, 'data: {"choices":[]}\n\n', "SILENCE"],
      4,
    ],
    ["sends an opening chunk and falls silent", [ROLE, "SILENCE"], 4],
    ["sends opening chunks again and again", Array.from({ length: 8 }, () => [ROLE, 1_500]).flat(), 4],
    [
      "only thinks",
      Array.from({ length: 8 }, () => ['data: {"choices":[{"delta":{"reasoning":"hm"}}]}\n\n', 2_000]).flat(),
      10,
    ],
    ["breaks off before its first token", [ROLE, "BREAK"], 0],
    ["ends before its first token", [ROLE], 0],
    ["sends garbage", ["data: {not json\n\n"], 0],
    ["sends a page", new Response("<html>Bad gateway</html>"), 0],
    ["reports an error in its stream", [ROLE, 'data: {"error":{"message":"overloaded"}}\n\n'], 0],
    ["sends blanks and breaks off", begun([{ say: " " }, { say: "X" }], '"content":"X"', "BREAK"), 0],
    ...[500, 502, 503, 504, 529].map((status): [string, Reply, number] => [`answers ${status}`, refusal(status), 0]),
    ["answers 503 and asks for a second", refusal(503, {}, { "retry-after": "1" }), 0],
    ["asks for three seconds by 429", refusal(429, {}, { "retry-after": "3" }), 0],
    ["has used up its quota", refusal(429, { error: { code: "insufficient_quota" } }, { "retry-after": "1" }), 0],
    ["has used up its quota, by type", refusal(429, { error: { type: "insufficient_quota" } }), 0],
    ...[301, 302, 307, 308, 400, 401, 403, 404, 413, 422].map((status): [string, Reply, number] => [
      `answers ${status}`,
      refusal(status, {}, { location: "http://10.0.0.1/" }),
      0,
    ]),
  ])("the second model answers if the first %s", async (_, first, seconds) => {
    const talk = await failing(first);
    expect([talk.models(), talk.at("says It is open.")]).toEqual([["first", "second"], seconds]);
    expect(talk.turns().filter((text) => text !== SENTENCES.filler)).toEqual(["It is open."]);
    expect(talk.usage()).toMatchObject([
      { model: "openai/first", failed: true },
      { model: "openai/second", fallback: true, input_tokens: 12, output_tokens: 7 },
    ]);
  });

  it("a first model that fails after a filler is replaced by the second", async () => {
    const talk = await failing("HANGS");
    expect([talk.at(`says ${SENTENCES.filler}`), talk.at("says It is open.")]).toEqual([1.5, 4]);
    expect(talk.asked[1]?.messages).toEqual(talk.asked[0]?.messages);
  });

  it("a first model that fails is charged as interrupted, each request with its own reservation", async () => {
    const hanging = await failing("HANGS");
    expect(hanging.charged).toMatchObject([{ output: 0 }, { input: 12, output: 7 }]);
    expect(hanging.charged[0]?.input).toBeGreaterThan(100);
    const refused = await failing(refusal(500));
    expect(refused.charged).toEqual([
      { input: 0, output: 0 },
      { input: 12, output: 7 },
    ]);
  });

  it("a first model that fails in the middle of a turn is replaced, and tool results stay", async () => {
    const talk = callWith({ first: [answer(LOOK), refusal(500)], second: [OPEN], reads: { look: 100 } });
    talk.hears("Are you open?");
    await talk.advance(5_000);
    expect(talk.models()).toEqual(["first", "first", "second"]);
    expect(talk.asked[2]?.messages).toEqual(talk.asked[1]?.messages);
    expect(talk.asked[2]?.messages.at(-1)).toMatchObject({ role: "tool" });
    expect(talk.turns()).toEqual(["It is open."]);
  });
});

describe("a first model is asked again", () => {
  it.each([
    ["without a time", refusal(429)],
    ["for a second", refusal(429, {}, { "retry-after": "1" })],
    ["for two seconds", refusal(429, {}, { "retry-after": "2" })],
    ["by 408", refusal(408)],
  ])("a first model is asked again once if it asks to wait %s", async (_, busy) => {
    const patient = callWith({ first: [busy, OPEN], second: [OPEN] });
    patient.hears("Are you open?");
    await patient.advance(5_000);
    expect(patient.models()).toEqual(["first", "first"]);
    const busier = callWith({ first: [busy], second: [OPEN] });
    busier.hears("Are you open?");
    await busier.advance(5_000);
    expect(busier.models()).toEqual(["first", "first", "second"]);
  });

  it.each<[string, Reply]>([
    ["after its first word", begun([{ say: "Well" }, { say: "X" }], '"content":"X"', "BREAK")],
    ["in the middle of a word", begun([{ say: "It is op" }, { say: "X" }], '"content":"X"', "SILENCE")],
    ["in the middle of a tool's arguments", begun([LOOK], "Friday", "BREAK")],
  ])("a first model is asked again if it fails %s, and the second is not", async (_, first) => {
    const talk = callWith({ first: [first, refusal(500), OPEN], second: [answer({ say: "No." })] });
    talk.hears("Are you open?");
    await talk.advance(30_000);
    expect(talk.models()).toEqual(["first", "first", "first"]);
    expect(talk.turns().at(-1)).toMatch(/It is open\.$/);
  });

  it("a first model is asked again if it writes a tool's arguments for longer than its first word may take", async () => {
    const whole = answer(LOOK).flatMap((frame, n) => (n < 4 ? [frame, 3_900] : [frame]));
    const talk = callWith({ first: [whole, OPEN], second: [answer({ say: "No." })], reads: { look: 100 } });
    talk.hears("Are you open?");
    await talk.advance(40_000);
    expect(talk.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool" });
    expect([talk.models(), talk.turns().at(-1)]).toEqual([["first", "first"], "It is open."]);
  });

  it("a first model is asked again a minute after it failed, and not before", async () => {
    const talk = callWith({ first: [refusal(500), OPEN], second: [OPEN] });
    for (const _ of [1, 2]) {
      talk.hears("Are you open?");
      await talk.advance(20_000);
    }
    expect(talk.models()).toEqual(["first", "second", "second"]);
    await talk.advance(20_000);
    talk.hears("Are you open?");
    await talk.advance(2_000);
    expect(talk.models()).toEqual(["first", "second", "second", "first"]);
  });

  it("a first model is asked again at once after the second was given up", async () => {
    const talk = callWith({ first: [refusal(500), OPEN], second: [refusal(401)] });
    talk.hears("Are you open?");
    await talk.advance(1_000);
    expect([talk.turns(), talk.models()]).toEqual([[SENTENCES.apology], ["first", "second"]]);
    talk.hears("Are you open?");
    await talk.advance(1_000);
    expect(talk.models()).toEqual(["first", "second", "first"]);
  });
});

describe("models that fail", () => {
  it("an apology is said and the conversation ends if both models fail", async () => {
    const talk = callWith({ first: ["HANGS"], second: [refusal(500)] });
    talk.hears("Are you open?");
    await talk.advance(60_000);
    expect(talk.models()).toEqual(["first", "second", "second", "second", "second", "second"]);
    expect([talk.at(`says ${SENTENCES.apology}`), talk.turns().at(-1)]).toEqual([11.5, SENTENCES.apology]);
    expect(talk.lines.at(-1)).toContain("ends: model_failed");
  });

  it("a model without a second one gets more time for its first word, and is then asked again", async () => {
    const talk = callWith({ first: ["HANGS", OPEN] });
    talk.hears("Are you open?");
    await talk.advance(20_000);
    expect([talk.models(), talk.at("says It is open.")]).toEqual([["first", "first"], 8.5]);
  });

  it("the second model is not asked if the budget covers only one request", async () => {
    const talk = callWith({ first: ["HANGS"], second: [OPEN], reservations: 1 });
    talk.hears("Are you open?");
    await talk.advance(20_000);
    expect([talk.models(), talk.turns().at(-1)]).toEqual([["first"], SENTENCES.budget]);
    expect(talk.charged).toMatchObject([{ output: 0 }]);
  });
});
