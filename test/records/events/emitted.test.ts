import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type Schema, Validator } from "@cfworker/json-schema";
import { afterEach, describe, expect, it, vi } from "vitest";
import { announceEndings } from "../../../src/agent/models/announce-endings.ts";
import { accountEvents, accountMeter } from "../../../src/kernel/durable/objects.ts";
import { createBudget } from "../../account/budgets/support.ts";
import { settled as documentRead, readyText, upload } from "../../agent/knowledge/support.ts";
import { endingIn } from "../../agent/models/support.ts";
import { run, toolOf, vendor } from "../../agent/tools/support.ts";
import { newAgent } from "../../agent/versions/support.ts";
import { contactsCsv, started } from "../../campaign/support.ts";
import { greetedSession } from "../../conversation/runtime/conversing.ts";
import { GOODBYE, ran, tested, withTest } from "../../conversation/test-runs/support.ts";
import { caller, isOver, originate, settled } from "../../phone/calls/support.ts";
import { recordingOf } from "../../phone/recordings/support.ts";
import { apiKey, type Client, tenant } from "../../support/client.ts";
import { eventsSoFar, happening, type ListedEvent, list, take } from "./support.ts";

interface EventType {
  type: string;
  schema: Schema;
  example: Record<string, unknown>;
}

afterEach(() => vi.unstubAllGlobals());

const typesOf = async (client: Client) => (await client.get<EventType[]>("/api/v1/event-types")).body;

/** The types that were emitted in this file. Every type must be among them. */
const emitted = new Set<string>();

