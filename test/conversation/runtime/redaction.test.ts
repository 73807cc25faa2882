import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parsedBody } from "../../../src/dev/event-stream.ts";
import { archiveKey } from "../../../src/records/ledger/file-keys.ts";
import { caller, originate } from "../../phone/calls/support.ts";
import { BASE, Client } from "../../support/client.ts";
import {
  advanceClock,
  connected,
  greetedSession,
  hasEnded,
  linesOf,
  prompt,
  recordOf,
  recordOnce,
  wake,
} from "./conversing.ts";
import { callToken } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const EVENTS = "/api/runtime/v1/session/events";
const AT = "2026-03-04T10:00:00.000Z";
const CARD = "4242 4242 4242 4242";

/** Creates a call whose custom runtime reports. Returns a function that reports events. */
async function reporting(agent: Record<string, unknown>) {
  const call = await greetedSession(agent);
  let seq = 0;
  const report = async (...events: Record<string, unknown>[]) => {
    const body = { events: events.map((event) => ({ seq: ++seq, at: AT, ...event })) };
    expect((await call.client.post(EVENTS, body)).status).toBe(200);
  };
  return { call, report };
}

const user = (text: string) => ({ type: "user_turn", text });
const agent = (text: string) => ({ type: "agent_turn", text });

/** Returns the content of the file in R2 once it exists. */
async function archiveOf({ account }: { account: string }, id: string): Promise<string> {
  return vi.waitFor(async () => {
    const file = await env.CONVERSATIONS.get(archiveKey(account, id));
    if (!file) throw new Error("nothing is archived");
    return file.text();
  });
}

/** Returns the conversation's whole stream as it was sent. */
async function streamOf({ headers }: Client, id: string) {
  const answer = await exports.default.fetch(new Request(`${BASE}/api/v1/conversations/${id}/events`, { headers }));
  const seen: { event: string; data: string }[] = [];
  const done = (async () => {
    for await (const one of parsedBody(answer.body ?? new ReadableStream())) if ("event" in one) seen.push(one);
  })();
  return { seen, done };
}

describe("a conversation that is redacted", () => {
  it("a conversation is redacted in its record, transcript, archive and stream, while the model and its tools get the words", async () => {
    const { call, report } = await reporting({ storage: "redacted", redact: ["card", "email"] });
    await report(user("hello"));
    const { id } = await recordOf(call);
    const stream = await streamOf(call.user, id);
    await report(
      user(`my card is ${CARD}`),
      agent("thank you"),
      { type: "tool_call", tool_call_id: "t", name: "pay", arguments: { card: CARD, to: "ada@acme.example" } },
      { type: "tool_result", tool_call_id: "t", ok: true, result: { paid_by: 4242424242424242 }, duration_ms: 5 },
      { type: "disposition", value: "paid", note: `with ${CARD}` },
      user("call +1 202 555 0143"),
      { type: "ended", reason: "hangup" },
    );
    const record = await recordOnce(call, hasEnded);
    expect(linesOf(record)).toEqual([
      "user: hello",
      "user: my card is [CARD]",
      "agent: thank you",
      "tool: pay",
      "user: call +1 202 555 0143",
    ]);
    expect(record.turns[3]?.tool_call).toMatchObject({
      arguments: { card: "[CARD]", to: "[EMAIL]" },
      result: { paid_by: "[CARD]" },
    });
    expect(record).toMatchObject({ storage: "redacted", turn_count: 4 });
    const { body: transcript } = await call.server.get<string>(`/api/v1/conversations/${id}/transcript`);
    await stream.done;
    const streamed = JSON.stringify(stream.seen);
    const archive = await archiveOf(call, id);
    for (const text of [transcript, streamed, archive]) {
      expect(text).toContain("my card is [CARD]");
      expect(text).not.toMatch(/4242|ada@acme/);
    }
  });

  it("withholds a possible beginning of a number from its stream and record until it is complete", async () => {
    const { call, report } = await reporting({ storage: "redacted" });
    await report(user("hello"));
    const { id } = await recordOf(call);
    const stream = await streamOf(call.user, id);
    const turns = () =>
      stream.seen.flatMap(({ event, data }) => (event.endsWith("_turn") ? [JSON.parse(data).text] : []));
    await report(user("it is 4242 4242"), agent("go on"));
    expect(linesOf(await recordOf(call))).toEqual(["user: hello"]);
    await report(user("4242 4242"), agent("thanks"), user("that is all, room 12"));
    await vi.waitFor(() => expect(turns()).toEqual(["it is [CARD]", "go on", "[CARD]", "thanks"]));
    expect(linesOf(await recordOf(call)).at(-1)).toBe("agent: thanks");
    await report(user("please"));
    await vi.waitFor(() => expect(turns().slice(4)).toEqual(["that is all, room 12", "please"]));
    // An event with a higher number may continue a missing event before it.
    await call.client.post(EVENTS, { events: [{ seq: 9, at: AT, ...user("later") }] });
    expect(linesOf(await recordOf(call)).at(-1)).toBe("user: please");
    await report(user("earlier"));
    await vi.waitFor(() => expect(turns().slice(6)).toEqual(["later", "earlier"]));
    await call.client.post(EVENTS, { events: [{ seq: 10, at: AT, type: "ended", reason: "hangup" }] });
    await stream.done;
  });

  it("gives the agent's model the spoken words, and stores no keypad digits", async () => {
    const call = await greetedSession({ storage: "redacted" });
    const socket = await connected(call);
    socket.send(prompt("I am Ada, ada@acme.example"));
    await socket.until(({ type, last }) => type === "text" && last === true);
    for (const digit of "4711") socket.send({ type: "dtmf", digit });
    await socket.until(({ type, last }) => type === "text" && last === true);
    socket.send(prompt("Okay, goodbye!"));
    const record = await recordOnce(call, hasEnded);
    const userLines = linesOf(record).filter((line) => line.startsWith("user"));
    expect(userLines).toEqual(["user: I am Ada, [EMAIL]", "user: (keypad)", "user: Okay, goodbye!"]);
  });

  it("hides the facts about the other side in its record", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { storage: "redacted" });
    const variables = { name: "Ada", mail: "ada@acme.example" };
    const { call_id } = (await originate(who, "+13035550106", { variables })).body;
    const token = await callToken({ sub: call_id, account: who.account, agent_id: who.agent_id });
    const client = new Client({ authorization: `Bearer ${token}` });
    const { body } = await client.get<{ variables: object }>("/api/runtime/v1/session");
    expect(body.variables).toEqual(variables);
    const record = await recordOf({ server: who.server, call_id });
    expect(record.variables).toEqual({ name: "Ada", mail: "[EMAIL]" });
  });
});

