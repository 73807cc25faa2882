import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { type Campaign, contactOf, started, until } from "../../campaign/support.ts";
import {
  type Call,
  type Calls,
  caller,
  getCall,
  isOver,
  originate,
  settled,
  slowly,
} from "../../phone/calls/support.ts";
import { answering, ring } from "../../phone/inbound/support.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { Client, type Tenant } from "../../support/client.ts";
import { openRuntime, runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { sessionOf, show, withAgent } from "../agent-sessions/support.ts";
import { hasEnded, isLast, linesOf, prompt, QUESTION, recordOnce } from "./conversing.ts";
import { ended, numbered, report } from "./reporting.ts";
import { carrierToken } from "./support.ts";

const SENTENCE = `You are talking to an AI, "not" a person <&> ]]>.`;
const SETTINGS = "/api/v1/call-settings";
const disclose = async (client: Client, mode = "everywhere") =>
  expect((await client.patch(SETTINGS, { disclosure: { mode, texts: { en: SENTENCE } } })).status).toBe(200);

interface Disclosed {
  disclosed: { at: string | null; text: string | null; how: string } | null;
}
type Recorded = Conversation & Disclosed;
const claimsOf = (call_id: string, { account, agent_id }: { account: string; agent_id: string }) => ({
  sub: call_id,
  account,
  agent_id,
});
const firstLine = (record: Conversation) => linesOf(record)[0];
const conversationOf = async (server: Client, id: string) =>
  (await server.get<Recorded>(`/api/v1/conversations/${id}`)).body;
const eventsOf = async ({ server }: Pick<Tenant, "server">) =>
  (await server.get<{ events: { data: object }[] }>("/api/v1/events?types=conversation.disclosure_missing")).body
    .events;

/** Greetings by what may keep the sentence from being first. */
const GREETINGS: [name: string, agent: Record<string, unknown>][] = [
  ["no greeting", { greeting_message: "" }],
  ["a greeting", { greeting_message: "Hello, this is Acme." }],
  ["a greeting with the time", { greeting_message: "It is {{time}} at Acme." }],
  ["a greeting that is the sentence itself", { greeting_message: SENTENCE }],
  ["a locked greeting", { greeting_message: "Hello, this is Acme.", greeting_mode: "locked" }],
];

describe.each(GREETINGS)("with %s, the record begins with the disclosure", (_, agent) => {
  it("of a call that came in, also when it is interrupted at the first word", async () => {
    const who = await answering(agent);
    await disclose(who.server, "calls");
    const { call_id, session_token, ...document } = (await ring(who)).body;
    expect(document).toMatchObject({ disclosure: { text: SENTENCE, language: "en" } });
    const socket = await openRuntime(session_token);
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "", durationUntilInterruptMs: 0 });
    socket.send(prompt(QUESTION));
    const answered = await socket.until(isLast);
    // The carrier has spoken it.
    expect(JSON.stringify(answered)).not.toContain(`"token":${JSON.stringify(SENTENCE)}}`);
    socket.close();
    const record = (await recordOnce({ ...who, call_id }, hasEnded)) as Recorded;
    expect(firstLine(record)).toBe(`agent: ${SENTENCE}`);
    expect(record.disclosed).toEqual({ at: record.started_at, text: SENTENCE, how: "spoken" });
    expect((await getCall(who.server, call_id)) as Call & Disclosed).toMatchObject({ disclosed: { how: "spoken" } });
  });

  it("of a call that its carrier could not speak on, until all of it was heard", async () => {
    const who = await answering(agent);
    await disclose(who.server, "calls");
    const { call_id } = (await ring(who)).body;
    const socket = await openRuntime(await carrierToken(claimsOf(call_id, who)));
    expect((await socket.until(({ type }) => type === "text"))[0]).toMatchObject({
      token: SENTENCE,
      interruptible: false,
    });
    socket.close();
    const record = (await recordOnce({ ...who, call_id }, hasEnded)) as Recorded;
    expect(firstLine(record)).toBe(`agent: ${SENTENCE}`);
  });

  it("of a placed call, also after its connection broke", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, agent);
    await disclose(who.server, "calls");
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const token = await carrierToken(claimsOf(call_id, who), { disclosed: true, announced: false, greeted: false });
    const first = await openRuntime(token);
    first.send(prompt(QUESTION));
    await first.until(isLast);
    first.close(4000);
    const again = await openRuntime(await carrierToken(claimsOf(call_id, who)));
    again.send(prompt("Are you there?"));
    await again.until(isLast);
    again.close();
    const record = (await recordOnce({ ...who, call_id }, hasEnded)) as Recorded;
    const said = linesOf(record).filter((line) => line.includes(SENTENCE));
    expect(firstLine(record)).toBe(`agent: ${SENTENCE}`);
    expect(said.length).toBe(agent.greeting_message === SENTENCE ? 2 : 1);
    expect(record.disclosed).toMatchObject({ text: SENTENCE, how: "spoken" });
  });

  it("of a widget's visitor, also when they interrupt it", async () => {
    const who = await widgetTenant();
    await who.server.patch(`/api/v1/agents/${who.agentId}`, agent);
    await disclose(who.server);
    const config = await page().config(who.widgetKey.key);
    expect(config.body.agent?.greeting_message).toBe(SENTENCE);
    const { access_token } = (await page().guest(who.widgetKey.key)).body;
    const socket = await show(access_token);
    const frames = await socket.until(({ type, role }) => type === "message" && role !== "user");
    expect(frames.at(-1)).toMatchObject({ text: SENTENCE });
    const id = String(frames.find(({ type }) => type === "ready")?.conversation_id);
    socket.send({ type: "interrupt" });
    socket.send({ type: "message", id: "a", text: QUESTION });
    await socket.until((frame) => frame.type === "received");
    const record = await conversationOf(who.server, id);
    expect(firstLine(record)).toBe(`agent: ${SENTENCE}`);
    expect(record.disclosed).toMatchObject({ text: SENTENCE, how: "shown" });
  });

  it("of a test by hand, with a pinned version of before", async () => {
    const who = await withAgent(Object.assign({ versioning: "manual" }, agent));
    await who.server.post(`/api/v1/agents/${who.agentId}/publish`);
    await who.server.patch(`/api/v1/agents/${who.agentId}`, { greeting_message: "Another." });
    await disclose(who.server);
    const { access_token, conversation_id } = await sessionOf(who.server, who.agentId, { version: 1 });
    const socket = await show(access_token);
    await socket.until(({ type }) => type === "message");
    const record = await conversationOf(who.server, conversation_id);
    expect(firstLine(record)).toBe(`agent: ${SENTENCE}`);
    expect(record.disclosed).toMatchObject({ how: "shown" });
  });
});

