import fc from "fast-check";
import { expect, it } from "vitest";
import { tracedTurns } from "../../src/browser/console/screens/conversations/trace-rows.ts";

type Traces = Parameters<typeof tracedTurns>[0];
type OtlpSpan = Traces["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

const BEGAN = 1_763_717_404_000;
const nanos = (ms: number) => `${BEGAN + ms}000000`;

function span(name: string, spanId: string, parentSpanId: string | null, from: number, to: number): OtlpSpan {
  const created: OtlpSpan = {
    traceId: "0".repeat(32),
    spanId,
    name,
    kind: 1,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(to),
    attributes: [],
    status: {},
  };
  if (parentSpanId !== null) created.parentSpanId = parentSpanId;
  return created;
}

const tracesOf = (spans: OtlpSpan[]): Traces => ({
  resourceSpans: [
    { resource: { attributes: [] }, scopeSpans: [{ scope: { name: "conversations" }, schemaUrl: "", spans }] },
  ],
});

it("the trace of a conversation gives each turn its steps in order of their start, in ms since the turn began", () => {
  const turn = span("turn", "t1", "root", 5_000, 9_000);
  turn.attributes.push({ key: "switchboard.turn.time_to_first_word_ms", value: { intValue: "450" } });
  const tool = span("execute_tool book", "s2", "t1", 5_700, 6_200);
  tool.status = { code: 2, message: "it failed" };
  const greeting = span("turn", "t0", "root", 0, 0);
  const spans = [
    span("invoke_agent", "root", null, 0, 9_000),
    greeting,
    turn,
    tool,
    span("chat gpt-4o", "s1", "t1", 5_100, 5_650),
  ];
  expect(tracedTurns(tracesOf(spans))).toEqual({
    turns: [
      {
        id: "t1",
        at: 5_000,
        took: 1_200,
        firstWord: 450,
        steps: [
          { id: "s1", kind: "model", name: "gpt-4o", from: 100, took: 550, failed: false },
          { id: "s2", kind: "tool", name: "book", from: 700, took: 500, failed: true },
        ],
      },
    ],
    longest: 1_200,
  });
});

it("the trace of a conversation never draws beyond the longest turn, whatever the times", () => {
  const at = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(at, at, at), { maxLength: 8 }), (rows) => {
      const spans = rows.flatMap(([turn, from, to], n) => [
        span("turn", `t${n}`, "root", turn, turn),
        span("chat", `s${n}`, `t${n}`, from, to),
      ]);
      const { turns, longest } = tracedTurns(tracesOf([span("invoke_agent", "root", null, 0, 1), ...spans]));
      for (const { steps } of turns)
        for (const { from, took } of steps) expect(from >= 0 && took >= 0 && from + took <= longest).toBe(true);
    }),
  );
});

it("the trace of a conversation may have no spans", () => {
  expect(tracedTurns(tracesOf([]))).toEqual({ turns: [], longest: 1 });
});
