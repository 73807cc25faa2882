import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { acceptedThrough, isComplete, speechChars, tally, turnsOf } from "../../../src/records/conversations/record.ts";
import { BEGAN } from "./support.ts";

type UnnumberedEvent = ConversationEvent extends infer E
  ? E extends ConversationEvent
    ? Omit<E, "seq" | "at">
    : never
  : never;

const text = fc.string({ maxLength: 8 });
const amount = fc.nat(1_000);
const toolCallId = fc.constantFrom("a", "b", "c");
const happening: fc.Arbitrary<UnnumberedEvent> = fc.oneof(
  fc.record({ type: fc.constant("user_turn" as const), text }),
  fc.record({ type: fc.constant("agent_turn" as const), text, interrupted: fc.boolean(), heard: text }),
  fc.record({
    type: fc.constant("tool_call" as const),
    tool_call_id: toolCallId,
    name: text,
    arguments: fc.constant({ n: 1 }),
  }),
  fc.record({
    type: fc.constant("tool_result" as const),
    tool_call_id: toolCallId,
    ok: fc.boolean(),
    result: text,
    duration_ms: amount,
  }),
  fc.record({ type: fc.constant("usage" as const), input_tokens: amount, cached_tokens: amount, audio_ms: amount }),
  fc.record({ type: fc.constant("latency" as const), ms: amount }),
  fc.record({ type: fc.constant("disposition" as const), value: text }),
  fc.record({ type: fc.constant("opt_out" as const) }),
);
/** The events of a conversation to its end, numbered from 1. */
const conversation = fc.array(happening, { maxLength: 60, size: "max" }).map((happenings) => {
  const all: UnnumberedEvent[] = [...happenings, { type: "ended", reason: "bye" }];
  return all.map((event, i) => ({ ...event, seq: i + 1, at: BEGAN }) as ConversationEvent);
});
/** The events as reported, and the same events as they might arrive. */
const arrived = conversation.chain((reported) =>
  fc.record({ reported: fc.constant(reported), came: fc.shuffledSubarray(reported, { minLength: reported.length }) }),
);

describe("the record of a conversation", () => {
  it("a conversation's record is the same in whatever order its events arrive", () => {
    fc.assert(
      fc.property(arrived, ({ reported, came }) => {
        const before = structuredClone(came);
        expect(turnsOf(came)).toEqual(turnsOf(reported));
        expect(tally(came)).toEqual(tally(reported));
        expect(acceptedThrough(came)).toBe(reported.length);
        expect(isComplete(came)).toBe(true);
        expect(came).toEqual(before);
      }),
    );
  });

  it("a conversation's record is complete once its end and everything before it have arrived", () => {
    fc.assert(
      fc.property(arrived, fc.nat(), ({ reported, came }, n) => {
        const missing = (n % reported.length) + 1;
        const rest = came.filter(({ seq }) => seq !== missing);
        expect(isComplete(rest)).toBe(false);
        expect(acceptedThrough(rest)).toBe(missing - 1);
        expect(turnsOf(rest).map(({ seq }) => seq)).not.toContain(missing);
      }),
    );
    expect([acceptedThrough([]), isComplete([])]).toEqual([0, false]);
    const ended = (seq: number): ConversationEvent => ({ seq, at: BEGAN, type: "ended", reason: "bye" });
    for (const twice of [
      [ended(1), ended(3)],
      [ended(3), ended(1)],
    ])
      expect(isComplete(twice)).toBe(true);
  });

  it("has the counts, sums and last disposition of its events", () => {
    fc.assert(
      fc.property(arrived, ({ reported, came }) => {
        const of = <T extends ConversationEvent["type"]>(type: T) =>
          reported.filter((event): event is Extract<ConversationEvent, { type: T }> => event.type === type);
        const { turn_count, tool_call_count, usage, latency, disposition } = tally(came);
        expect(turn_count).toBe(of("user_turn").length + of("agent_turn").length);
        expect(tool_call_count).toBe(of("tool_call").length);
        expect(turnsOf(came)).toHaveLength(turn_count + tool_call_count);
        expect(usage.input_tokens).toBe(of("usage").reduce((sum, { input_tokens = 0 }) => sum + input_tokens, 0));
        const cached = of("usage").map(({ input_tokens = 0, cached_tokens = 0 }) =>
          Math.min(input_tokens, cached_tokens),
        );
        expect(usage.cached_tokens).toBe(cached.reduce((sum, tokens) => sum + tokens, 0));
        expect(usage.output_tokens).toBe(0);
        expect(disposition).toBe(of("disposition").at(-1)?.value ?? null);
        const waits = of("latency").map(({ ms }) => ms);
        expect(latency.first_ms).toBe(waits[0] ?? null);
        expect(latency.max_ms).toBe(waits.length === 0 ? null : Math.max(...waits));
        const { median_ms } = latency;
        const than = median_ms ?? 0;
        expect(median_ms === null ? [] : [median_ms]).toEqual(waits.includes(than) ? [than] : []);
        expect(waits.filter((ms) => ms < than).length).toBeLessThanOrEqual(waits.length / 2);
        expect(waits.filter((ms) => ms > than).length).toBeLessThanOrEqual(waits.length / 2);
      }),
    );
  });

  it("counts failed model requests", () => {
    const events: ConversationEvent[] = [
      { seq: 1, at: BEGAN, type: "usage", failed: true },
      { seq: 2, at: BEGAN, type: "usage", input_tokens: 5 },
      { seq: 3, at: BEGAN, type: "usage", failed: true },
    ];
    expect(tally(events).usage).toMatchObject({ model_errors: 2, input_tokens: 5 });
  });

  it("counts the characters sent to be spoken: all of an interrupted turn for the edge runtime", () => {
    const at = BEGAN;
    const events: ConversationEvent[] = [
      { seq: 1, at, type: "agent_turn", text: "Hi 👋" },
      { seq: 2, at, type: "user_turn", text: "Do you" },
      { seq: 3, at, type: "agent_turn", text: "We are open", interrupted: true, heard: "We" },
    ];
    expect([speechChars(events, "edge"), speechChars(events, "own"), speechChars([], null)]).toEqual([15, 6, 0]);
  });

  it("contains the heard part of an interrupted turn, and a tool's result", () => {
    const at = BEGAN;
    const [spoken, call, open] = turnsOf([
      { seq: 2, at, type: "tool_call", tool_call_id: "a", name: "f", arguments: {} },
      { seq: 1, at, type: "agent_turn", text: "Hello there", interrupted: true, heard: "Hello" },
      { seq: 4, at, type: "tool_call", tool_call_id: "b", name: "g", arguments: {} },
      { seq: 3, at, type: "tool_result", tool_call_id: "a", ok: true, result: [1], duration_ms: 5 },
    ]);
    expect(spoken).toMatchObject({ role: "agent", text: "Hello", interrupted: true, tool_call: null });
    expect(call?.tool_call).toMatchObject({ name: "f", ok: true, result: [1], duration_ms: 5 });
    expect(open?.tool_call).toMatchObject({ name: "g", ok: null, result: null, duration_ms: null });
  });
});