describe("a runtime of one's own", () => {
  const agentTurn = (seq: number, text: string) => numbered(seq, { type: "agent_turn", text });

  async function visitor() {
    const who = await widgetTenant();
    await disclose(who.server);
    const { access_token } = (await page().guest(who.widgetKey.key)).body;
    const client = runtimeFor(who, access_token);
    type Session = { session_id: string; disclosure: object | null };
    const { body } = await client.get<Session>("/api/runtime/v1/session");
    return { ...who, client, session: body };
  }

  it("is given the sentence, and reports that it was said", async () => {
    const who = await visitor();
    expect(who.session.disclosure).toEqual({ text: SENTENCE, language: "en", spoken: false });
    await report(who, numbered(1, { type: "disclosed" }), agentTurn(2, "Hello."), ended(3));
    const { disclosed } = await until(
      () => conversationOf(who.server, who.session.session_id),
      (record) => record.status === "ended",
    );
    expect(disclosed).toMatchObject({ text: SENTENCE, how: "reported" });
  });

  it.each([
    ["omits it", [agentTurn(1, "Hello."), ended(2)]],
    ["says it after its first words", [agentTurn(1, "Hello."), numbered(2, { type: "disclosed" }), ended(3)]],
  ])("that %s leaves a record that says missing, and an event", async (_, events) => {
    const who = await visitor();
    await report(who, ...events);
    const id = who.session.session_id;
    const path = "/api/v1/conversations?disclosed=missing";
    const listed = await until(
      async () => (await who.server.get<{ conversations: Recorded[] }>(path)).body.conversations,
      (found) => found.length > 0,
    );
    expect(listed).toMatchObject([{ id, disclosed: { at: null, text: SENTENCE, how: "missing" } }]);
    const sent = await until(
      () => eventsOf(who),
      (found) => found.length > 0,
    );
    expect(sent).toMatchObject([{ data: { conversation_id: id, call_id: null, kind: "widget", text: SENTENCE } }]);
    const none = await who.server.get<{ conversations: Recorded[] }>("/api/v1/conversations?disclosed=spoken");
    expect(none.body.conversations).toEqual([]);
  });

  it("on a call is told that the carrier has spoken it", async () => {
    const who = await answering();
    await disclose(who.server, "calls");
    const { call_id } = (await ring(who)).body;
    const of = { account: who.account, agent_id: who.agent_id, campaign_id: null };
    const token = await issueRuntimeToken(env.SIGNING_KEYS, { call_id, ...of, disclosed: true }, 7200, Date.now());
    const client = new Client({ authorization: `Bearer ${token}` });
    const { body } = await client.get<{ disclosure: object }>("/api/runtime/v1/session");
    expect(body.disclosure).toEqual({ text: SENTENCE, language: "en", spoken: true });
    await report({ client }, agentTurn(1, "Hello."), ended(2));
    const record = (await recordOnce({ ...who, call_id }, hasEnded)) as Recorded;
    expect(record.disclosed).toMatchObject({ how: "spoken" });
  });
});

