import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putArchive } from "../../../src/records/conversations/archive.ts";
import { type OtlpTraces, otlpTraces } from "../../../src/records/conversations/otlp.ts";
import type { ConversationDetail, Turn } from "../../../src/records/conversations/record.ts";
import { timingOf } from "../../../src/records/conversations/timing.ts";
import { traceOf } from "../../../src/records/conversations/trace.ts";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { ARCHIVED, BEGAN, endedRow, held, LIVE, later, PATH, PLAIN, putRows, TURNS } from "./support.ts";

const NOW = Date.parse(BEGAN) + 90_000;
const REQUEST = {
  at: later(6_900),
  model: "openai/gpt-4o",
  duration_ms: 900,
  first_ms: 400,
  input_tokens: 10,
  cached_tokens: 4,
  output_tokens: 20,
  failed: false,
};
const TIMING = { answers: [{ at: later(9_000), ms: 3_600 }], requests: [REQUEST] };

const detail = (set: Partial<ConversationDetail> = {}): ConversationDetail => ({
  ...endedRow({ id: "01990000-0000-7000-8000-000000000001" }),
  storage: "all",
  turns: TURNS,
  timing: TIMING,
  ...set,
});

type Values = Record<string, string | number | boolean>;
interface Read {
  id: string;
  parent: string | undefined;
  name: string;
  /** Ms after the beginning of the conversation. */
  start: number;
  end: number;
  error: boolean;
  attributes: Values;
}

/** Returns the spans of a trace as a reader parses them. */
function spansOf(trace: OtlpTraces): Read[] {
  const [resource] = trace.resourceSpans;
  const since = (nanos: string) => Number(BigInt(nanos) / 1_000_000n) - Date.parse(BEGAN);
  return (resource?.scopeSpans[0]?.spans ?? []).map((span) => ({
    id: span.spanId,
    parent: span.parentSpanId,
    name: span.name,
    start: since(span.startTimeUnixNano),
    end: since(span.endTimeUnixNano),
    error: span.status.code === 2,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }));
}
const trace = (set: Partial<ConversationDetail> = {}) => spansOf(traceOf(detail(set), "acme", NOW));

