import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RuntimeSession } from "../../support/runtime.ts";
import { hasEnded, objectOf, recordOf, recordOnce } from "./conversing.ts";
import { BOOKING, callWithTool, crash, modelAndVendor, nextRequest, toolsUsed, use } from "./tool-runs-support.ts";

afterEach(() => vi.unstubAllGlobals());

const UNKNOWN = "outcome unknown: it may have happened; do not repeat it, and say so";
const FRIDAY = { day: "Friday" };
const NAME = "book_table";
const LOOK_UP = { method: "GET", url: "https://api.vendor.example/tables/{day}" };

/** Records the requests to the vendor. A custom runtime uses its own model. */
const vendor = () => modelAndVendor(() => []).sent;

/** Returns the rows of the conversation's runs. */
const rows = (call: RuntimeSession) =>
  runInDurableObject(objectOf(call, call.call_id) as unknown as DurableObjectStub, (_, { storage }) =>
    storage.sql.exec("SELECT id, state, effect FROM tool_runs ORDER BY requested_at, id").toArray(),
  );

describe("tool runs requested by a runtime", () => {
  it("a runtime's tool run is one row whose id the vendor gets as Idempotency-Key", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const used = use(call, NAME, FRIDAY, "t1");
    const { request, answer } = await nextRequest(sent);
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ tool_call_id: "t1", state: "running", ok: null }]);
    answer("booked");
    const { status, body } = await used;
    expect([status, body]).toMatchObject([200, { state: "ok", ok: true, result: "booked" }]);
    expect(request.headers.get("idempotency-key")).toBe(body.run_id);
    expect(await rows(call)).toEqual([{ id: body.run_id, state: "ok", effect: "write" }]);
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ tool_call_id: "t1", run_id: body.run_id, state: "ok" }]);
  });

  it("a runtime's call with the same arguments in any order shares the tool run", async () => {
    const call = await callWithTool(NAME, Object.assign({}, BOOKING, { body: { day: "{day}", at: "{at}" } }), {
      type: "object",
      properties: { day: { type: "string" }, at: { type: "string" } },
    });
    const sent = vendor();
    const first = use(call, NAME, { day: "Friday", at: "19:00" }, "t1");
    const { answer } = await nextRequest(sent);
    const second = use(call, NAME, { at: "19:00", day: "Friday" }, "t2");
    expect((await use(call, NAME, { day: "Friday", at: "19:00" }, "t1")).code).toBe("tool_call_under_way");
    await vi.waitFor(async () => expect(toolsUsed(await recordOf(call))).toHaveLength(2));
    const third = use(call, NAME, { day: "Friday", at: "20:00" }, "t3");
    const other = await nextRequest(sent, 2);
    answer("booked");
    other.answer("booked too");
    const [one, two, three] = await Promise.all([first, second, third]);
    expect(two.body).toMatchObject({ run_id: one.body.run_id, state: "ok", result: "booked" });
    expect(three.body).toMatchObject({ result: "booked too" });
    expect(three.body.run_id).not.toBe(one.body.run_id);
    expect(sent).toHaveLength(2);
    expect(toolsUsed(await recordOf(call)).map(({ tool_call_id, result }) => [tool_call_id, result])).toEqual([
      ["t1", "booked"],
      ["t2", "booked"],
      ["t3", "booked too"],
    ]);
  });

  it("a runtime's read sends no Idempotency-Key unless the tool sets its own", async () => {
    const call = await callWithTool("look_up_table", LOOK_UP);
    const sent = vendor();
    const read = use(call, "look_up_table", FRIDAY);
    const first = await nextRequest(sent);
    first.answer("free");
    await read;
    expect(first.request.headers.get("idempotency-key")).toBeNull();
    const own = await callWithTool(NAME, Object.assign({}, BOOKING, { headers: { "Idempotency-Key": "day-{day}" } }));
    const written = use(own, NAME, FRIDAY);
    const second = await nextRequest(sent, 2);
    second.answer("booked");
    await written;
    expect(second.request.headers.get("idempotency-key")).toBe("day-Friday");
  });

  it("a tool run continues when the runtime hangs up and `complete` waits for it", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const used = use(call, NAME, FRIDAY, "t1");
    const { answer } = await nextRequest(sent);
    const at = new Date().toISOString();
    const events = [{ seq: 1, at, type: "ended", reason: "done" }];
    await call.client.post("/api/runtime/v1/session/events", { events });
    expect(await recordOnce(call, hasEnded)).toMatchObject({ complete: false });
    answer("booked");
    expect((await used).body).toMatchObject({ state: "ok", result: "booked" });
    const record = await recordOnce(call, ({ complete }) => complete);
    expect(toolsUsed(record)).toMatchObject([{ tool_call_id: "t1", state: "ok", result: "booked" }]);
  });
});

