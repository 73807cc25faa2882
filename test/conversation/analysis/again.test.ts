import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { analysisKey } from "../../../src/records/analysis/archive.ts";
import { archiveKey } from "../../../src/records/ledger/file-keys.ts";
import { ledgerOf } from "../../records/conversations/support.ts";
import { apiKey } from "../../support/client.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { advanceClock, ask, conversing, livesWith, QUESTION, recordOf, stored } from "../runtime/conversing.ts";
import { streamOf } from "../runtime/models/support.ts";
import { ANALYSIS, type Analyzed, analyzedOnce, answering, GOOD, held, OPENAI, WAIT, wakeAfter } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const again = (id: string) => `/api/v1/conversations/${id}/analyze`;

/**
 * Returns a model's answer that arrives once it is released. It polls, because the requesting object cannot await the
 * test's promise.
 */
function heldBack(said: object) {
  let isReleased = false;
  const answer = async () => {
    while (!isReleased) await scheduler.wait(5);
    return new Response(streamOf("openai", [{ say: JSON.stringify(said) }]));
  };
  return {
    answer,
    release: () => {
      isReleased = true;
    },
  };
}

/** Creates an analyzed conversation whose object is empty. */
async function gone() {
  const { call } = await held([GOOD]);
  const { id } = await analyzedOnce(call);
  await wakeAfter(call, 61_000);
  vi.useRealTimers();
  expect((await stored(call, call.call_id)).tables).toEqual([]);
  return { call, id };
}

describe("analyzing a conversation again", () => {
  it("uses the agent's current settings and the archive, and leaves nothing in the object", async () => {
    const { call, id } = await gone();
    const data = [{ name: "guest", type: "text", description: "The guest's name." }];
    await call.server.patch(`/api/v1/agents/${call.agent_id}`, { analysis: { enabled: false, criteria: [], data } });
    await livesWith(call, call.call_id, OPENAI);
    const { bodies } = answering({ summary: "Again.", data: { guest: { value: "Ada Lovelace", turns: [2] } } });
    const { status, body } = await call.server.post<{ analysis: object }>(again(id), {});
    expect([status, body.analysis]).toEqual([202, expect.objectContaining({ status: "pending" })]);
    const { analysis, turns } = await analyzedOnce(call, ({ status }) => status === "done");
    expect(bodies).toHaveLength(1);
    expect(analysis).toMatchObject({ summary: "Again.", criteria: [], usage: { requests: 1 } });
    expect(Object.keys(analysis.data)).toEqual(["guest"]);
    expect(turns.length).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null }));
    type Events = { events: object[] };
    await vi.waitFor(async () => {
      const { events } = (await call.server.get<Events>("/api/v1/events?types=conversation.analyzed")).body;
      expect(events).toHaveLength(2);
    });
  });

  it("counts the tokens of both analyses under their own kind", async () => {
    const { call, id } = await gone();
    await livesWith(call, call.call_id, OPENAI);
    answering(GOOD);
    await call.server.post(again(id), {});
    const { analysis } = await analyzedOnce(call, ({ status }) => status === "done");
    type Usage = { usage: { kind: string; agent_id: string; input_tokens: number; conversations: number }[] };
    const { usage } = (await call.server.get<Usage>("/api/v1/usage?group_by=kind,agent")).body;
    const row = usage.find(({ kind }) => kind === "analysis");
    expect(row).toMatchObject({ agent_id: call.agent_id, conversations: 0 });
    expect(row?.input_tokens).toBe(2 * analysis.usage.input_tokens);
  });

  it("analyzing a conversation again under one idempotency key happens once", async () => {
    const { call, id } = await gone();
    await livesWith(call, call.call_id, OPENAI);
    answering(GOOD);
    const key = { "idempotency-key": crypto.randomUUID(), "content-type": "application/json" };
    for (let i = 0; i < 3; i++) expect((await call.server.send("POST", again(id), "{}", key)).status).toBe(202);
    await analyzedOnce(call, ({ status }) => status === "done");
    expect((await ledgerOf(call).conversation(id))?.analysis_brief?.run).toBe(2);
  });

  it("analyzing a conversation again is refused while an analysis is running", async () => {
    const { call, id } = await gone();
    await livesWith(call, call.call_id, OPENAI);
    const { answer, release } = heldBack(GOOD);
    answering(answer);
    expect((await call.server.post(again(id), {})).status).toBe(202);
    const second = await call.server.post(again(id), {});
    expect([second.status, second.code]).toEqual([409, "analysis_pending"]);
    release();
    await analyzedOnce(call, ({ status }) => status === "done");
    expect((await call.server.post(again(id), {})).status).toBe(202);
  });

  it("analyzing a conversation again is refused while it is live", async () => {
    const { call, socket } = await conversing({ analysis: ANALYSIS });
    await ask(socket, QUESTION);
    const { id } = await recordOf(call);
    const { status, code } = await call.server.post(again(id), {});
    expect([status, code]).toEqual([409, "conversation_live"]);
    socket.close();
  });

  it("analyzing again is refused for an unknown conversation or a deleted agent", async () => {
    const { call, id } = await gone();
    expect((await call.server.post(again(crypto.randomUUID()), {})).status).toBe(404);
    await call.server.delete(`/api/v1/agents/${call.agent_id}`);
    const { status, code } = await call.server.post(again(id), {});
    expect([status, code]).toEqual([409, "agent_deleted"]);
  });
});

