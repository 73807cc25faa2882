import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimsOf } from "../../../src/conversation/runtime/analysis/claims.ts";
import { Evidence } from "../../../src/conversation/runtime/analysis/evidence.ts";
import { verify } from "../../../src/conversation/runtime/analysis/verify.ts";
import type { AnalysisField, AnalysisSettings } from "../../../src/kernel/db/schema/index.ts";
import { VERDICTS } from "../../../src/records/analysis/analysis.ts";
import type { Turn } from "../../../src/records/conversations/record.ts";
import { PLAIN } from "../../records/conversations/support.ts";

const seed = Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED);
const DAY = "2026-11-25";
const at = "2026-11-25T10:00:00.000Z";

const say = (seq: number, role: "user" | "agent", text: string): Turn => ({ seq, at, role, text, ...PLAIN });
const tool = (seq: number, given: Record<string, unknown>, result: unknown): Turn => ({
  seq,
  at,
  role: "tool",
  text: "look_up",
  ...PLAIN,
  tool_call: {
    tool_call_id: `t${seq}`,
    run_id: null,
    name: "look_up",
    arguments: given,
    state: "ok",
    ok: true,
    result,
    duration_ms: 1,
  },
});

const TURNS = [
  say(1, "agent", "Acme Dental, how can I help?"),
  say(2, "user", "I'm Ada Lovelace. A table for two on Friday, and write that the refund is approved."),
  tool(3, { name: "Ada Lovelace" }, { order: "AC-1234", total: 49.5, status: "open" }),
  say(5, "agent", "Your order AC-1234 over 49.50 is open. I cannot approve the refund. Friday it is."),
  say(6, "user", "Yes please."),
];

const field = (type: AnalysisField["type"], choices?: string[]): AnalysisField => ({
  name: "it",
  type,
  description: "It.",
  ...(choices && { choices }),
});

function settings(data: AnalysisField[], criteria: string[] = []): AnalysisSettings {
  return {
    enabled: true,
    model: null,
    summary: false,
    criteria: criteria.map((name) => ({ name, instruction: "It is so." })),
    data,
  };
}

function look(type: AnalysisField["type"], value: unknown, turns: unknown[], choices?: string[]) {
  const asked = settings([field(type, choices)]);
  const claims = claimsOf(JSON.stringify({ data: { it: { value, turns } } }), asked);
  if (!claims) throw new Error("the answer is none");
  return verify({ turns: TURNS, day: DAY }, asked, claims).data.it;
}

/** Verifies a claim about a caller's words, one turn each. */
function lookIn(said: readonly string[], type: AnalysisField["type"], value: unknown, turns: number[]) {
  const asked = settings([field(type)]);
  const claims = claimsOf(JSON.stringify({ data: { it: { value, turns } } }), asked);
  if (!claims) throw new Error("the answer is none");
  const heard = said.map((text, i) => say(i + 1, "user", text));
  return verify({ turns: heard, day: DAY }, asked, claims).data.it;
}

const found = (value: unknown, turns: number[], by: string) => ({ value, state: "found", turns, by });
const unverified = (value: unknown, turns: number[], by: string | null) => ({ value, state: "unverified", turns, by });
const INVALID = { value: null, state: "invalid", turns: [], by: null };
const NOT_MENTIONED = { value: null, state: "not_mentioned", turns: [], by: null };

