import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { answer, begun, callWith, type Reply, refusal } from "./fallback-support.ts";

const SENTENCES = builtInSentences("en");
const OPEN = answer({ say: "It is open." });
const LOOK: Parameters<typeof answer>[0] = { call: { id: "a", name: "look", arguments: { day: "Friday" } } };
const ROLE = answer()[0] ?? "";

/** Asks an agent without a second model. Its server gives these replies; the last one repeats. */
async function asking(first: Reply[], over: Partial<Parameters<typeof callWith>[0]> = {}, ms = 45_000) {
  const talk = callWith(Object.assign({ first }, over));
  talk.hears("Are you open?");
  await talk.advance(ms);
  return talk;
}

describe("an agent without a second model", () => {
  it.each<[string, Reply]>([
    ["could not be reached", "UNREACHABLE"],
    ["never answered", "HANGS"],
    ["sent only keep-alives", [": hi\n\n", 5_000, ": hi\n\n", 5_000, "SILENCE"]],
    ["sent an opening chunk and fell silent", [ROLE, "SILENCE"]],
    ["broke off before its first token", [ROLE, "BREAK"]],
    ["sent a page", new Response("<html>Bad gateway</html>")],
    ["broke off in the middle of a word", begun([{ say: "It is op" }, { say: "X" }], '"content":"X"', "BREAK")],
    ["broke off in the middle of a tool's arguments", begun([LOOK], "Friday", "BREAK")],
    ...[408, 429, 500, 502, 503, 504, 529].map((status): [string, Reply] => [`answered ${status}`, refusal(status)]),
    ["asked for three seconds by 429", refusal(429, {}, { "retry-after": "3" })],
  ])("an agent without a second model asks its model again if it %s", async (_, first) => {
    const talk = await asking([first, OPEN]);
    expect([talk.models(), talk.turns().at(-1)]).toEqual([["first", "first"], expect.stringMatching(/It is open\.$/)]);
  });

  it.each<[string, Reply]>([
    ...[301, 302, 307, 308, 400, 401, 403, 404, 413, 422].map((status): [string, Reply] => [
      `answered ${status}`,
      refusal(status, {}, { location: "http://10.0.0.1/" }),
    ]),
    ["used up its quota", refusal(429, { error: { code: "insufficient_quota" } })],
  ])("apologizes at once if its model %s", async (_, first) => {
    const talk = await asking([first, OPEN], {}, 1_000);
    expect([talk.models(), talk.turns()]).toEqual([["first"], [SENTENCES.apology]]);
  });
});

describe("an account's own model server", () => {
  const kind = "custom_llm" as const;

  it("a model server that redirects to a private address is not followed", async () => {
    const talk = await asking([refusal(302, {}, { location: "http://10.0.0.1/" })], { kind }, 1_000);
    expect(talk.asked.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect(talk.turns()).toEqual([SENTENCES.apology]);
  });

  it("a model server that streams endlessly is aborted after a minute", async () => {
    const words = Array.from({ length: 100 }, () => ({ say: "and " }));
    const endless = answer(...words).flatMap((frame) => [frame, 1_000]);
    const talk = await asking([endless, OPEN], { kind }, 75_000);
    expect(talk.models()).toEqual(["first", "first"]);
  });

  it("a model server that sends a huge answer is cut off at 8,000 characters", async () => {
    const talk = await asking([answer({ say: "We are open. ".repeat(100_000) })], { kind }, 5_000);
    const said = talk.store.events.filter((event) => event.type === "agent_turn");
    expect(said.map(({ finish }) => finish)).toEqual(["length"]);
    expect(said[0]?.text.length).toBeLessThanOrEqual(8_000);
  });

  it("a model server that lies about its usage is charged at most the reservation", async () => {
    const lie = OPEN.map((frame) => String(frame).replace('"prompt_tokens":12', '"prompt_tokens":999999999999'));
    const talk = await asking([lie], { kind }, 1_000);
    const [{ input } = expect.fail("nothing was charged")] = talk.charged;
    expect(input).toBeGreaterThan(12);
    expect(input).toBeLessThan(100_000);
  });
});
