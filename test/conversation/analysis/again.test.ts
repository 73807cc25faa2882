import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { analysisKey } from "../../../src/records/analysis/archive.ts";
import { archiveKey } from "../../../src/records/conversations/archive.ts";
import { asScopes } from "../../account/scopes/support.ts";
import { ask, conversing, livesWith, objectOf, QUESTION, recordOf, stored } from "../runtime/conversing.ts";
import { ANALYSIS, after, analyzedCall, analyzedOnce, answering, GOOD, held, OPENAI, tell } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const again = (id: string) => `/api/v1/conversations/${id}/analyze`;

/** A conversation that was analyzed, whose object is empty. */
async function gone() {
  const { call } = await held([GOOD]);
  const { id } = await analyzedOnce(call);
  await after(call, 61_000);
  vi.useRealTimers();
  expect((await stored(call, call.call_id)).tables).toEqual([]);
  return { call, id };
}

describe("analyzing a conversation again", () => {
  it("goes by what its agent looks for now, from its archive, and leaves nothing in its object", async () => {
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

  it("counts the tokens of both, under a kind of their own", async () => {
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

  it("under one idempotency key is done once", async () => {
    const { call, id } = await gone();
    const key = { "idempotency-key": crypto.randomUUID() };
    const tries = [1, 2, 3].map(() => call.server.send("POST", again(id), { headers: key, body: {} }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([202, 202, 202]);
    await analyzedOnce(call, ({ status }) => status === "done");
    const run = async () => (await ledgerRun(call, id)) ?? 0;
    expect(await run()).toBe(2);
  });

  it("is refused while one is under way, and while the conversation is live", async () => {
    const { call, id } = await gone();
    await livesWith(call, call.call_id, OPENAI);
    const answer = Promise.withResolvers<Response>();
    answering(() => answer.promise);
    expect((await call.server.post(again(id), {})).status).toBe(202);
    const second = await call.server.post(again(id), {});
    expect([second.status, second.code]).toEqual([409, "analysis_pending"]);
    answer.reject(new TypeError("it is gone"));
    const { call: talking, socket } = await conversing({ analysis: ANALYSIS });
    await ask(socket, QUESTION);
    const live = await recordOf(talking);
    const refused = await talking.server.post(again(live.id), {});
    expect([refused.status, refused.code]).toEqual([409, "conversation_live"]);
    socket.close();
  });

  it("is refused where the agent is deleted, and where there is no such conversation", async () => {
    const { call, id } = await gone();
    expect((await call.server.post(again(crypto.randomUUID()), {})).status).toBe(404);
    await call.server.delete(`/api/v1/agents/${call.agent_id}`);
    const { status, code } = await call.server.post(again(id), {});
    expect([status, code]).toEqual([409, "agent_deleted"]);
  });
});

async function ledgerRun({ account }: { account: string }, id: string): Promise<number | undefined> {
  const { ledgerOf } = await import("../../records/conversations/support.ts");
  return (await ledgerOf({ account }).conversation(id))?.analysis_brief?.run;
}

describe("what was read out of a conversation", () => {
  it("is gone with it, also where its analysis is under way", async () => {
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

  it("is no reason for a visitor's next conversation to wait: both go on in one object", async () => {
    const call = await analyzedCall();
    await livesWith(call, call.call_id, OPENAI);
    answering(() => new Promise<Response>(() => {}));
    await tell(call);
    await vi.waitFor(async () => expect(await recordOf(call)).toMatchObject({ status: "ended", complete: true }));
    expect(objectOf(call, call.call_id)).toBeDefined();
  });
});

describe("who may see it", () => {
  it("sees nothing of it without listen, but how it stands, and cannot look for what it holds", async () => {
    const { call } = await held([GOOD]);
    const { id } = await analyzedOnce(call);
    const reader = await asScopes(call, ["read"]);
    const { body } = await reader.get<Record<string, unknown>>(`/api/v1/conversations/${id}`);
    expect(body.analysis).toBeNull();
    const list = await reader.get<{ conversations: Record<string, unknown>[] }>("/api/v1/conversations?successful=success");
    expect(list.body.conversations.map(({ analysis }) => analysis)).toEqual([{ status: "done", successful: "success" }]);
    expect(JSON.stringify(list.body)).not.toContain("Ada");
    const named = await reader.get("/api/v1/conversations?data.caller_name=Ada");
    expect([named.status, named.code]).toEqual([403, "missing_scope"]);
    for (const scopes of [["build"], ["listen"]] as const) {
      const { status, code } = await (await asScopes(call, [...scopes])).post(again(id), {});
      expect([status, code]).toEqual([403, "missing_scope"]);
    }
  });
});