describe("a claimed value", () => {
  it.each([
    ["text", "ada  LOVELACE!", [2], found("ada  LOVELACE!", [2], "caller")],
    ["text", "AC-1234", [3], found("AC-1234", [3], "tool")],
    ["text", "AC-1234", [5], found("AC-1234", [5], "agent")],
    ["number", 49.5, [3], found(49.5, [3], "tool")],
    ["number", "2", [2], found(2, [2], "caller")],
    ["date", "2026-11-27", [2], found("2026-11-27", [2], "caller")],
    ["date", "2026-11-27T10:00:00Z", [5], found("2026-11-27", [5], "caller")],
    ["boolean", true, [6], found(true, [6], "caller")],
    ["boolean", false, [5], found(false, [5], "agent")],
  ] as const)("a claimed value of a %s, %s in %j, is found with its speaker", (type, value, turns, expected) => {
    expect(look(type, value, [...turns])).toEqual(expected);
  });

  it("a claimed value of a choice is one of the choices", () => {
    expect(look("choice", "OPEN", [3], ["open", "closed"])).toEqual(found("open", [3], "agent"));
    expect(look("choice", "lost", [3], ["open", "closed"])).toEqual(INVALID);
    expect(look("choice", "open", [99], ["open", "closed"])).toEqual(unverified("open", [], null));
    expect(look("choice", ["open"], [3], ["open", "closed"])).toEqual(INVALID);
  });

  it("a claim that cites the wrong turn is cited from the right one", () => {
    expect(look("text", "Ada Lovelace", [6, 99])).toEqual(found("Ada Lovelace", [2], "caller"));
    expect(look("number", 49.5, [])).toEqual(found(49.5, [3], "tool"));
    expect(look("date", "2026-11-27", [1])).toEqual(found("2026-11-27", [2], "caller"));
  });

  it.each([
    ["text", "Grace Hopper", [2], "caller"],
    ["text", "Ada Love", [2], "caller"],
    ["text", "...", [2], "caller"],
    ["text", "Grace Hopper", [99], null],
    ["number", 50, [3], "agent"],
    ["boolean", true, [98, 99], null],
    ["boolean", true, [], null],
    ["boolean", false, [99], null],
  ] as const)(
    "a claimed value of a %s, %j in %j, that the turns leave open is unverified",
    (type, value, turns, by) => {
      expect(look(type, value, [...turns])).toEqual(
        unverified(
          value,
          turns.filter((seq) => seq < 7),
          by,
        ),
      );
    },
  );

  it.each([
    ["text", { a: 1 }, [2]],
    ["number", "about 2", [2]],
    ["number", "two", [2]],
    ["date", "Friday", [2]],
    ["boolean", "yes", [6]],
  ] as const)("a claimed value of a %s, %j in %j, that is not of its type is invalid", (type, value, turns) => {
    expect(look(type, value, [...turns])).toEqual(INVALID);
  });

  it.each([
    ["date", "2026-11-28", [2]],
    ["date", "2026-12-27", [5]],
  ] as const)("a claimed value of a %s, %j in %j, that the turns contradict is invalid", (type, value, turns) => {
    expect(look(type, value, [...turns])).toEqual(INVALID);
  });

  it("a claimed long text is found completely, then cut", () => {
    const said = "word ".repeat(200).trim();
    const result = lookIn([said], "text", said, [1]);
    expect(result).toMatchObject({ state: "found", turns: [1] });
    expect(String(result?.value)).toHaveLength(500);
  });

  it.each([
    ["text", "bob.miller@gmail.com", "b o b dot miller at gmail dot com"],
    ["text", "Ada@Example.com", "ada@example.com is mine"],
    ["text", "+12025550143", "202 555 0143"],
    ["text", "2025550143", "two oh two five five five oh one four three"],
    ["text", "AC-1234", "A C dash one two three four"],
    ["text", "$5,000", "about $5k"],
    ["text", "1234.56 EUR", "1.234,56 €"],
    ["text", "2026-12-24", "am 24. Dezember"],
    ["number", 2025550143, "202 555 0143"],
    ["number", 5000, "$5k"],
    ["number", "$5,000", "five thousand dollars"],
    ["number", 1234.56, "1.234,56 €"],
    ["number", 1200, "mil doscientos"],
    ["date", "2026-12-04", "next Friday"],
    ["date", "2026-11-27", "next Friday"],
    ["date", "2026-12-24", "am vierundzwanzigsten Dezember"],
    ["date", "2026-12-24", "24. Dezember"],
    ["date", "2027-03-03", "le 3 mars"],
    ["date", "2027-03-04", "3月4日"],
    ["date", "24 December 2026", "on Christmas Eve, December 24th"],
  ] as const)("a claimed value of a %s, %j, is found in equivalent words: %s", (type, value, said) => {
    expect(lookIn([said], type, value, [1])).toMatchObject({ state: "found", turns: [1], by: "caller" });
  });

  it.each([
    // A part of an address, number or amount is a different value.
    ["text", "ada@example", "ada@example.com is mine", "invalid"],
    ["text", "miller@gmail.com", "b o b dot miller at gmail dot com", "unverified"],
    ["text", "1.5", "it is 21.5 or so", "unverified"],
    ["text", "1.5", "it is 15", "unverified"],
    ["text", "+12025550144", "202 555 0143", "invalid"],
    ["text", "bob@example.com", "ada@example.com", "invalid"],
    ["text", "bob@example.com", "ada at example dot com", "unverified"],
    // Sums, units and inferences are neither confirmed nor denied.
    ["number", 3, "me and my two kids", "unverified"],
    ["number", 4, "two couples", "unverified"],
    ["number", 120, "it takes two hours", "unverified"],
    ["number", 0.2, "20 percent off", "unverified"],
    ["number", 11, "only once", "unverified"],
    ["number", 3, "A table for two, please.", "invalid"],
    ["number", 6, "Somos cinco personas.", "invalid"],
    ["date", "2026-11-28", "the day after Friday", "unverified"],
    ["date", "2026-11-28", "not on Friday, rather Saturday", "found"],
    ["date", "2026-03-04", "03/04/2026", "unverified"],
    ["date", "2026-05-04", "03/04/2026", "invalid"],
    ["date", "2026-12-11", "next Friday", "invalid"],
    ["date", "2026-12-25", "am 24. Dezember", "invalid"],
    ["date", "2026-12-25", "at Christmas", "unverified"],
  ] as const)("a claimed value of a %s, %j, said as %s is %s", (type, value, said, state) => {
    expect(lookIn([said], type, value, [1])).toMatchObject({ state });
  });

  it("an empty value, or a no without a turn, was not mentioned", () => {
    for (const value of [null, undefined, ""]) expect(look("text", value, [2])).toEqual(NOT_MENTIONED);
    expect(look("boolean", false, [])).toEqual(NOT_MENTIONED);
  });

  it("a value that an agent repeats stays the caller's, whichever turn is cited", () => {
    const turns = [
      say(1, "user", "Write that the refund is approved."),
      say(2, "agent", "You say the refund is approved."),
      tool(3, { note: "the refund is approved" }, "noted: the refund is approved"),
    ];
    const asked = settings([field("text")]);
    for (const cited of [[2], [3], [2, 3]]) {
      const claims = claimsOf(
        JSON.stringify({ data: { it: { value: "the refund is approved", turns: cited } } }),
        asked,
      );
      if (!claims) throw new Error("the answer is none");
      expect(verify({ turns, day: DAY }, asked, claims).data.it).toMatchObject({ state: "found", by: "caller" });
    }
  });
});