describe("the trace of a conversation", () => {
  it("contains the conversation, its turns, and in them the model requests and tool runs with their times", () => {
    const spans = trace();
    expect(spans.map(({ name, start, end }) => [name, start, end])).toEqual([
      ["invoke_agent", 0, 60_000],
      ["turn", 0, 3_000],
      ["turn", 5_400, 9_000],
      ["chat gpt-4o", 6_000, 6_900],
      ["execute_tool book_table", 7_000, 7_120],
    ]);
    const [root, greeting, turn, chat, tool] = spans;
    expect([greeting, turn].map((one) => one?.parent)).toEqual([root?.id, root?.id]);
    expect([chat, tool].map((one) => one?.parent)).toEqual([turn?.id, turn?.id]);
  });

  it("uses the names of the semantic conventions", () => {
    const [root, , turn, chat, tool] = trace();
    expect(root?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.conversation.id": "01990000-0000-7000-8000-000000000001",
      "gen_ai.agent.id": "agent-1",
      "switchboard.latency.first_ms": "300",
    });
    expect(turn?.attributes).toMatchObject({ "switchboard.turn.time_to_first_word_ms": "3600" });
    expect(JSON.parse(String(turn?.attributes["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "Book me a table." }] },
    ]);
    expect(JSON.parse(String(turn?.attributes["gen_ai.output.messages"]))).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "Done.\nSee you!" }], finish_reason: "stop" },
    ]);
    expect(chat?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o",
      "gen_ai.usage.input_tokens": "10",
      "gen_ai.usage.cache_read.input_tokens": "4",
      "gen_ai.usage.output_tokens": "20",
      "gen_ai.response.time_to_first_chunk": 0.4,
    });
    expect(tool?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "book_table",
      "gen_ai.tool.call.id": "t1",
      "gen_ai.tool.call.arguments": '{"seats":2}',
      "gen_ai.tool.call.result": '{"table":7}',
    });
  });

  it("marks failures", () => {
    const failed = { ...REQUEST, failed: true, first_ms: null };
    const spans = trace({ end_reason: "model_failed", timing: { answers: [], requests: [failed] } });
    expect(spans.filter(({ error }) => error).map(({ name }) => name)).toEqual(["invoke_agent", "chat gpt-4o"]);
  });

  it("ends open spans at the current time", () => {
    const set = { ...LIVE, turns: [{ ...(TURNS[2] as Turn) }] };
    const [first] = set.turns;
    if (first?.tool_call)
      first.tool_call = { ...first.tool_call, state: "running", ok: null, result: null, duration_ms: null };
    const spans = trace(set as Partial<ConversationDetail>);
    expect(spans.find(({ name }) => name === "invoke_agent")?.end).toBe(90_000);
    expect(spans.find(({ name }) => name.startsWith("execute_tool"))?.end).toBe(90_000);
  });

  it("contains times without text if the text is not stored", () => {
    const spans = trace({ storage: "metadata", turns: [] });
    expect(spans.map(({ name, start, end }) => [name, start, end])).toEqual([
      ["invoke_agent", 0, 60_000],
      ["turn", 5_400, 9_000],
      ["chat gpt-4o", 6_000, 6_900],
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/messages|arguments|result/);
  });

  it("any conversation's trace is a tree of spans, each beginning after its parent", () => {
    const time = fc.integer({ min: 0, max: 60_000 }).map(later);
    const turn = fc.record({
      seq: fc.nat(50),
      at: time,
      role: fc.constantFrom("user" as const, "agent" as const, "tool" as const),
      text: fc.string(),
      tool: fc.option(fc.nat(5_000)),
    });
    const turns = fc.array(turn, { maxLength: 20 }).map((all) =>
      all
        .toSorted((a, b) => a.at.localeCompare(b.at))
        .map(({ tool, ...one }): Turn => {
          const use = { ...(TURNS[2]?.tool_call as NonNullable<Turn["tool_call"]>), duration_ms: tool };
          return { ...PLAIN, ...one, tool_call: one.role === "tool" ? use : null };
        }),
    );
    const timing = fc.record({
      answers: fc.array(fc.record({ at: time, ms: fc.nat(5_000) }), { maxLength: 5 }),
      requests: fc.array(
        fc.record({ at: time, duration_ms: fc.nat(5_000) }).map((times) => ({ ...REQUEST, ...times })),
        { maxLength: 8 },
      ),
    });
    fc.assert(
      fc.property(turns, timing, (spoken, times) => {
        const trace = traceOf(detail({ turns: spoken, timing: times }), "acme", NOW);
        expect(otlpTraces.safeParse(trace).success).toBe(true);
        const spans = spansOf(trace);
        const byId = new Map(spans.map((span) => [span.id, span]));
        expect(byId.size).toBe(spans.length);
        const count = (name: string) => spans.filter((span) => span.name.startsWith(name)).length;
        expect(count("chat")).toBe(times.requests.length);
        expect(count("execute_tool")).toBe(spoken.filter(({ role }) => role === "tool").length);
        for (const { parent, start, end, name } of spans) {
          expect(end).toBeGreaterThanOrEqual(start);
          expect(parent === undefined).toBe(name === "invoke_agent");
          if (parent !== undefined) expect(byId.has(parent)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("the times of a conversation", () => {
  it("include requests of models and custom runtimes, and no reports of audio alone", () => {
    const at = later(1_000);
    const times = timingOf([
      { seq: 1, at, type: "usage", audio_ms: 20 },
      { seq: 2, at, type: "usage", input_tokens: 3 },
      { seq: 3, at, type: "usage", model: "scripted", duration_ms: 5, failed: true },
      { seq: 4, at, type: "latency", ms: 7 },
    ]);
    expect(times.answers).toEqual([{ at, ms: 7 }]);
    expect(times.requests).toMatchObject([
      { model: null, input_tokens: 3, failed: false },
      { model: "scripted", duration_ms: 5, failed: true },
    ]);
  });
});

describe("reading a trace", () => {
  it("the trace of an ended conversation takes one hop to the ledger and one to the gate, without D1", async () => {
    const who = await tenant();
    const row = endedRow();
    await putRows(who, [row]);
    await putArchive(env.CONVERSATIONS, who.account, { ...row, ...ARCHIVED, turns: TURNS, timing: TIMING });
    const read = await who.server.get<OtlpTraces>(`${PATH}/${row.id}/trace`);
    expect(read.status).toBe(200);
    expect(spansOf(read.body).map(({ name }) => name)).toContain("chat gpt-4o");
    expect(read.body.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.traceId).toBe(row.id.replaceAll("-", ""));
    const { status, d1, objects } = await countRoundTrips(`${PATH}/${row.id}/trace`, who.server.headers);
    const plain = await countRoundTrips(`${PATH}/${row.id}`, who.server.headers);
    expect({ status, d1, objects }).toEqual({ status: 200, d1: plain.d1, objects: plain.objects });
  });

  it("the trace of a conversation from before times were stored has its turns", async () => {
    const who = await tenant();
    const id = await held(who);
    const { body } = await who.server.get<OtlpTraces>(`${PATH}/${id}/trace`);
    expect(spansOf(body).map(({ name }) => name)).toEqual(["invoke_agent", "turn", "turn", "execute_tool book_table"]);
  });

  it("shows no phone number", async () => {
    const who = await tenant();
    const id = await held(who);
    const { body } = await who.server.get<OtlpTraces>(`${PATH}/${id}/trace`);
    expect(JSON.stringify(body)).not.toContain("3035550110");
  });
});