describe("a call without a conversation", () => {
  it("that was answered is missing its disclosure, and has an event", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    const { call_id } = (await originate(who, "+13035550110")).body;
    const call = (await settled(who.server, call_id, isOver)) as Call & Disclosed;
    expect(call.disclosed).toEqual({ at: null, text: SENTENCE, how: "missing" });
    const { calls } = (await who.server.get<Calls>("/api/v1/calls?disclosed=missing")).body;
    expect(calls.map((one) => one.call_id)).toEqual([call_id]);
    expect((await who.server.get<Calls>("/api/v1/calls?disclosed=not_required")).body.calls).toEqual([]);
    const sent = await until(
      () => eventsOf(who),
      (found) => found.length > 0,
    );
    expect(sent).toMatchObject([{ data: { conversation_id: null, call_id, kind: "call", text: SENTENCE } }]);
  });

  it("that nobody answered is missing nothing", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    const { call_id } = (await originate(who, "+13035550102")).body;
    expect(((await settled(who.server, call_id, isOver)) as Call & Disclosed).disclosed).toBeNull();
    expect((await who.server.get<Calls>("/api/v1/calls?disclosed=missing")).body.calls).toEqual([]);
  });

  it("of an account without a disclosure requires none", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550110")).body;
    const call = (await settled(who.server, call_id, isOver)) as Call & Disclosed;
    expect(call.disclosed).toEqual({ at: null, text: null, how: "not_required" });
  });

  it("that left a message had it at the message's beginning", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { voicemail_message: "Call us back." });
    const { call_id } = (await originate(who, "+13035550105", { voicemail: "leave_message" })).body;
    const call = (await settled(who.server, call_id, isOver)) as Call & Disclosed;
    expect(call).toMatchObject({ metadata: { message_left: true }, disclosed: { text: SENTENCE, how: "spoken" } });
  });

  it("of a campaign is on record with the sentence", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    const campaign = await started(who, "phone_number\n+13035550110\n");
    const over = () => who.server.get<Campaign>(campaign).then(({ body }) => body);
    await until(over, ({ status }) => status === "completed");
    const contact = await contactOf(who.server, campaign);
    expect(contact.status).toBe("completed");
    const { calls } = (await who.server.get<Calls>("/api/v1/calls?disclosed=missing")).body;
    expect(calls).toMatchObject([{ campaign_id: campaign.split("/").at(-1), disclosed: { text: SENTENCE } }]);
  });
});

describe("an agent whose disclosure is off", () => {
  it("says nothing of itself", async () => {
    const who = await answering({ greeting_message: "Hello.", disclosure: "off" });
    await disclose(who.server);
    const { call_id, session_token, ...document } = (await ring(who)).body;
    expect(document).toMatchObject({ disclosure: null });
    const socket = await openRuntime(session_token);
    await socket.until(isLast);
    socket.close();
    const record = (await recordOnce({ ...who, call_id }, hasEnded)) as Recorded;
    expect([firstLine(record), record.disclosed?.how]).toEqual(["agent: Hello.", "not_required"]);
  });
});