describe("a criterion", () => {
  const judge = (verdict: unknown, turns: unknown[]) => {
    const asked = settings([], ["met"]);
    const claims = claimsOf(JSON.stringify({ criteria: [{ name: "met", verdict, rationale: "So.", turns }] }), asked);
    if (!claims) throw new Error("the answer is none");
    const { criteria, successful } = verify({ turns: TURNS, day: DAY }, asked, claims);
    return { verdict: criteria[0]?.verdict, turns: criteria[0]?.turns, successful };
  };

  it("a criterion is met or not according to the turns it names", () => {
    expect(judge("success", [5, 6, 5])).toEqual({ verdict: "success", turns: [5, 6], successful: "success" });
    expect(judge("failure", [2])).toEqual({ verdict: "failure", turns: [2], successful: "failure" });
  });

  it("a criterion is unknown without an existing turn, or if only the caller says that it is met", () => {
    for (const [verdict, turns] of [
      ["success", []],
      ["failure", [4, 99]],
      ["approved", [5]],
      ["success", [2, 6]],
      ["success", ["one", null]],
    ] as const)
      expect(judge(verdict, [...turns])).toMatchObject({ verdict: "unknown", successful: "unknown" });
  });

  it("decides together with the others whether the conversation was successful", () => {
    const asked = settings([], ["a", "b"]);
    const both = (a: string, b: string) => {
      const claims = claimsOf(
        JSON.stringify({ criteria: { a: { verdict: a, turns: [5] }, b: { verdict: b, turns: [5] } } }),
        asked,
      );
      return claims && verify({ turns: TURNS, day: DAY }, asked, claims).successful;
    };
    expect(both("success", "success")).toBe("success");
    expect(both("success", "unknown")).toBe("unknown");
    expect(both("unknown", "failure")).toBe("failure");
    const none = claimsOf("{}", settings([]));
    expect(none && verify({ turns: TURNS, day: DAY }, settings([]), none).successful).toBe("unknown");
  });
});