describe("a conversation that stores only metadata", () => {
  it("contains counts and times but no turns in every response", async () => {
    const { call, report } = await reporting({ storage: "metadata" });
    await report(user("hello"));
    const { id } = await recordOf(call);
    const stream = await streamOf(call.user, id);
    await report(
      agent("hi, I am Ada"),
      { type: "tool_call", tool_call_id: "t", name: "pay", arguments: { sum: "fifty" } },
      { type: "tool_result", tool_call_id: "t", ok: true, result: "paid", duration_ms: 5 },
      { type: "usage", input_tokens: 7 },
      { type: "ended", reason: "hangup" },
    );
    const record = await recordOnce(call, hasEnded);
    expect(record).toMatchObject({ storage: "metadata", turns: [], turn_count: 2, tool_call_count: 1, complete: true });
    await stream.done;
    expect(stream.seen.map(({ event }) => event)).toEqual(["snapshot", "usage", "ended"]);
    const archive = await archiveOf(call, id);
    for (const text of [archive, JSON.stringify(stream.seen)]) expect(text).not.toMatch(/hello|Ada|fifty|paid/);
    advanceClock(120_000);
    await wake(call, call.call_id);
    vi.useRealTimers();
    const { body: later } = await call.server.get(`/api/v1/conversations/${id}`);
    expect(later).toMatchObject({ storage: "metadata", turns: [], complete: true });
    const { body: transcript } = await call.server.get<string>(`/api/v1/conversations/${id}/transcript`);
    expect(transcript).toContain("(The transcript is not stored.)");
  });
});

describe("an agent that stores less", () => {
  it("shows this in its record, and refuses kinds that cannot be redacted", async () => {
    const { server } = await greetedSession();
    const { body, status } = await server.post<{ id: string }>("/api/v1/agents", {
      name: "A",
      redact: ["card", "card"],
    });
    expect([status, body]).toMatchObject([201, { storage: "all", redact: ["card"] }]);
    const path = `/api/v1/agents/${body.id}`;
    expect((await server.patch(path, { storage: "metadata" })).body).toMatchObject({
      storage: "metadata",
      redact: ["card"],
    });
    for (const wrong of [{ storage: "none" }, { redact: ["name"] }, { redact: "card" }, { storage: null }])
      expect((await server.patch(path, wrong)).status, JSON.stringify(wrong)).toBe(400);
  });

  it("does not record its calls, even if a call requests a recording", async () => {
    const who = await caller();
    for (const storage of ["all", "redacted", "metadata"]) {
      await who.server.patch(`/api/v1/agents/${who.agent_id}`, { storage });
      const { body } = await originate(who, "+13035550106", { record: true });
      const call = await who.server.get(`/api/v1/calls/${body.call_id}`);
      expect(call.body).toMatchObject({ recorded: storage === "all" });
    }
  });
});