describe("failed tool runs of a runtime", () => {
  it("a tool run whose process was lost is unknown and is not repeated under any id", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const lost = use(call, NAME, FRIDAY, "t1").catch(() => null);
    await nextRequest(sent);
    await crash(call);
    await lost;
    const unknown = { state: "unknown", ok: false, result: UNKNOWN };
    const again = await use(call, NAME, FRIDAY, "t1");
    expect(again.body).toMatchObject(unknown);
    expect((await use(call, NAME, FRIDAY, "t2")).body).toMatchObject({ ...again.body, duration_ms: 0 });
    expect(sent).toHaveLength(1);
    expect(await rows(call)).toMatchObject([{ state: "unknown", effect: "write" }]);
    expect(toolsUsed(await recordOf(call))).toMatchObject([unknown, unknown]);
  });

  it("a tool run that only reads can be repeated, even under its id", async () => {
    const call = await callWithTool("look_up_table", LOOK_UP);
    const sent = vendor();
    const lost = use(call, "look_up_table", FRIDAY, "t1").catch(() => null);
    await nextRequest(sent);
    await crash(call);
    await lost;
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ state: "failed", ok: false }]);
    const again = use(call, "look_up_table", FRIDAY, "t1");
    (await nextRequest(sent, 2)).answer("free");
    expect((await again).body).toMatchObject({ state: "ok", result: "free" });
    expect(toolsUsed(await recordOf(call)).map(({ state }) => state)).toEqual(["failed", "ok"]);
  });

  it("a write whose connection broke is unknown, while one that the vendor refuses has failed", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const broken = use(call, NAME, FRIDAY);
    (await nextRequest(sent)).fail();
    expect((await broken).body).toMatchObject({ state: "unknown", ok: false, result: UNKNOWN });
    const refused = use(call, NAME, { day: "Saturday" });
    (await nextRequest(sent, 2)).answer("closed", 422);
    expect((await refused).body).toMatchObject({ state: "failed", ok: false });
  });

  it("a writing tool runs three times per conversation, or as often as its max_runs says", async () => {
    const call = await callWithTool();
    const sent = vendor();
    for (const n of [1, 2, 3]) {
      const used = use(call, NAME, { day: `day ${n}` });
      (await nextRequest(sent, n)).answer("booked");
      expect((await used).body.ok).toBe(true);
    }
    // A call that never reaches the vendor does not count.
    expect((await use(call, NAME, {})).body.ok).toBe(false);
    const fourth = await use(call, NAME, FRIDAY);
    expect(fourth.status).toBe(200);
    expect(fourth.body).toMatchObject({
      ok: false,
      state: "failed",
      result: "the tool has run 3 times in this conversation and must not run again",
    });
    expect((await call.server.put(`/api/v1/tools/${NAME}`, { max_runs: 4 })).status).toBe(200);
    const allowed = use(call, NAME, FRIDAY);
    (await nextRequest(sent, 4)).answer("booked");
    expect((await allowed).body.ok).toBe(true);
    expect((await use(call, NAME, { day: "Sunday" })).body.result).toContain("has run 4 times");
    expect(sent).toHaveLength(4);
  });

  it("tool runs in progress count: three of four simultaneous runs are carried out", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const used = [1, 2, 3, 4].map((n) => use(call, NAME, { day: `day ${n}` }));
    for (const n of [1, 2, 3]) (await nextRequest(sent, n)).answer("booked");
    const answers = await Promise.all(used);
    expect(answers.filter(({ body }) => body.ok)).toHaveLength(3);
    expect(sent).toHaveLength(3);
  });
});

describe("the security of a runtime's tool runs", () => {
  it("a tool that was disabled, detached or lost its secret is refused whatever the session's snapshot says", async () => {
    const call = await callWithTool();
    const sent = vendor();
    const attached = `/api/v1/agents/${call.agent_id}/tools`;
    await call.client.get("/api/runtime/v1/session");
    await call.server.post(attached, { tool_name: NAME, enabled: false });
    const result = async () => (await use(call, NAME, FRIDAY)).body.result;
    expect(await result()).toBe("the tool was switched off for the agent");
    await call.server.delete(`${attached}/${NAME}`);
    expect(await result()).toBe("the tool was detached from the agent");
    await call.server.post(attached, { tool_name: NAME, enabled: true });
    const config = Object.assign({}, BOOKING, {
      url: "https://api.hubapi.com/crm/v3/objects/contacts",
      auth: { type: "bearer", token: "{{hubspot.access_token}}" },
    });
    expect((await call.server.put(`/api/v1/tools/${NAME}`, { implementation_config: config })).status).toBe(200);
    expect(await result()).toBe("the integration hubspot is not installed");
    expect(sent).toEqual([]);
  });

  it("a runtime cannot report a tool run that the service would wait for", async () => {
    const call = await callWithTool();
    const at = new Date().toISOString();
    const run_id = crypto.randomUUID();
    const events = [
      { seq: 1, at, type: "tool_call", tool_call_id: "t", name: "own", arguments: {}, run_id, state: "running" },
      { seq: 2, at, type: "ended", reason: "done" },
    ];
    expect((await call.client.post("/api/runtime/v1/session/events", { events })).status).toBe(200);
    const record = await recordOnce(call, hasEnded);
    expect(record.complete).toBe(true);
    expect(toolsUsed(record)).toMatchObject([{ run_id: null, state: "unknown", ok: null }]);
  });
});
