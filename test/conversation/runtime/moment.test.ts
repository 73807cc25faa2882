import { describe, expect, it } from "vitest";
import { promptOf } from "../../../src/conversation/runtime/models/prompt.ts";
import { historyOf } from "../../../src/conversation/runtime/turns/history.ts";
import { instructionsOf } from "../../../src/conversation/runtime/turns/instructions.ts";
import { dataOf } from "../../../src/conversation/runtime/turns/moment.ts";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { session } from "./scripted/support.ts";

const CLOCK = {
  timezone: "Pacific/Auckland",
  local_time: { date: "2026-11-22", weekday: "Sunday", time: "23:58" },
};
/** The beginning of the session: 23:58 in Auckland. */
const BEGAN = Date.parse("2026-11-22T10:58:10Z");

/** Creates turns of both sides, each this many minutes after the beginning. */
const saidAt = (...minutes: number[]): ConversationEvent[] =>
  minutes.flatMap((minute, n) => {
    const at = new Date(BEGAN + minute * 60_000).toISOString();
    return [
      { seq: 2 * n + 1, at, type: "user_turn", text: `Question ${n + 1}?` },
      { seq: 2 * n + 2, at, type: "agent_turn", text: `Answer ${n + 1}.` },
    ] satisfies ConversationEvent[];
  });

const textsOf = (events: ConversationEvent[]) =>
  historyOf(events, CLOCK).map((one) => (one.role === "user" && one.note ? `${one.note} ${one.text}` : one.text));

describe("the current time for a model", () => {
  it("the current time is data with date, weekday and zone, outside the instructions", () => {
    const snapshot = session("Front Desk", Object.assign({ variables: {} }, CLOCK));
    const [about, json = ""] = dataOf(snapshot).split("\n");
    expect(about).toContain("by the clock of the other person");
    expect(JSON.parse(json)).toEqual(Object.assign({ timezone: "Pacific/Auckland" }, CLOCK.local_time));
    const later = Object.assign({}, snapshot, {
      local_time: { date: "2030-01-01", weekday: "Tuesday", time: "00:00" },
    });
    expect(instructionsOf(later)).toBe(instructionsOf(snapshot));
  });

  it("precedes the facts about the person", () => {
    const data = dataOf(session("Front Desk", Object.assign({ variables: { name: "Ada" } }, CLOCK)));
    expect(data.indexOf("Pacific/Auckland")).toBeLessThan(data.indexOf('"name": "Ada"'));
  });

  it("the time is added to words of a later minute, even past midnight", () => {
    expect(textsOf(saidAt(0, 0, 1, 1, 3))).toEqual([
      "Question 1?",
      "Answer 1.",
      "Question 2?",
      "Answer 2.",
      "(It is Sunday, 2026-11-22, 23:59 now.) Question 3?",
      "Answer 3.",
      "Question 4?",
      "Answer 4.",
      "(It is Monday, 2026-11-23, 00:01 now.) Question 5?",
      "Answer 5.",
    ]);
  });

  it("does not change what was sent before, so that providers can cache it", () => {
    const events = saidAt(0, 1, 1, 2, 5, 61);
    const snapshot = session("Front Desk", CLOCK);
    const promptTo = (turns: number) =>
      promptOf({ kind: "openai" } as Parameters<typeof promptOf>[0], {
        system: instructionsOf(snapshot),
        facts: dataOf(snapshot),
        messages: historyOf(events.slice(0, turns), CLOCK),
        tools: [],
        max_output_tokens: 100,
        signal: new AbortController().signal,
      });
    const whole = promptTo(events.length);
    for (let turns = 2; turns < events.length; turns += 2)
      expect(whole.slice(0, promptTo(turns).length), `${turns}`).toEqual(promptTo(turns));
  });
});
