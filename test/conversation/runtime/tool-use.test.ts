import { afterEach, describe, expect, it, vi } from "vitest";
import { vendor } from "../../agent/tools/support.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import type { Client } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import type { RuntimeSession } from "../../support/runtime.ts";
import {
  ask,
  connected,
  greetedSession,
  hasEnded,
  isLast,
  objectOf,
  recordOf,
  recordOnce,
  spoken,
  wake,
} from "./conversing.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const SCHEMA = {
  type: "object",
  properties: { order_number: { type: "string", maxLength: 20 } },
  required: ["order_number"],
};
const CONFIG = { method: "GET", url: "https://api.vendor.example/orders/{order_number}", response: { path: "status" } };

interface Run {
  at: string;
  conversation_id: string | null;
  ok: boolean;
  status: number | null;
  duration_ms: number;
  error: string | null;
}

/** Creates a call whose agent has a tool that requests a vendor. Its session was not requested yet. */
async function callWithTool(config: Record<string, unknown> = CONFIG, name = "track_parcel") {
  const call = await greetedSession();
  await call.server.post("/api/v1/tools", {
    name,
    description: "Tracks the parcel of an order by its number.",
    implementation_config: config,
    schema: SCHEMA,
  });
  await call.server.post(`/api/v1/agents/${call.agent_id}/tools`, { tool_name: name });
  return { call, name };
}

const use = ({ client }: { client: Client }, name: string, args: object, tool_call_id?: string) =>
  client.post<{ run_id: string; ok: boolean; result: unknown; duration_ms: number }>(
    `/api/runtime/v1/session/tools/${name}`,
    {
      arguments: args,
      ...(tool_call_id !== undefined && { tool_call_id }),
    },
  );
const runsOf = async ({ server }: Pick<RuntimeSession, "server">, name: string) =>
  (await server.get<{ runs: Run[] }>(`/api/v1/tools/${name}/runs`)).body.runs;
const toolTurns = ({ turns }: Conversation) =>
  turns.filter(({ role }) => role === "tool").map((turn) => turn.tool_call);

