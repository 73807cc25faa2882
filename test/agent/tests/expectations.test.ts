import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failuresOf, holds } from "../../../src/agent/tests/expectations.ts";
import type { TestConversation, TestTurn } from "../../../src/agent/tests/transcript.ts";
import type { TestExpectation } from "../../../src/kernel/db/schema/index.ts";

const words = (role: "user" | "agent", text: string): TestTurn => ({ role, text, tool: null });
const used = (name: string, given: Record<string, unknown> = {}): TestTurn => ({
  role: "tool",
  text: "done",
  tool: { name, arguments: given, ok: true, answered_by: "mock" },
});

const TALK: TestConversation = {
  transcript: [
    words("agent", "Good morning!"),
    words("user", "Refund me at once"),
    used("look_up", { order: 7, options: { deep: true, lang: "en" } }),
    words("agent", "Your ORDER left on Friday."),
    used("set_disposition", { value: "resolved" }),
    used("end_call"),
  ],
  disposition: "resolved",
  ended: true,
  transferred: false,
};

const turnOf = (expectation: TestExpectation) => failuresOf(TALK, [expectation]).map(({ turn }) => turn);

describe("expectations", () => {
  it.each<[TestExpectation, (number | null)[]]>([
    [{ said: "order left" }, []],
    [{ said: "refund" }, [null]],
    [{ not_said: "friday" }, [3]],
    [{ not_said: "refund" }, []],
    [{ tool_called: { name: "look_up" } }, []],
    [{ tool_called: { name: "look_up", arguments: { order: 7, options: { lang: "en" } } } }, []],
    [{ tool_called: { name: "look_up", arguments: { order: 8 } } }, [2]],
    [{ tool_called: { name: "refund" } }, [null]],
    [{ tool_not_called: "look_up" }, [2]],
    [{ tool_not_called: "refund" }, []],
    [{ disposition: "resolved" }, []],
    [{ disposition: "angry" }, [4]],
    [{ ended: true }, []],
    [{ ended: false }, [5]],
    [{ transferred: true }, [null]],
    [{ transferred: false }, []],
    [{ max_turns: 2 }, []],
    [{ max_turns: 1 }, [3]],
  ])("the expectation %j is checked against the turns", (expectation, turns) =>
    expect(turnOf(expectation)).toEqual(turns),
  );
});

it.each([
  ["STRASSE 5", "straße"],
  ["Straße 5", "STRASSE"],
  ["ΟΔΟΣ", "οδοσ"],
  ["İSTANBUL", "İstanbul"],
  ["CAFÉ", "cafe\u0301"],
])("the words %s are found to say %s in any case", (text, said) => {
  const talk = { ...TALK, transcript: [words("agent", text)] };
  expect(failuresOf(talk, [{ said }])).toEqual([]);
  expect(failuresOf(talk, [{ not_said: said }])).toHaveLength(1);
});

const turn = fc.oneof(
  fc.record({ role: fc.constantFrom("user" as const, "agent" as const), text: fc.string(), tool: fc.constant(null) }),
  fc
    .tuple(fc.constantFrom("a", "b"), fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([name, given]) => used(name, given)),
);
const talk: fc.Arbitrary<TestConversation> = fc.record({
  transcript: fc.array(turn, { maxLength: 12 }),
  disposition: fc.option(fc.constantFrom("x", "y")),
  ended: fc.boolean(),
  transferred: fc.boolean(),
});

describe("expectations of a test", () => {
  it("contradict each other if they are opposites", () => {
    fc.assert(
      fc.property(
        talk,
        fc.string({ minLength: 1, maxLength: 3 }),
        fc.constantFrom("a", "b", "c"),
        (one, phrase, name) => {
          const failures = (expectation: TestExpectation) => failuresOf(one, [expectation]).length;
          expect(failures({ said: phrase }) + failures({ not_said: phrase })).toBe(1);
          expect(failures({ tool_called: { name } }) + failures({ tool_not_called: name })).toBe(1);
          expect(failures({ ended: true }) + failures({ ended: false })).toBe(1);
          expect(failures({ transferred: true }) + failures({ transferred: false })).toBe(1);
        },
      ),
    );
  });

  it("expectations of a test are independent, and refer to turns of the transcript", () => {
    const expectation: fc.Arbitrary<TestExpectation> = fc.oneof(
      fc.record({ said: fc.string({ minLength: 1, maxLength: 2 }) }),
      fc.record({ not_said: fc.string({ minLength: 1, maxLength: 2 }) }),
      fc.record({ tool_not_called: fc.constantFrom("a", "b") }),
      fc.record({ max_turns: fc.nat(4) }),
      fc.record({ disposition: fc.constantFrom("x", "y") }),
    );
    fc.assert(
      fc.property(talk, fc.array(expectation, { maxLength: 6 }), (one, all) => {
        const failures = failuresOf(one, all);
        expect(failures).toEqual(all.flatMap((each) => failuresOf(one, [each])));
        for (const { turn: at } of failures) if (at !== null) expect(one.transcript[at]).toBeDefined();
      }),
    );
  });

  it("accept arguments that contain the expected ones, and every value contains itself", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (whole, kept) => {
        const part = Object.fromEntries(
          Object.entries(whole).filter(([name]) => kept.includes(name) || name.length > 3),
        );
        expect(holds(whole, part)).toBe(true);
        expect(holds(whole, whole)).toBe(true);
        expect(holds({}, { missing: 1 })).toBe(false);
      }),
    );
  });
});
