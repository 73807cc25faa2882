import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { answer, callWith, type Reply, refusal, type Sent } from "./fallback-support.ts";

const SENTENCES = builtInSentences("en");
const kind = "custom_llm";
const OPEN = answer({ say: "It is open." });

/** Creates a call whose agent uses the account's own model server. */
async function thinkingAt(replies: Reply[], ms = 30_000, second?: Reply[]) {
  const talk = callWith({ first: replies, kind, ...(second && { second }) });
  talk.hears("Are you open?");
  await talk.advance(ms);
  return talk;
}

describe("an account's own model server", () => {
  it("answers, and its reported usage is charged within limits", async () => {
    const talk = await thinkingAt([OPEN]);
    expect(talk.turns()).toEqual(["It is open."]);
    const [usage] = talk.usage();
    expect(usage).toMatchObject({ model: "custom_llm/first", output_tokens: 7 });
    expect(usage?.input_tokens).toBeGreaterThan(100);
    expect(talk.charged).toEqual([{ input: usage?.input_tokens, output: 7 }]);
  });

  it("a model server that redirects to a private address is refused without following the redirect", async () => {
    const talk = await thinkingAt([refusal(302, {}, { location: "http://169.254.169.254/latest/meta-data" })]);
    expect(talk.asked.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect(talk.turns().at(-1)).toBe(SENTENCES.apology);
  });

  it("a model server that redirects is replaced by the second model", async () => {
    const talk = await thinkingAt([refusal(307, {}, { location: "https://elsewhere.invalid/" })], 5_000, [OPEN]);
    expect(talk.turns()).toEqual(["It is open."]);
  });

  it("a model server that never stops talking is cut off at a charge within the reservation", async () => {
    const talk = await thinkingAt([answer(...Array.from({ length: 2_000 }, () => ({ say: "and then " })))]);
    expect(talk.turns()[0]?.length).toBe(8_000);
    expect(talk.charged[0]?.output).toBeLessThanOrEqual(1_000);
  });

  it("a model server that never stops reasoning is given up", async () => {
    const thought: Sent[] = ['data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n', 3_000];
    const talk = await thinkingAt([Array.from({ length: 40 }, () => thought).flat()], 200_000);
    expect(talk.turns().at(-1)).toBe(SENTENCES.apology);
    expect(talk.lines.at(-1)).toContain("ends: model_failed");
  });

  it.each<[string, Sent[]]>([
    [
      "a line without end",
      [
        'data: {"choices":[{"delta":{"content":"',
        ..."x"
          .repeat(9)
          .split("")
          .map((x) => x.repeat(1_000_000)),
      ],
    ],
    ["comments without end", Array.from({ length: 90 }, () => `: ${"x".repeat(100_000)}\n\n`)],
    [
      "arguments of a tool without end",
      [
        'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":"{"}}]}}]}\n\n',
        ...Array.from(
          { length: 90 },
          () =>
            `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"${"x".repeat(100_000)}"}}]}}]}\n\n`,
        ),
      ],
    ],
  ])("a model server that sends %s is not read to the end", async (_, sent) => {
    const talk = await thinkingAt([sent, OPEN], 10_000);
    expect(talk.turns()).toEqual(["It is open."]);
    expect(talk.models()).toEqual(["first", "first"]);
  });

  it("a model server with a huge answer is replaced by the second model before its first word", async () => {
    const talk = await thinkingAt([Array.from({ length: 90 }, () => `: ${"x".repeat(100_000)}\n\n`)], 5_000, [OPEN]);
    expect([talk.models(), talk.turns()]).toEqual([["first", "second"], ["It is open."]]);
  });

  it.each([
    ["nothing", '"usage":{"prompt_tokens":0,"completion_tokens":0}'],
    ["more than there is", '"usage":{"prompt_tokens":900000000000,"completion_tokens":900000000000}'],
  ])("a model server that reports %s is charged by the service's own count", async (_, usage) => {
    const lying = OPEN.map((frame) =>
      String(frame).replace('"usage":{"prompt_tokens":12,"completion_tokens":7}', usage),
    );
    const talk = await thinkingAt([lying]);
    const [charged] = talk.charged;
    expect(charged?.input).toBeGreaterThan(100);
    expect(charged?.input).toBeLessThan(10_000);
    expect(charged?.output).toBeGreaterThan(0);
    expect(charged?.output).toBeLessThanOrEqual(1_000);
    expect(talk.usage()).toMatchObject([{ input_tokens: charged?.input, output_tokens: charged?.output }]);
  });
});