describe("a tool that a runtime uses by its session", () => {
  it("a tool that a runtime uses is logged with the conversation and listed among the tool's runs", async () => {
    const { call, name } = await callWithTool();
    const requests = vendor(() => Response.json({ status: "on its way" }));
    const { status, body } = await use(call, name, { order_number: "A 1" }, "t1");
    const { run_id } = body;
    expect([status, body]).toEqual([
      200,
      { run_id, state: "ok", ok: true, result: "on its way", duration_ms: expect.any(Number) },
    ]);
    expect(String(requests.mock.calls[0]?.[0])).toBe("https://api.vendor.example/orders/A%201");
    const record = await recordOf(call);
    expect(toolTurns(record)).toMatchObject([
      { tool_call_id: "t1", run_id, name, arguments: { order_number: "A 1" }, ok: true, result: "on its way" },
    ]);
    expect(record.tool_call_count).toBe(1);
    await vi.waitFor(async () => {
      await wake(call, call.call_id);
      expect(await runsOf(call, name)).toMatchObject([
        { conversation_id: record.id, ok: true, status: 200, error: null },
      ]);
    });
    expect(JSON.stringify(await runsOf(call, name))).not.toContain("on its way");
  });

  it("a runtime's tool run is recorded by its time, outside the runtime's sequence numbers", async () => {
    const { call, name } = await callWithTool();
    vendor(() => Response.json({ status: "on its way" }));
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const userTurn = (seq: number, text: string, seconds: number) => ({
      seq,
      at: at(seconds),
      type: "user_turn",
      text,
    });
    const report = async (...events: object[]) =>
      (await call.client.post<{ accepted_through: number }>("/api/runtime/v1/session/events", { events })).body
        .accepted_through;
    expect(await report(userTurn(1, "one", -60))).toBe(1);
    await use(call, name, { order_number: "A" });
    await use(call, name, { order_number: "B" });
    expect(await report(userTurn(2, "two", 60), { seq: 3, at: at(61), type: "ended", reason: "caller_hung_up" })).toBe(
      3,
    );
    const record = await recordOnce(call, hasEnded);
    expect(record.turns.map(({ seq, role, text }) => [seq, role, role === "tool" ? "" : text])).toEqual([
      [1, "user", "one"],
      [1, "tool", ""],
      [1, "tool", ""],
      [2, "user", "two"],
    ]);
    expect(record.complete).toBe(true);
  });

  it("runs once for one tool_call_id, even if the conversation's object restarts", async () => {
    const { call, name } = await callWithTool();
    const requests = vendor(() => Response.json({ status: "on its way" }));
    const first = await use(call, name, { order_number: "A" }, "t1");
    await evict(objectOf(call, call.call_id));
    expect((await use(call, name, { order_number: "A" }, "t1")).body).toMatchObject({
      ok: true,
      result: first.body.result,
    });
    expect(requests).toHaveBeenCalledTimes(1);
  });

  it("returns a result that a model can use, even if it fails", async () => {
    const { call, name } = await callWithTool();
    vendor(() => new Response("no", { status: 503 }));
    const wrong = await use(call, name, { order_number: 7 });
    expect([wrong.status, wrong.body.ok, String(wrong.body.result)]).toEqual([
      200,
      false,
      expect.stringContaining("order_number"),
    ]);
    expect((await use(call, name, { order_number: "A" })).body.ok).toBe(false);
    vendor(() => Promise.reject(new TypeError("connection refused")));
    expect((await use(call, name, { order_number: "A" })).body.ok).toBe(false);
    await call.server.delete(`/api/v1/tools/${name}`);
    expect((await use(call, name, { order_number: "A" })).body).toMatchObject({
      ok: false,
      result: "the tool no longer exists",
    });
    expect(toolTurns(await recordOf(call)).map((tool) => tool?.ok)).toEqual([false, false, false, false]);
  });

  it("a tool is refused to a runtime if it is unknown, runs elsewhere, or the session has ended", async () => {
    const { call, name } = await callWithTool();
    const python = `p_${crypto.randomUUID().slice(0, 8)}`;
    const code = "def run(args, session):\n    return 1\n";
    await call.server.post("/api/v1/tools", { name: python, implementation_type: "python", implementation_code: code });
    await call.server.post(`/api/v1/agents/${call.agent_id}/tools`, { tool_name: python });
    const codeOf = async (tool: string) => {
      const answer = await use(call, tool, {});
      return [answer.status, answer.code];
    };
    expect(await codeOf(python)).toEqual([409, "runs_elsewhere"]);
    expect(await codeOf("nothing_like_it")).toEqual([404, "not_found"]);
    expect(await codeOf("end_call")).toEqual([404, "not_found"]);
    await call.client.post("/api/runtime/v1/session/hangup");
    expect(await codeOf(name)).toEqual([403, "session_ended"]);
  });

  it("names the integration that is not ready, and sends no request", async () => {
    const { call, name } = await callWithTool({
      url: "https://api.hubapi.com/crm/v3/objects/orders/{order_number}",
      auth: { type: "bearer", token: "{{hubspot.access_token}}" },
    });
    const requests = vendor(() => Response.json({}));
    const { body } = await use(call, name, { order_number: "A" });
    expect(body).toMatchObject({ ok: false, result: expect.stringContaining("hubspot") });
    expect(requests).not.toHaveBeenCalled();
  });

  it("a runtime may use tools 60 times a minute", async () => {
    const { call, name } = await callWithTool();
    vendor(() => Response.json({ status: "x" }));
    const answers = await Promise.all(Array.from({ length: 62 }, (_, n) => use(call, name, { order_number: `A${n}` })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe("a tool that our own runtime uses", () => {
  it("the built-in runtime calls a tool with arguments from the caller's words and answers from its result", async () => {
    const { call, name } = await callWithTool();
    const requests = vendor(() => Response.json({ status: "on its way" }));
    const socket = await connected(call);
    expect(await ask(socket, "Could you track parcel of order number 1042 for me?")).toBe("One moment, please.");
    const answer = spoken(await socket.until(isLast));
    expect(String(requests.mock.calls[0]?.[0])).toContain("https://api.vendor.example/orders/");
    expect(answer).toContain("on its way");
    expect(toolTurns(await recordOf(call))).toMatchObject([{ name, ok: true, result: "on its way" }]);
    await vi.waitFor(async () => {
      await wake(call, call.call_id);
      expect(await runsOf(call, name)).toHaveLength(1);
    });
  });

  it("does not end the conversation if the vendor fails", async () => {
    const { call, name } = await callWithTool();
    vendor(() => new Response("boom", { status: 500 }));
    const socket = await connected(call);
    await ask(socket, "Could you track parcel of order number 1042 for me?");
    expect(spoken(await socket.until(isLast))).not.toBe("");
    expect(toolTurns(await recordOf(call))).toMatchObject([{ name, ok: false }]);
    expect((await recordOf(call)).status).toBe("live");
  });
});
