import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { type Campaign, contactOf, started, until } from "../../campaign/support.ts";
import { type Call, type Calls, caller, isOver, originate, settled } from "../../phone/calls/support.ts";
import { answering, ring } from "../../phone/inbound/support.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { Client, type Tenant } from "../../support/client.ts";
import { openRuntime, runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { begin, over, tested, withTest } from "../test-runs/support.ts";
import { hasEnded, isLast, linesOf, QUESTION, recordOnce } from "./conversing.ts";
import { ended, numbered, report } from "./reporting.ts";

const SENTENCE = `You are talking to an AI, "not" a person <&> ]]>.`;
const SETTINGS = "/api/v1/call-settings";
const disclose = async (client: Client, mode = "everywhere") =>
  expect((await client.patch(SETTINGS, { disclosure: { mode, texts: { en: SENTENCE } } })).status).toBe(200);

interface Disclosed {
  disclosed: { at: string | null; text: string | null; how: string } | null;
}
type Recorded = Conversation & Disclosed;
const firstLine = (record: Conversation) => linesOf(record)[0];
const conversationOf = async (server: Client, id: string) =>
  (await server.get<Recorded>(`/api/v1/conversations/${id}`)).body;
const eventsOf = async ({ server }: Pick<Tenant, "server">) =>
  (await server.get<{ events: { data: object }[] }>("/api/v1/events?types=conversation.disclosure_missing")).body
    .events;

describe("a custom runtime and the disclosure", () => {
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

  it("a custom runtime receives the disclosure and reports that it was said", async () => {
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
  ])("a custom runtime that %s leaves the disclosure recorded as missing, and an event", async (_, events) => {
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

  it("a custom runtime on a call is told that the carrier has spoken the disclosure", async () => {
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
  it("an answered call without a conversation is missing its disclosure, and emits an event", async () => {
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

  it("an unanswered call without a conversation is not missing its disclosure", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    const { call_id } = (await originate(who, "+13035550102")).body;
    expect(((await settled(who.server, call_id, isOver)) as Call & Disclosed).disclosed).toBeNull();
    expect((await who.server.get<Calls>("/api/v1/calls?disclosed=missing")).body.calls).toEqual([]);
  });

  it("an inbound call that could not be connected is not missing its disclosure", async () => {
    const who = await answering();
    await disclose(who.server, "calls");
    // The sandbox refuses numbers that end in 04.
    expect((await ring(who, { from_number: "+13035550104" })).body).toMatchObject({ action: "reject" });
    const { calls } = (await who.server.get<Calls>("/api/v1/calls")).body;
    expect(calls).toMatchObject([{ status: "failed", disclosed: null }]);
    expect(await eventsOf(who)).toEqual([]);
  });

  it("a call of an account without a disclosure requires none", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550110")).body;
    const call = (await settled(who.server, call_id, isOver)) as Call & Disclosed;
    expect(call.disclosed).toEqual({ at: null, text: null, how: "not_required" });
  });

  it("a call that left a message had the disclosure at the message's beginning", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { voicemail_message: "Call us back." });
    const { call_id } = (await originate(who, "+13035550105", { voicemail: "leave_message" })).body;
    const call = (await settled(who.server, call_id, isOver)) as Call & Disclosed;
    expect(call).toMatchObject({ metadata: { message_left: true }, disclosed: { text: SENTENCE, how: "spoken" } });
  });

  it("a call that is dialed again has the disclosure that applies at that time", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { voicemail_message: "Call us back." });
    const campaign = await started(who, "phone_number\n+13035550105\n");
    const isCompleted = () =>
      until(
        () => who.server.get<Campaign>(campaign).then(({ body }) => body),
        ({ status }) => status === "completed",
      );
    await isCompleted();
    await disclose(who.server, "calls");
    const again = [
      await who.server.post(`${campaign}/redial`, { outcomes: ["machine"] }),
      await who.server.patch(campaign, { voicemail: "leave_message" }),
      await who.server.post(`${campaign}/resume`),
    ];
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    await isCompleted();
    const calls = async () => (await who.server.get<{ calls: (Call & Disclosed)[] }>("/api/v1/calls")).body.calls;
    const both = await until(calls, (found) => found.length === 2 && found.every(isOver));
    expect(both.map(({ disclosed }) => disclosed?.how).toSorted()).toEqual(["not_required", "spoken"]);
  });

  it("a campaign's call records the disclosure", async () => {
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

describe("a test run of an agent", () => {
  it.each([
    ["no greeting", []],
    ["a greeting", ["Hello."]],
  ])("begins with the disclosure, which is not a turn of the agent, before %s", async (_, greeting) => {
    const who = await tested({ greeting_message: greeting.join("") });
    await disclose(who.server);
    const test = { name: "Asks", steps: [{ says: QUESTION }], expect: [{ max_turns: greeting.length + 1 }] };
    await withTest(who, test);
    const { id } = (await begin(who)).body;
    const [result] = (await over(who.server, id)).results;
    const first = result?.transcript.map(({ text }) => text).slice(0, greeting.length + 1);
    expect([first, result?.state]).toEqual([[SENTENCE, ...greeting], "passed"]);
  });
});

describe("exports", () => {
  const rowsOf = async ({ server }: Pick<Tenant, "server">, path: string) =>
    Papa.parse<Record<string, string>>((await server.get<string>(path)).body, { header: true, skipEmptyLines: true })
      .data;

  it("exports of calls contain the required disclosure and accept its filter", async () => {
    const who = await caller();
    await disclose(who.server, "calls");
    const { call_id } = (await originate(who, "+13035550110")).body;
    await settled(who.server, call_id, isOver);
    const [row, ...others] = await rowsOf(who, "/api/v1/calls/export?disclosed=missing");
    expect(row).toMatchObject({ call_id, disclosed: "missing", disclosed_at: "", disclosed_text: SENTENCE });
    expect(others).toEqual([]);
    expect(await rowsOf(who, "/api/v1/calls/export?disclosed=spoken")).toEqual([]);
  });

  it("exports of conversations contain the said disclosure and accept its filter", async () => {
    const who = await answering({ greeting_message: "Hello." });
    await disclose(who.server, "calls");
    const { call_id, session_token } = (await ring(who)).body;
    const socket = await openRuntime(session_token);
    await socket.until(isLast);
    socket.close();
    const { started_at } = await recordOnce({ ...who, call_id }, hasEnded);
    const [row, ...others] = await rowsOf(who, "/api/v1/conversations/export?disclosed=spoken");
    expect(row).toMatchObject({
      call_id,
      disclosed: "spoken",
      disclosed_at: started_at,
      disclosed_text: SENTENCE,
    });
    expect(others).toEqual([]);
    expect(await rowsOf(who, "/api/v1/conversations/export?disclosed=missing")).toEqual([]);
  });
});

describe("an agent whose disclosure is off", () => {
  it("makes no disclosure", async () => {
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