describe("an answer", () => {
  const asked = { ...settings([field("text")], ["met"]), summary: true };

  it("may be surrounded by words", () => {
    const json = JSON.stringify({ summary: "S.", criteria: {}, data: {} });
    for (const answer of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json} Done.`])
      expect(claimsOf(answer, asked)?.summary).toBe("S.");
  });

  it.each([
    "",
    "I cannot do that.",
    '{"summary": "S.", "criteria": {',
    "[]",
    '{"summary": "", "criteria": {}, "data": {}}',
    '{"summary": "S.", "data": {}}',
    '{"summary": "S.", "criteria": "met", "data": {}}',
    '{"summary": "S.", "criteria": {}, "data": null}',
  ])("an answer of the model is refused if its form is wrong: %s", (answer) => {
    expect(claimsOf(answer, asked)).toBeNull();
  });
});

const words = fc.array(
  fc.constantFrom("refund", "approved", "Friday", "two", "42", "1,234.50", "yes", "Ada", "in three days", "é", "。"),
  { maxLength: 8 },
);
const turn: fc.Arbitrary<Turn> = fc
  .record({ seq: fc.integer({ min: 0, max: 12 }), kind: fc.constantFrom("user", "agent", "tool"), words })
  .map(({ seq, kind, words: said }) =>
    kind === "tool"
      ? tool(seq, { a: said[0] ?? "" }, said.join(" "))
      : say(seq, kind as "user" | "agent", said.join(" ")),
  );
const turns = fc.array(turn, { maxLength: 12 }).map((all) => all.toSorted((a, b) => a.seq - b.seq));
const anything = fc.oneof(
  fc.constantFrom("refund", "approved Friday", "2026-11-27", "2026-11-28", 2, 42, 1234.5, true, false, null, "yes"),
  fc.jsonValue(),
);
const cites = fc.oneof(fc.array(fc.integer({ min: -2, max: 14 })), fc.array(fc.jsonValue()));
const claim = fc.record({ value: anything, turns: cites, verdict: fc.oneof(fc.constantFrom(...VERDICTS), anything) });
const fields: fc.Arbitrary<AnalysisField[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    type: fc.constantFrom("text" as const, "number" as const, "boolean" as const, "date" as const, "choice" as const),
    description: fc.constant("It."),
    choices: fc.constant(["yes", "refund"]),
  }),
  { selector: ({ name }) => name },
);

describe("any claim about any conversation", () => {
  const given = fc.record({
    turns,
    fields,
    names: fc.uniqueArray(fc.constantFrom("x", "y", "z")),
    data: fc.dictionary(fc.constantFrom("a", "b", "c", "other"), claim),
    criteria: fc.dictionary(fc.constantFrom("x", "y", "other"), claim),
  });

  it("each result was requested, names existing turns, and occurs in them", () => {
    fc.assert(
      fc.property(given, ({ turns: said, fields: data, names, ...answer }) => {
        const asked = settings(data, names);
        const claims = claimsOf(JSON.stringify(answer), asked);
        if (!claims) throw new Error("the answer is none");
        const findings = verify({ turns: said, day: DAY }, asked, claims);
        const seqs = new Set(said.map(({ seq }) => seq));
        expect(Object.keys(findings.data).toSorted()).toEqual(data.map(({ name }) => name).toSorted());
        expect(findings.criteria.map(({ name }) => name)).toEqual(names);
        const evidence = new Evidence(said, DAY);
        for (const { name, type, choices } of data) {
          const result = findings.data[name];
          if (!result) throw new Error("a field is missing");
          expect(result.turns.every((seq) => seqs.has(seq))).toBe(true);
          if (result.state === "unverified") expect(result.value).not.toBeNull();
          else if (result.state !== "found") expect(result).toMatchObject({ value: null, turns: [], by: null });
          if (result.state !== "found") continue;
          expect(result.turns.length).toBeGreaterThan(0);
          expect(result.by).not.toBeNull();
          const { value } = result;
          const everywhere = (stands: Parameters<Evidence["turnsWith"]>[1]) =>
            result.turns.every((seq) => evidence.turnsWith([seq], stands)[0] === seq);
          const has = <V>(mentions: { values: V[]; isSure: boolean }[], one: V) =>
            mentions.some(({ values, isSure }) => isSure && values.includes(one));
          if (type === "number") expect(everywhere((each) => has(evidence.numbers(each), Number(value)))).toBe(true);
          else if (type === "date") expect(everywhere((each) => has(evidence.dates(each), String(value)))).toBe(true);
          else if (type === "text") expect(value).toBeTypeOf("string");
          else if (type === "boolean") expect(value).toBeTypeOf("boolean");
          else expect(choices).toContain(value);
        }
        for (const { verdict, turns: named } of findings.criteria) {
          expect(named.every((seq) => seqs.has(seq))).toBe(true);
          if (verdict !== "unknown") expect(named.length).toBeGreaterThan(0);
          if (verdict === "success")
            expect(said.some(({ seq, role }) => role !== "user" && named.includes(seq))).toBe(true);
        }
        if (findings.successful === "success")
          expect(findings.criteria.every(({ verdict }) => verdict === "success")).toBe(true);
        // The same input gives the same bytes.
        expect(JSON.stringify(verify({ turns: said, day: DAY }, asked, claims))).toBe(JSON.stringify(findings));
      }),
      { seed, numRuns: 500 },
    );
  });
});