/** Fails on an event that does not match its type exactly. */
async function check(client: Client, events: ListedEvent[]): Promise<void> {
  const types = await typesOf(client);
  for (const event of events) {
    const { schema } = types.find(({ type }) => type === event.type) ?? expect.fail(`no type ${event.type}`);
    const { valid, errors } = new Validator(schema, "2020-12").validate(event);
    expect(valid, `${event.type}: ${JSON.stringify(errors)}`).toBe(true);
    const data = schema.properties?.data as Schema;
    expect(Object.keys(event.data).sort()).toEqual(Object.keys(data.properties ?? {}).sort());
    expect(event.data.url).toMatch(/^https:\/\/switchboard\.test\/api\/v1\//);
    emitted.add(event.type);
  }
}

describe("an event type", () => {
  it("every event type is listed with its schema and a valid example", async () => {
    const { server } = await tenant();
    for (const { type, schema, example } of await typesOf(server)) {
      const { valid, errors } = new Validator(schema, "2020-12").validate(example);
      expect(valid, `${type}: ${JSON.stringify(errors)}`).toBe(true);
      expect(example.type).toBe(type);
    }
  });

  it("the OpenAPI document contains every event type with the same schema", async () => {
    const { server } = await tenant();
    type Webhook = {
      post: { requestBody: { content: Record<string, { schema: { $ref: string }; example: unknown }> } };
    };
    const { webhooks } = (await server.get<{ webhooks: Record<string, Webhook> }>("/openapi.json")).body;
    const types = await typesOf(server);
    expect(Object.keys(webhooks)).toEqual(types.map(({ type }) => type));
    for (const { type, example } of types)
      expect(webhooks[type]?.post.requestBody.content["application/json"]?.example).toEqual(example);
  });

  it("a webhook's event is emitted when the receiver is gone or events were missed", async () => {
    const { account, server } = await tenant();
    vendor((request) => new Response("", { status: request.url.endsWith("/gone") ? 410 : 200 }));
    const add = (url: string) => server.post<{ id: string }>("/api/v1/webhooks", { url, types: ["*"] });
    const { body: gone } = await add("https://shop.example/gone");
    await take(account, [happening(1)]);
    const disabled = await eventsSoFar(server, "webhook.disabled", 1);
    expect(disabled[0]?.data).toMatchObject({ webhook_id: gone.id, reason: "gone" });
    await check(server, disabled);
    const { body: behind } = await add("https://shop.example/hook");
    await take(account, [happening(2)]);
    await vi.waitFor(
      async () => {
        const { body } = await server.get<{ last_delivery_at: unknown; behind: number }>(
          `/api/v1/webhooks/${behind.id}`,
        );
        expect(body).toMatchObject({ last_delivery_at: expect.any(String), behind: 0 });
      },
      { interval: 50 },
    );
    await runInDurableObject(accountEvents(env, account) as unknown as DurableObjectStub, (_, { storage }) => {
      storage.sql.exec("DELETE FROM events");
      storage.kv.put("pruned", { sequence: 50, at: 0 });
    });
    await take(account, [happening(60)]);
    const missed = await eventsSoFar(server, "webhook.missed", 1);
    expect(missed[0]?.data).toMatchObject({ webhook_id: behind.id, host: "shop.example" });
    expect(missed[0]?.data.missed).toBeGreaterThan(40);
    await check(server, missed);
  });

  it("a disclosure's event is emitted when a caller leaves before the disclosure", async () => {
    const who = await caller();
    const texts = { en: "You are talking to an AI assistant." };
    await who.server.patch("/api/v1/call-settings", { disclosure: { mode: "calls", texts } });
    const { call_id } = (await originate(who, "+13035550110")).body;
    await settled(who.server, call_id, isOver);
    const events = await eventsSoFar(who.server, "conversation.disclosure_missing", 1);
    expect(events[0]?.data).toMatchObject({ call_id, text: texts.en });
    await check(who.server, events);
  });

  it("a call's events are emitted by a call", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550110")).body;
    await settled(who.server, call_id, isOver);
    const events = await eventsSoFar(who.server, "call.started,call.answered,call.ended", 3);
    expect(events.map(({ type }) => type)).toEqual(["call.started", "call.answered", "call.ended"]);
    for (const { data } of events) expect(data).toMatchObject({ call_id, agent_id: who.agent_id });
    await check(who.server, events);
  });

  it("a recording's event is emitted once the recording is stored", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550110")).body;
    const { id } = await recordingOf(who.server, call_id);
    const events = await eventsSoFar(who.server, "recording.ready", 1);
    expect(events).toMatchObject([{ data: { call_id, recording_id: id } }]);
    await check(who.server, events);
  });

  it("events of campaigns and contacts are emitted by campaigns", async () => {
    const who = await caller();
    const csv = `${contactsCsv(1)}+13035550101,Nobody\n`;
    const path = await started(who, csv);
    const done = "campaign.started,contact.completed,contact.failed,campaign.completed";
    await check(who.server, await eventsSoFar(who.server, done, 4));
    const next = await started(who, contactsCsv(1), { scheduled_at: "2099-01-05T12:30:00Z" });
    for (const operation of ["pause", "resume", "stop"])
      expect((await who.server.post(`${next}/${operation}`)).status).toBe(200);
    const changed = await eventsSoFar(who.server, "campaign.paused,campaign.resumed,campaign.stopped", 3);
    expect(changed.map(({ type }) => type)).toEqual(["campaign.paused", "campaign.resumed", "campaign.stopped"]);
    await check(who.server, changed);
    expect(path).not.toBe(next);
  });

  it("an agent's event is emitted once when the agent is published", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body;
    for (const note of ["first", "the same"]) await server.post(`/api/v1/agents/${id}/publish`, { note });
    const events = await eventsSoFar(server, "agent.published", 1);
    expect(events).toMatchObject([{ data: { agent_id: id, version: 1 } }]);
    expect(events[0]?.data.url).toBe(`https://switchboard.test/api/v1/agents/${id}/versions/1`);
    await check(server, events);
  });

  it("the do-not-call list's events are emitted when the list changes", async () => {
    const { server } = await tenant();
    await server.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    await check(server, await eventsSoFar(server, "opt_out.added", 1));
  });

  it("an analysis's event is emitted by a conversation that has ended", async () => {
    const session = await greetedSession({ analysis: { enabled: true } });
    const at = new Date().toISOString();
    const expected = [
      { seq: 1, at, type: "user_turn", text: "Hello." },
      { seq: 2, at, type: "ended", reason: "hangup" },
    ];
    await session.client.post("/api/runtime/v1/session/events", { events: expected });
    const events = await eventsSoFar(session.server, "conversation.analyzed", 1);
    expect(events).toMatchObject([{ data: { call_id: session.call_id, status: "done", successful: "unknown" } }]);
    await check(session.server, events);
  });

  it("events of conversations and opt-outs are emitted by their reports", async () => {
    const session = await greetedSession();
    const at = new Date().toISOString();
    const reported = [
      { seq: 1, at, type: "opt_out" },
      { seq: 2, at, type: "ended", reason: "caller_hung_up" },
    ];
    const answer = await session.client.post("/api/runtime/v1/session/events", { events: reported });
    expect(answer.status).toBe(200);
    const events = await eventsSoFar(session.server, "conversation.started,conversation.ended,opt_out.added", 3);
    expect(events.map(({ type }) => type).sort()).toEqual([
      "conversation.ended",
      "conversation.started",
      "opt_out.added",
    ]);
    const { conversation_id } = events.find(({ type }) => type === "conversation.started")?.data ?? {};
    for (const { data } of events) expect(data.conversation_id).toBe(conversation_id);
    const { agent_id } = events.find(({ type }) => type === "conversation.started")?.data ?? {};
    const { server: limited } = await apiKey(session.user, { agent_ids: [String(agent_id)] });
    const theirs = (await list(limited)).events.map(({ type }) => type);
    expect(theirs).toContain("opt_out.added");
    const ofConversation = events.filter(({ type }) => type !== "opt_out.added");
    for (const { data } of ofConversation) expect(data).toMatchObject({ kind: "call", call_id: session.call_id });
    await check(session.server, events);
  });

  it("a tool's event is emitted by a failed run", async () => {
    const { server } = await tenant();
    vendor(() => new Response("down", { status: 503 }));
    const name = await toolOf(server, { url: "https://api.vendor.example/orders/{a}" });
    await run(server, name, { a: "x" });
    const events = await eventsSoFar(server, "tool_run.failed", 1);
    expect(events).toMatchObject([{ data: { tool_name: name, status: 503, conversation_id: null } }]);
    await check(server, events);
  });

  it("a test run's event is emitted when the run ends", async () => {
    const who = await tested();
    await withTest(who, GOODBYE);
    const run = await ran(who);
    const completed = await eventsSoFar(who.server, "test_run.completed", 1);
    const { id: run_id, agent_id, version, hash } = run;
    const counted = {
      status: "completed",
      reason: null,
      conversations: 1,
      done: 1,
      passed: 1,
      failed: 0,
      model_failed: 0,
    };
    const tests = [{ state: "passed", counts: { passed: 1, failed: 0, model_failed: 0 } }];
    expect(completed[0]?.data).toMatchObject({ run_id, agent_id, version, hash, ...counted, tests });
    await check(who.server, completed);
  });

  it("a budget's event is emitted once for each share that is used up", async () => {
    const who = await tenant();
    const { id, resets_at } = await createBudget(who, { limit: 1_000, warn_at: [0.5, 0.8], action: "warn" });
    const meter = accountMeter(env, who.account);
    const object = { type: "conversation" as const, id: "one" };
    const holder = { type: "call" as const };
    const base = {
      id: crypto.randomUUID(),
      kind: "call" as const,
      object,
      agent_id: null,
      campaign_id: null,
      api_key_id: null,
      holder,
    };
    await meter.admit(base);
    const used = (input_tokens: number, requests: number) => ({ input_tokens, output_tokens: 0, requests });
    for (const [n, tokens] of [100, 600, 650, 1_200, 1_300].entries()) await meter.renew(base, used(tokens, n + 1), 10);
    const events = await eventsSoFar(who.server, "budget.warned,budget.reached", 3);
    const shares = [
      ["budget.warned", 0.5, 600],
      ["budget.warned", 0.8, 1_200],
      ["budget.reached", 1, 1_200],
    ];
    expect(events.map(({ type, data }) => [type, data.share, data.used])).toEqual(shares);
    for (const { data } of events)
      expect(data).toMatchObject({ budget_id: id, limit: 1_000, resets_at, unit: "tokens" });
    await check(who.server, events);
  });

  it("a document's event is emitted when the document was read or has no text", async () => {
    const { server } = await tenant();
    const ready = await readyText(server, "Hours", "We are open on Mondays.");
    const { body: failed } = await upload(server, "blank.txt", " \n \n");
    await documentRead(server, failed.id);
    const events = await eventsSoFar(server, "document.ready,document.failed", 2);
    expect(events.map(({ type, data }) => [type, data.document_id])).toEqual([
      ["document.ready", ready.id],
      ["document.failed", failed.id],
    ]);
    await check(server, events);
  });

  it("the event of an ending model is emitted for an agent that names the model", async () => {
    const { account, server } = await tenant();
    const agent_id = await newAgent(server, { llm_model: "gpt-4o" });
    expect(await announceEndings(env, [account], Date.now(), endingIn(20))).toEqual(new Set());
    const events = await eventsSoFar(server, "model.ending", 1);
    expect(events.map(({ data }) => data)).toMatchObject([{ agent_id, model: "gpt-4o", replaced_by: "gpt-6-luna" }]);
    await check(server, events);
  });

  it("every event type is emitted at least once in this file", async () => {
    const { server } = await tenant();
    expect([...emitted].sort()).toEqual((await typesOf(server)).map(({ type }) => type).sort());
  });
});
