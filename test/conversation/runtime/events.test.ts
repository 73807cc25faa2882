import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { caller, originate, setTargets, settled, slowly } from "../../phone/calls/support.ts";
import { ring } from "../../phone/inbound/support.ts";
import { type Conversation, leftOf } from "../../records/conversations/support.ts";
import { breakD1, mend } from "../../support/broken-d1.ts";
import { Client, type Tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { openRuntime, type RuntimeSession, runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import {
  conversing,
  greetedSession,
  hasEnded,
  listed,
  livesWith,
  objectOf,
  passes,
  recordOf,
  recordOnce,
  running,
  stored,
  wake,
} from "./conversing.ts";
import { callToken, carrierToken } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const EVENTS = "/api/runtime/v1/session/events";
const AT = "2026-03-04T10:00:00.000Z";

type Reported = ConversationEvent extends infer E
  ? E extends ConversationEvent
    ? Omit<E, "at" | "seq">
    : never
  : never;
const numbered = (seq: number, event: Reported) => ({ seq, at: AT, ...event });
const words = (seq: number, text = `words ${seq}`) => numbered(seq, { type: "user_turn", text });
const ended = (seq: number, reason = "caller_hung_up") => numbered(seq, { type: "ended", reason });

/** Reports events; gives the last number before the first gap, else the status and code. */
async function report({ client }: { client: Client }, ...events: unknown[]): Promise<number | string> {
  const { status, code, body } = await client.post<{ accepted_through: number }>(EVENTS, { events });
  return status === 200 ? body.accepted_through : `${status} ${code}`;
}

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

/** What happened, and how it was reported: batches with repeats and gaps, and the object lost in between. */
const reporting = fc.array(reported, { maxLength: 12 }).chain((happened) =>
  fc.record({
    happened: fc.constant(happened),
    batches: fc.array(fc.array(fc.integer({ min: 1, max: happened.length + 2 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 5,
    }),
    evicted: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    /** Where the end comes, by its number: what is numbered after it was still said. */
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
          if (evicted[i]) await evictDurableObject(objectOf(pieces, pieces.call_id) as unknown as DurableObjectStub);
        }
        expect(await report(pieces, events[0])).toBe(all);
        expect(contentOf(await held(pieces))).toEqual(contentOf(await held(once)));
      }),
      { numRuns: 12 },
    );
  });

  it("are idempotent: the first with a number counts", async () => {
    const session = await greetedSession();
    expect(await report(session, words(1, "first"), words(1, "second"), words(3))).toBe(1);
    expect(await report(session, words(1, "third"), words(3, "other"))).toBe(1);
    expect(await report(session, words(2))).toBe(3);
    const { turns, complete } = await recordOf(session);
    expect([turns.map(({ text }) => text), complete]).toEqual([["first", "words 2", "words 3"], false]);
  });

  it("are limited to 500 and 256 KB per request", async () => {
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
    ["a time that is none", { ...words(1), at: "yesterday" }],
    ["words that are none", { ...words(1), text: 7 }],
    ["words without end", words(1, "x".repeat(20_001))],
    ["a tool without an id", { seq: 1, at: AT, type: "tool_call", name: "x", arguments: {} }],
    ["arguments that are a list", { seq: 1, at: AT, type: "tool_call", tool_call_id: "t", name: "x", arguments: [] }],
    ["tokens below none", { seq: 1, at: AT, type: "usage", input_tokens: -1 }],
    ["a prototype", JSON.parse(`{"seq":1,"at":"${AT}","type":"user_turn","text":"","__proto__":{}}`)],
    ["null", null],
  ])("are refused entirely for %s", async (_, event) => {
    const session = await greetedSession();
    const { status } = await session.client.post(EVENTS, { events: [words(2), event] });
    expect([status, await report(session, words(1))]).toEqual([400, 1]);
  });

  it.each<[name: string, body: unknown]>([
    ["nothing", {}],
    ["no events", { events: [] }],
    ["events that are no list", { events: words(1) }],
    ["null", null],
  ])("are refused if the request contains %s", async (_, body) => {
    expect((await (await greetedSession()).client.post(EVENTS, body)).status).toBe(400);
  });

  it("are accepted and recorded for a minute after the end, then refused", async () => {
    const session = await greetedSession();
    expect(await report(session, words(1), ended(4))).toBe(1);
    expect(await recordOf(session)).toMatchObject({ status: "ended", complete: false, end_reason: "caller_hung_up" });
    expect(await report(session, words(3), words(2))).toBe(4);
    const complete = await recordOnce(session, (record) => record.complete);
    expect(complete.turns.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await vi.waitFor(async () => expect(await leftOf(session, complete.id)).toEqual({ file: true, row: true }));
    // How it went is often known only when it is over.
    expect(await report(session, numbered(5, { type: "disposition", value: "booked" }), words(6))).toBe(6);
    expect(await recordOnce(session, ({ disposition }) => disposition === "booked")).toMatchObject({ complete: true });
    passes(61_000);
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

  it("with two ends use the earlier, in any order", async () => {
    const [straight, reversed] = [await greetedSession(), await greetedSession()];
    const events = [words(1), ended(2, "first"), ended(3, "second")];
    for (const event of events) await report(straight, event);
    for (const event of events.toReversed()) await report(reversed, event);
    for (const session of [straight, reversed])
      expect(await recordOf(session)).toMatchObject({ end_reason: "first", complete: true });
  });

  it("of two runtimes are merged into one record, and refused if the edge runtime holds the conversation", async () => {
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

describe("the session", () => {
  it("is frozen at the first request, which costs one hop", async () => {
    const session = await greetedSession();
    const path = "/api/runtime/v1/session";
    const counted = await countRoundTrips(path, session.client.headers);
    expect([counted.status, counted.objects, counted.d1, counted.replica]).toEqual([200, 1, 0, 0]);
    await session.server.patch(`/api/v1/agents/${session.agent_id}`, { name: "Other", greeting_message: "Changed" });
    await evictDurableObject(objectOf(session, session.call_id) as unknown as DurableObjectStub);
    const again = await countRoundTrips(path, session.client.headers);
    expect([again.body, again.objects]).toEqual([counted.body, 1]);
    const many = await Promise.all([1, 2, 3].map(() => session.client.get(path)));
    for (const { body } of many) expect(body).toEqual(counted.body);
    expect(await listed(session)).toHaveLength(1);
  });

  it("begins once if requested many times concurrently", async () => {
    const session = await greetedSession();
    const many = await Promise.all(
      [1, 2, 3, 4, 5].map(() => session.client.get<{ session_id: string }>("/api/runtime/v1/session")),
    );
    expect(new Set(many.map(({ body }) => body.session_id)).size).toBe(1);
    const { id } = await recordOf(session);
    expect(id).toBe(many[0]?.body.session_id);
  });
});

describe("an opt-out", () => {
  const blocked = async ({ server }: RuntimeSession) =>
    (await server.get<{ numbers: { phone_number: string }[] }>("/api/v1/do-not-call")).body.numbers.map(
      ({ phone_number }) => phone_number,
    );

  it("puts the number on the do-not-call list, also after the end", async () => {
    const session = await greetedSession();
    await report(session, words(1), ended(2));
    await report(session, numbered(3, { type: "opt_out" }));
    await vi.waitFor(async () => expect(await blocked(session)).toEqual(["+13035550106"]));
  });

  it("is retried until the do-not-call list accepts it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const session = await greetedSession();
    await breakD1(session.account, ["do_not_call"], ["INSERT"]);
    try {
      expect(await report(session, numbered(1, { type: "opt_out" }))).toBe(1);
      await wake(session, session.call_id).catch(() => {});
      await evictDurableObject(objectOf(session, session.call_id) as unknown as DurableObjectStub);
      expect(await blocked(session)).toEqual([]);
    } finally {
      await mend();
    }
    await wake(session, session.call_id);
    expect(await blocked(session)).toEqual(["+13035550106"]);
    await wake(session, session.call_id);
    expect(await blocked(session)).toEqual(["+13035550106"]);
  });
});

describe("hanging up and handing over", () => {
  it("ends the call and the conversation, once", async () => {
    const session = await greetedSession();
    await report(session, words(1));
    for (let i = 0; i < 2; i++) expect((await session.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
    expect(await recordOnce(session, ({ status }) => status === "ended")).toMatchObject({ end_reason: "hangup" });
    expect((await session.server.get(`/api/v1/calls/${session.call_id}`)).body).toMatchObject({
      ended_at: expect.any(String),
    });
  });

  it("frees the call's slot and disconnects the runtime", async () => {
    const call = await onSandbox();
    expect(await running(call)).toBe(1);
    const socket = await openRuntime(call.session_token);
    await recordOf(call);
    expect((await call.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
    expect((await socket.closed).code).toBe(1000);
    expect(await recordOf(call)).toMatchObject({ status: "ended", end_reason: "hangup", complete: true });
    await vi.waitFor(async () => expect(await running(call)).toBe(0));
  });

  it("transfers the call if its carrier supports that, which ends the conversation", async () => {
    const call = await onSandbox();
    await setTargets(call, { Desk: "+13035550177" });
    const transfer = () => call.client.post("/api/runtime/v1/session/transfer", { to_number: "+13035550177" });
    const { status, body } = await transfer();
    expect([status, body]).toEqual([200, { to_number: "+13035550177" }]);
    expect(await recordOnce(call, hasEnded)).toMatchObject({
      end_reason: "transferred",
      transferred_to: "+13035550177",
    });
    // The caller's call, and the one to whom they were transferred.
    expect(await running(call)).toBe(2);
    passes(61_000);
    expect((await transfer()).code).toBe("session_ended");
    vi.useRealTimers();
    await call.server.post(`/api/v1/calls/${call.call_id}/hangup`);
    await vi.waitFor(async () => expect(await running(call)).toBe(0));
  });

  it("refuses an invalid number", async () => {
    const session = await greetedSession();
    for (const to_number of ["", "911", "+1", "tel:+13035550110", 7, null])
      expect((await session.client.post("/api/runtime/v1/session/transfer", { to_number })).status).toBe(400);
  });
});

describe("a visitor's token", () => {
  async function visitor() {
    const created = await widgetTenant();
    const { body } = await page().guest(created.widgetKey.key);
    return { ...created, session: body, client: runtimeFor(created, body.access_token) };
  }

  it("opens the session and reports events, and has no call to transfer", async () => {
    const who = await visitor();
    const { status, body } = await who.client.get("/api/runtime/v1/session");
    expect([status, body]).toMatchObject([200, { kind: "widget", call: null, visitor: who.session.visitor }]);
    expect(await report(who, words(1), words(2))).toBe(2);
    const transfer = await who.client.post("/api/runtime/v1/session/transfer", { to_number: "+13035550110" });
    expect([transfer.status, transfer.code]).toEqual([409, "transfer_unsupported"]);
    expect((await who.client.post("/api/runtime/v1/session/hangup")).status).toBe(204);
  });

  it("is refused once its key is disabled, also in mid-conversation", async () => {
    const who = await visitor();
    expect(await report(who, words(1))).toBe(1);
    await who.user.patch(`/api/v1/widget-keys/${who.widgetKey.id}`, { disabled: true });
    expect(await report(who, words(2))).toBe("403 key_disabled");
    expect((await who.client.get("/api/runtime/v1/session")).code).toBe("key_disabled");
  });
});

describe("a visitor whose conversation has ended", () => {
  const sessionOf = (created: Pick<Tenant, "key">, { access_token }: { access_token: string }) =>
    runtimeFor(created, access_token).get<{ session_id: string }>("/api/runtime/v1/session");

  it.each([1, 2_000])("begins one new conversation with a token issued %s ms after the end", async (ms) => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    // Early in a second, so that the renewal is in the same one.
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000 * Math.ceil(Date.now() / 1_000) + 100 });
    try {
      const before = (await sessionOf(created, first)).body.session_id;
      const client = runtimeFor(created, first.access_token);
      expect(await report({ client }, words(1), ended(2))).toBe(2);
      expect((await sessionOf(created, first)).body.session_id).toBe(before);
      vi.setSystemTime(Date.now() + ms);
      const renewed = await sessionOf(created, (await page().refresh(first.refresh_token)).body);
      expect([renewed.status, renewed.body.session_id === before]).toEqual([200, false]);
      expect(await report({ client }, words(3))).toBe("403 session_ended");
    } finally {
      vi.useRealTimers();
    }
  });

  it("begins one new conversation with a newer token, however often it is requested, and keeps the first", async () => {
    const created = await widgetTenant();
    const first = (await page().guest(created.widgetKey.key)).body;
    const client = runtimeFor(created, first.access_token);
    const before = (await sessionOf(created, first)).body.session_id;
    expect(await report({ client }, words(1), ended(2))).toBe(2);
    passes(2_000);
    const renewed = (await page().refresh(first.refresh_token)).body;
    const many = await Promise.all([1, 2, 3, 4].map(() => sessionOf(created, renewed)));
    const [id, ...others] = new Set(many.map(({ body }) => body.session_id));
    expect([others, many.map(({ status }) => status), id === before]).toEqual([[], [200, 200, 200, 200], false]);
    vi.useRealTimers();
    expect((await created.server.get(`/api/v1/conversations/${before}`)).body).toMatchObject({
      status: "ended",
      complete: true,
      turns: [{ text: "words 1" }],
    });
    // What is still told of the first is not said in the other.
    expect(await report({ client }, words(3))).toBe("403 session_ended");
  });
});

describe("a conversation that is too long", () => {
  it("ends with everything recorded so far and accepts no more events", async () => {
    const session = await greetedSession();
    const longText = "x".repeat(19_900);
    let seq = 0;
    for (let i = 0; i < 34; i++) {
      const batch = Array.from({ length: 12 }, () => words(++seq, longText));
      expect(await report(session, ...batch)).toBe(seq);
    }
    expect(await report(session, words(++seq))).toBe("413 conversation_too_long");
    const over = await recordOnce(session, hasEnded);
    expect([over.end_reason, over.turn_count, over.complete]).toEqual(["max_length", 408, false]);
    passes(61_000);
    await wake(session, session.call_id);
    vi.useRealTimers();
    expect((await recordOf(session)).turns).toHaveLength(408);
  });
});

describe("a conversation that is deleted while it is live", () => {
  it.each(["live", "just ended", "long ended"])("is not restored by late events: %s", async (when) => {
    const session = await greetedSession();
    await report(session, words(1), ...(when === "live" ? [] : [ended(2)]));
    const { id } = await recordOf(session);
    if (when === "long ended") {
      await vi.waitFor(async () => expect(await leftOf(session, id)).toEqual({ file: true, row: true }));
      passes(61_000);
      await wake(session, session.call_id);
      vi.useRealTimers();
      expect(await stored(session, session.call_id)).toEqual({ tables: [], alarm: null });
    }
    expect((await session.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    expect(await report(session, words(3))).toBe("403 session_ended");
    expect((await session.client.get("/api/runtime/v1/session")).code).toBe("session_ended");
    expect(await (await openRuntime(session.session_token)).closed).toMatchObject({ code: 4403 });
    await evictDurableObject(objectOf(session, session.call_id) as unknown as DurableObjectStub);
    expect(await report(session, words(3))).toBe("403 session_ended");
    expect([await listed(session), await leftOf(session, id)]).toEqual([[], { file: false, row: false }]);
  });

  it("is not restored by writes under way to R2 and D1", async () => {
    const session = await greetedSession();
    await report(session, words(1));
    const { id } = await recordOf(session);
    const [requests, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put: R2Bucket["put"] = async (...args: Parameters<R2Bucket["put"]>) => {
      requests.resolve();
      await gate.promise;
      return env.CONVERSATIONS.put(...args);
    };
    await livesWith(session, session.call_id, { CONVERSATIONS: { put } });
    await report(session, ended(2));
    await requests.promise;
    const deleted = session.server.delete(`/api/v1/conversations/${id}`);
    await vi.waitFor(async () => expect((await stored(session, session.call_id)).tables).toEqual([]));
    gate.resolve();
    expect((await deleted).status).toBe(204);
    expect([await listed(session), await leftOf(session, id)]).toEqual([[], { file: false, row: false }]);
  });

  it("disconnects everyone in it", async () => {
    const { call, socket } = await conversing();
    const { id } = await recordOf(call);
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    expect((await socket.closed).code).toBe(1000);
    expect([await listed(call), await leftOf(call, id)]).toEqual([[], { file: false, row: false }]);
    expect((await stored(call, call.call_id)).tables).toEqual([]);
  });
});

/** The session of a call that the sandbox has placed and that talks until somebody ends it. */
async function onSandbox() {
  const who = await caller();
  await slowly(who, { SANDBOX_RING_MS: "5" });
  const { call_id } = (await originate(who, "+13035550111")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  const claims = { sub: call_id, account: who.account, agent_id: who.agent_id };
  const [session_token, runtime_token] = [await carrierToken(claims), await callToken(claims)];
  return { ...who, call_id, session_token, client: new Client({ authorization: `Bearer ${runtime_token}` }) };
}

/** A number that has not called before: one caller may have no more than two calls at once. */
const strangersNumber = () => `+1303556${String(callers++).padStart(2, "0")}06`;
let callers = 0;

/** A further call at the same account. */
async function another(session: RuntimeSession): Promise<RuntimeSession> {
  const { body } = await ring(session, { from_number: strangersNumber() });
  const token = await callToken({ sub: body.call_id, account: session.account, agent_id: session.agent_id });
  const client = new Client({ authorization: `Bearer ${token}` });
  return { ...session, call_id: body.call_id, session_token: body.session_token, client };
}

/** The conversation as its object has it. */
async function held({ account, call_id }: RuntimeSession): Promise<Conversation> {
  const detail = await objectOf({ account }, call_id).detail();
  return detail as unknown as Conversation;
}

/** A record without what is another's with every call. */
function contentOf({ turns, usage, latency, disposition, complete, status, end_reason, ...rest }: Conversation) {
  const { turn_count, tool_call_count } = rest;
  // How long it took is another's too.
  const { carrier_s, ...used } = usage;
  expect(carrier_s).toBeGreaterThanOrEqual(0);
  return { turns, used, latency, disposition, complete, status, end_reason, turn_count, tool_call_count };
}
