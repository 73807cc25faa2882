import type { Body } from "../../api/client.ts";

type Traces = Body<"OtlpTraces">;
type OtlpSpan = Traces["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

/** A step of a response. Times are in ms from the beginning of its turn. */
export interface Step {
  id: string;
  kind: "model" | "tool";
  /** The name of the model or tool; empty if unknown. */
  name: string;
  from: number;
  took: number;
  failed: boolean;
}

export interface TracedTurn {
  id: string;
  /** From the beginning of the conversation. */
  at: number;
  took: number;
  /** From the end of the user's speech to the first word of the response; null if there was none. */
  firstWord: number | null;
  steps: Step[];
}

const MODEL = /^chat ?/;
const TOOL = /^execute_tool ?/;
const ERROR = 2;

/** Returns the turns of a trace that have a model request or a tool run, and the longest duration, ms. */
export function tracedTurns(traces: Traces): { turns: TracedTurn[]; longest: number } {
  const spans = traces.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  const [root] = spans;
  const began = root ? msOf(root.startTimeUnixNano) : 0;
  const turns = spans
    .filter(({ name }) => name === "turn")
    .map((span): TracedTurn => {
      const start = msOf(span.startTimeUnixNano);
      const steps = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId).map((step) => stepOf(step, start));
      const firstWord = numberIn(span, "switchboard.turn.time_to_first_word_ms");
      const took = Math.max(0, firstWord ?? 0, ...steps.map(({ from, took }) => from + took));
      return { id: span.spanId, at: start - began, took, firstWord, steps: steps.sort((a, b) => a.from - b.from) };
    })
    .filter(({ steps, firstWord }) => steps.length > 0 || firstWord !== null);
  return { turns, longest: Math.max(1, ...turns.map(({ took }) => took)) };
}

function stepOf(span: OtlpSpan, turnBegan: number): Step {
  const start = msOf(span.startTimeUnixNano);
  const isTool = TOOL.test(span.name);
  return {
    id: span.spanId,
    kind: isTool ? "tool" : "model",
    name: span.name.replace(isTool ? TOOL : MODEL, ""),
    from: Math.max(0, start - turnBegan),
    took: Math.max(0, msOf(span.endTimeUnixNano) - start),
    failed: span.status.code === ERROR,
  };
}

/** Converts nanoseconds to ms. They are text because a number can't hold all their digits. */
const msOf = (nanos: string): number => Number(BigInt(nanos) / 1_000_000n);

function numberIn({ attributes }: OtlpSpan, wanted: string): number | null {
  const value = attributes.find(({ key }) => key === wanted)?.value;
  if (value === undefined) return null;
  if ("intValue" in value) return Number(value.intValue);
  return "doubleValue" in value ? value.doubleValue : null;
}