describe("an analysis of a conversation", () => {
  it("deleting a conversation deletes its analysis, even one that is running", async () => {
    const { call, id } = await gone();
    await livesWith(call, call.call_id, OPENAI);
    const asked = Promise.withResolvers<void>();
    answering(() => {
      asked.resolve();
      return new Promise<Response>(() => {});
    });
    await call.server.post(again(id), {});
    await asked.promise;
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    for (const key of [archiveKey(call.account, id), analysisKey(call.account, id)])
      expect(await env.CONVERSATIONS.head(key)).toBeNull();
    const { body } = await call.server.get<{ conversations: object[] }>(
      "/api/v1/conversations?data.caller_name=Ada%20Lovelace",
    );
    expect(body.conversations).toEqual([]);
    expect((await stored(call, call.call_id)).tables).toEqual([]);
  });

  it("does not delay a visitor's next conversation in the same object", async () => {
    const created = await widgetTenant();
    await created.server.patch(`/api/v1/agents/${created.agentId}`, { analysis: ANALYSIS, llm_model: "gpt-4o" });
    const session = (await page().guest(created.widgetKey.key)).body;
    const runtime = runtimeFor(created, session.access_token);
    const idOf = async (client: typeof runtime) =>
      (await client.get<{ session_id: string }>("/api/runtime/v1/session")).body.session_id;
    const first = await idOf(runtime);
    const row = await vi.waitFor(async () => {
      const found = await ledgerOf(created).conversation(first);
      if (!found) throw new Error("it is not listed");
      return found;
    }, WAIT);
    await livesWith(created, row.session_key, OPENAI);
    const asked = Promise.withResolvers<void>();
    const data = { caller_name: { value: "Ada Lovelace", turns: [1] } };
    const { answer, release } = heldBack({ summary: "S.", criteria: {}, data });
    answering(() => {
      asked.resolve();
      return answer();
    });
    const at = new Date().toISOString();
    const said = (seq: number, text: string) => ({ seq, at, type: "user_turn", text });
    const events = [said(1, "I'm Ada Lovelace."), { seq: 2, at, type: "ended", reason: "hangup" }];
    expect((await runtime.post("/api/runtime/v1/session/events", { events })).status).toBe(200);
    await asked.promise;
    advanceClock(2_000);
    const renewed = runtimeFor(created, (await page().refresh(session.refresh_token)).body.access_token);
    const second = await idOf(renewed);
    expect(second).not.toBe(first);
    vi.useRealTimers();
    const told = await renewed.post("/api/runtime/v1/session/events", { events: [said(1, "Hello again.")] });
    expect(told.status).toBe(200);
    release();
    const of = async (id: string) => (await created.server.get<Analyzed>(`/api/v1/conversations/${id}`)).body;
    await vi.waitFor(async () => expect((await of(first)).analysis?.status).toBe("done"), WAIT);
    expect((await of(first)).analysis?.data.caller_name).toMatchObject({ state: "found", turns: [1], by: "caller" });
    expect(await of(second)).toMatchObject({ status: "live", turns: [{ text: "Hello again." }], analysis: null });
  });
});

describe("an analysis without the scope listen", () => {
  it("shows only its state, and cannot be searched by its content", async () => {
    const { call } = await held([GOOD]);
    const { id } = await analyzedOnce(call);
    const reader = (await apiKey(call.user, { scopes: ["read"] })).server;
    const { body } = await reader.get<Record<string, unknown>>(`/api/v1/conversations/${id}`);
    expect(body.analysis).toBeNull();
    const list = await reader.get<{ conversations: Record<string, unknown>[] }>("/api/v1/conversations");
    expect(list.body.conversations.map(({ analysis }) => analysis)).toEqual([
      { status: "done", successful: "success", summary: null },
    ]);
    expect(JSON.stringify(list.body)).not.toContain("Ada");
    for (const filter of ["data.caller_name=Ada", "successful=success"]) {
      const named = await reader.get(`/api/v1/conversations?${filter}`);
      expect([named.status, named.code], filter).toEqual([403, "missing_scope"]);
    }
    for (const scopes of [["build"], ["listen"]] as const) {
      const { server } = await apiKey(call.user, { scopes: [...scopes] });
      const { status, code } = await server.post(again(id), {});
      expect([status, code]).toEqual([403, "missing_scope"]);
    }
  });
});
