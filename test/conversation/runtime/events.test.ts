import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ring } from "../../phone/inbound/support.ts";
import { type Conversation, leftOf } from "../../records/conversations/support.ts";
import { Client } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { openRuntime, type RuntimeSession } from "../../support/runtime.ts";
import {
  advanceClock,
  conversing,
  greetedSession,
  objectOf,
  recordOf,
  recordOnce,
  stored,
  wake,
} from "./conversing.ts";
import { AT, EVENTS, ended, numbered, type Reported, report, words } from "./reporting.ts";
import { callToken } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const TOOL_IDS = ["t1", "t2"];
const reported: fc.Arbitrary<Reported> = fc.oneof(
  fc.record({ type: fc.constant("user_turn" as const), text: fc.string({ maxLength: 8 }) }),
  fc.record({
    type: fc.constant("agent_turn" as const),
    text: fc.string({ maxLength: 8 }),
    interrupted: fc.boolean(),
    heard: fc.string({ maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant("tool_call" as const),
    tool_call_id: fc.constantFrom(...TOOL_IDS),
    name: fc.constant("look_up"),
    arguments: fc.constant({}),
  }),
  fc.record({
    type: fc.constant("tool_result" as const),
    tool_call_id: fc.constantFrom(...TOOL_IDS),
    ok: fc.boolean(),
    result: fc.string({ maxLength: 4 }),
    duration_ms: fc.nat(9),
  }),
  fc.record({ type: fc.constant("usage" as const), input_tokens: fc.nat(9), audio_ms: fc.nat(9) }),
  fc.record({ type: fc.constant("latency" as const), ms: fc.nat(999) }),
  fc.record({ type: fc.constant("disposition" as const), value: fc.constantFrom("yes", "no", "later") }),
);

/** Events and their reports: batches with repeats and gaps, and restarts of the object in between. */
const reporting = fc.array(reported, { maxLength: 12 }).chain((happened) =>
  fc.record({
    happened: fc.constant(happened),
    batches: fc.array(fc.array(fc.integer({ min: 1, max: happened.length + 2 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 5,
    }),
    evicted: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    /** The number of the end event. Events with higher numbers still count as said. */
    end: fc.integer({ min: 1, max: happened.length + 2 }),
  }),
);

describe("events of a runtime", () => {
  it("produce the same record in any order, batching and repetition", async () => {
    const one = await greetedSession();
    await fc.assert(
      fc.asyncProperty(reporting, async ({ happened, batches, evicted, end }) => {
        const events = [...happened.slice(0, end - 1), null, ...happened.slice(end - 1)].map((event, i) =>
          event === null ? ended(i + 1) : numbered(i + 1, event),
        );
        const [once, pieces] = [await another(one), await another(one)];
        const all = await report(once, ...events);
        expect(all).toBe(events.length);
        const sentSeqs = new Set<number>();
        for (const [i, batch] of [...batches, events.map(({ seq }) => seq).toReversed()].entries()) {
          const sent = batch.flatMap((seq) => events[seq - 1] ?? []);
          if (sent.length === 0) continue;
          for (const { seq } of sent) sentSeqs.add(seq);
          let through = 0;
          while (sentSeqs.has(through + 1)) through++;
          expect(await report(pieces, ...sent)).toBe(through);
          if (evicted[i]) await evict(objectOf(pieces, pieces.call_id));
        }
        expect(await report(pieces, events[0])).toBe(all);
        expect(contentOf(await held(pieces))).toEqual(contentOf(await held(once)));
      }),
      { numRuns: 12 },
    );
  });

  it("a repeated event of a runtime is ignored: the first with its number counts", async () => {
    const session = await greetedSession();
    expect(await report(session, words(1, "first"), words(1, "second"), words(3))).toBe(1);
    expect(await report(session, words(1, "third"), words(3, "other"))).toBe(1);
    expect(await report(session, words(2))).toBe(3);
    const { turns, complete } = await recordOf(session);
    expect([turns.map(({ text }) => text), complete]).toEqual([["first", "words 2", "words 3"], false]);
  });

  it("a runtime's event with an unpaired surrogate in its text is accepted", async () => {
    const session = await greetedSession();
    expect(await report(session, words(1, "a\ud83d"), words(2))).toBe(2);
    expect((await recordOf(session)).turns).toHaveLength(2);
  });

  it("a request may contain at most 500 events and 256 KB", async () => {
    const session = await greetedSession();
    const many = Array.from({ length: 501 }, (_, i) => words(i + 1, ""));
    expect(await report(session, ...many)).toBe("413 too_many_events");
    const large = Array.from({ length: 20 }, (_, i) => words(i + 1, "x".repeat(15_000)));
    expect(await report(session, ...large)).toBe("413 body_too_large");
    expect(await report(session, ...many.slice(0, 500))).toBe(500);
    expect((await recordOf(session)).turns).toHaveLength(500);
  });

  it.each<[name: string, event: unknown]>([
    ["an unknown type", { seq: 1, at: AT, type: "laughter" }],
    ["no type", { seq: 1, at: AT }],
    ["seq 0", words(0)],
    ["a negative seq", words(-1)],
    ["half a seq", words(1.5)],
    ["a seq that is text", { ...words(1), seq: "1" }],
    ["a seq beyond counting", words(2 ** 53)],
    ["no time", { seq: 1, type: "user_turn", text: "" }],
    ["an invalid time", { ...words(1), at: "yesterday" }],
    ["words that are not a string", { ...words(1), text: 7 }],
    ["words without end", words(1, "x".repeat(20_001))],
    ["a tool without an id", { seq: 1, at: AT, type: "tool_call", name: "x", arguments: {} }],
    ["arguments that are a list", { seq: 1, at: AT, type: "tool_call", tool_call_id: "t", name: "x", arguments: [] }],
    ["tokens below none", { seq: 1, at: AT, type: "usage", input_tokens: -1 }],
    ["a prototype", JSON.parse(`{"seq":1,"at":"${AT}","type":"user_turn","text":"","__proto__":{}}`)],
    ["null", null],
  ])("a request with events is refused entirely for %s", async (_, event) => {
    const session = await greetedSession();
    const { status } = await session.client.post(EVENTS, { events: [words(2), event] });
    expect([status, await report(session, words(1))]).toEqual([400, 1]);
  });

  it.each<[name: string, body: unknown]>([
    ["nothing", {}],
    ["no events", { events: [] }],
    ["events that are not a list", { events: words(1) }],
    ["null", null],
  ])("a request with events is refused if it contains %s", async (_, body) => {
    expect((await (await greetedSession()).client.post(EVENTS, body)).status).toBe(400);
  });

  it("events are accepted for a minute after the end, then refused", async () => {
    const session = await greetedSession();
    expect(await report(session, words(1), ended(4))).toBe(1);
    expect(await recordOf(session)).toMatchObject({ status: "ended", complete: false, end_reason: "caller_hung_up" });
    expect(await report(session, words(3), words(2))).toBe(4);
    const complete = await recordOnce(session, (record) => record.complete);
    expect(complete.turns.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await vi.waitFor(async () => expect(await leftOf(session, complete.id)).toEqual({ file: true, row: true }));
    // The disposition is often known only later.
    expect(await report(session, numbered(5, { type: "disposition", value: "booked" }), words(6))).toBe(6);
    expect(await recordOnce(session, ({ disposition }) => disposition === "booked")).toMatchObject({ complete: true });
    advanceClock(61_000);
    expect(await report(session, words(7))).toBe("403 session_ended");
    await wake(session, session.call_id);
    expect(await stored(session, session.call_id)).toEqual({ tables: [], alarm: null });
    expect(await report(session, words(7))).toBe("403 session_ended");
    expect((await session.client.get("/api/runtime/v1/session")).code).toBe("session_ended");
    vi.useRealTimers();
    const kept = await recordOf(session);
    expect(kept).toMatchObject({ disposition: "booked", complete: true, turn_count: 4 });
    expect(kept.turns.map(({ seq }) => seq)).toEqual([1, 2, 3, 6]);
  });

  it("a runtime's events with two ends use the earlier one, in any order", async () => {
    const [straight, reversed] = [await greetedSession(), await greetedSession()];
    const events = [words(1), ended(2, "first"), ended(3, "second")];
    for (const event of events) await report(straight, event);
    for (const event of events.toReversed()) await report(reversed, event);
    for (const session of [straight, reversed])
      expect(await recordOf(session)).toMatchObject({ end_reason: "first", complete: true });
  });

  it("events of two runtimes are merged into one record unless the edge runtime holds the conversation", async () => {
    const session = await greetedSession();
    const seqs = Array.from({ length: 40 }, (_, i) => i + 1);
    const through = await Promise.all(seqs.map((seq) => report(session, words(seq), words(seq + 1))));
    expect(Math.max(...through.map(Number))).toBe(41);
    expect((await recordOf(session)).turns.map(({ seq }) => seq)).toEqual([...seqs, 41]);
    expect(await (await openRuntime(session.session_token)).closed).toEqual({ code: 4409, reason: "held_elsewhere" });

    const { call, socket } = await conversing();
    expect(await report(call, words(1))).toBe("409 held_by_platform");
    expect((await recordOf(call)).turns).toHaveLength(1);
    socket.close();
  });
});

/** Returns a number that has not called before, because one caller may have only two calls at once. */
const strangersNumber = () => `+1303556${String(callers++).padStart(2, "0")}06`;
let callers = 0;

/** Creates another call of the same account. */
async function another(session: RuntimeSession): Promise<RuntimeSession> {
  const { body } = await ring(session, { from_number: strangersNumber() });
  const token = await callToken({ sub: body.call_id, account: session.account, agent_id: session.agent_id });
  const client = new Client({ authorization: `Bearer ${token}` });
  return { ...session, call_id: body.call_id, session_token: body.session_token, client };
}

/** Reads the conversation from its object. */
async function held({ account, call_id }: RuntimeSession): Promise<Conversation> {
  const detail = await objectOf({ account }, call_id).detail();
  return detail as unknown as Conversation;
}

/** Removes the fields of a record that differ between calls. */
function contentOf({ turns, usage, latency, disposition, complete, status, end_reason, ...rest }: Conversation) {
  const { turn_count, tool_call_count } = rest;
  // The duration also differs.
  const { carrier_s, ...used } = usage;
  expect(carrier_s).toBeGreaterThanOrEqual(0);
  return { turns, used, latency, disposition, complete, status, end_reason, turn_count, tool_call_count };
}
