import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { type Call, type Calls, caller, originate, running, sandboxOf, slowly } from "../../phone/calls/support.ts";
import { type Answer, call, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { standIn } from "../../support/stand-in.ts";
import { isReplay, postWithKey, storesOf } from "./support.ts";

const AGENTS = "/api/v1/agents";
const ORIGINATE = "/api/v1/calls/originate";
const DAY_MS = 24 * 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

describe("a POST under an Idempotency-Key", () => {
  it("a POST under an Idempotency-Key runs once and returns the first response from then on", async () => {
    const { user } = await tenant();
    const first = await postWithKey(user, AGENTS, "k", { name: "Ada", description: "x" });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    // White space, the order of members and an alias of the path do not make a different request.
    for (const path of [AGENTS, "/v1/agents", "/hub-api/api/v1/agents"]) {
      const raw = '{ "description": "x",\n "name": "Ada" }';
      const headers = { "idempotency-key": "k", "content-type": "application/json; charset=utf-8" };
      const again = await user.send("POST", path, raw, headers);
      expect([again.status, again.body, isReplay(again)]).toEqual([201, first.body, true]);
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
    expect((await user.get(AGENTS)).body).toHaveLength(1);
  });

  it("may have an empty body", async () => {
    const { user } = await tenant();
    const { id } = (await upload(user, contactsCsv(1))).body;
    const stop = `/api/v1/campaigns/${id}/stop`;
    const first = await postWithKey(user, stop, "k");
    const again = await postWithKey(user, stop, "k");
    expect([first.status, again.status, isReplay(again)]).toEqual([200, 200, true]);
    expect(again.body).toEqual(first.body);
    expect((await user.post(stop)).status).toBe(409);
  });

  it("stores an error caused by the request itself", async () => {
    const { user } = await tenant();
    await user.post("/api/v1/faqs", { name: "hours", title: "t" });
    const body = { name: "hours", title: "t" };
    const first = await postWithKey(user, "/api/v1/faqs", "k", body);
    await user.delete("/api/v1/faqs/hours");
    const again = await postWithKey(user, "/api/v1/faqs", "k", body);
    expect([again.status, again.code, again.body]).toEqual([first.status, first.code, first.body]);
    expect([again.status, isReplay(again)]).toEqual([400, true]);
  });

  it("costs a hop before and a hop after, and nothing without a key", async () => {
    const { user } = await tenant();
    const body = { name: "a" };
    const trips = (headers: Record<string, string>) =>
      countRoundTrips(AGENTS, { ...user.headers, ...headers }, { method: "POST", body });
    const key = { "idempotency-key": "k" };
    const [without, first, again] = [await trips({}), await trips(key), await trips(key)];
    expect([without.objects, first.objects, again.objects]).toEqual([2, 4, 2]);
    // Creating an agent reads nothing first, and its only batch goes through the gate.
    expect([without.d1, first.d1, again.d1]).toEqual([0, 0, 0]);
    expect([without.status, first.status, again.status]).toEqual([201, 201, 201]);
  });

  it("an idempotency key is remembered across evictions for 24 hours", async () => {
    const { user, account } = await tenant();
    const first = await postWithKey(user, AGENTS, "k", { name: "a" });
    const stores = await storesOf(account);
    expect(stores).toHaveLength(1);
    for (const { object } of stores) await evict(object);
    const again = await postWithKey(user, AGENTS, "k", { name: "a" });
    expect([again.body, isReplay(again)]).toEqual([first.body, true]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS + 600_000 });
    for (const { object } of stores) await runDurableObjectAlarm(object);
    expect(await storesOf(account)).toEqual([]);
  });
});

/** Counts the calls that the account's sandbox received. */
const placedAt = (who: Parameters<typeof sandboxOf>[0]) =>
  runInDurableObject(
    sandboxOf(who),
    (_, { storage }) => storage.sql.exec<{ n: number }>("SELECT count(*) n FROM calls").one().n,
  );

describe("calls under an Idempotency-Key", () => {
  const answersOf = (answers: Answer<Call>[]) =>
    new Map(Object.entries(Object.groupBy(answers, ({ status }) => status)));

  it("simultaneous calls under one idempotency key are one call at the carrier", async () => {
    const who = await caller();
    await slowly(who);
    const { agent_id, from_number } = who;
    const order = { agent_id, from_number, to_number: "+13035550110" };
    const ask = () => postWithKey<Call>(who.server, ORIGINATE, "k", order);
    const answers = answersOf(await Promise.all(Array.from({ length: 50 }, ask)));
    const [one, ...others] = answers.get("200") ?? [];
    for (const other of others) expect(other.body).toEqual(one?.body);
    for (const early of answers.get("409") ?? []) {
      expect([early.code, early.headers.get("retry-after")]).toEqual(["idempotency_in_progress", "1"]);
    }
    expect([...answers.keys()].filter((status) => status !== "200" && status !== "409")).toEqual([]);
    const again = await ask();
    expect([again.status, again.body, isReplay(again)]).toEqual([200, one?.body, true]);
    const { total } = (await who.server.get<Calls>("/api/v1/calls")).body;
    expect([total, await placedAt(who)]).toEqual([1, 1]);
    console.warn(`50 at once: ${answers.get("200")?.length} × 200, ${answers.get("409")?.length ?? 0} × 409`);
  });

  it("calls under one idempotency key are one call even if attempts that seemed dead continue", async () => {
    const who = await caller();
    await slowly(who);
    const { agent_id, from_number, server } = who;
    const body = { agent_id, from_number, to_number: "+13035550110" };
    const resource_id = newId();
    // Admits every attempt, as if each had taken over the previous one.
    const store = standIn(() => ({
      begin: async () => ({ outcome: "carry_out", resource_id, again: false }),
      prolong: async () => {},
      finish: async () => {},
    }));
    const bindings = { IDEMPOTENCY_STORE: store };
    const headers = { ...server.headers, "idempotency-key": "k" };
    const ask = () => countRoundTrips(ORIGINATE, headers, { method: "POST", body, env: bindings });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map((one) => (one.body as Call).call_id))).toEqual(new Set([resource_id]));
    expect([(await server.get<Calls>("/api/v1/calls")).body.total, await placedAt(who)]).toEqual([1, 1]);
    expect(await running(server)).toBe(1);
  });

  it("a call that the carrier refused is placed again by a retry", async () => {
    const who = await caller();
    const { agent_id, from_number } = who;
    const order = { agent_id, from_number, to_number: "+13035550104" };
    const refused = await postWithKey<Call>(who.server, ORIGINATE, "k", order);
    const again = await postWithKey<Call>(who.server, ORIGINATE, "k", order);
    expect([refused.status, again.status, isReplay(again)]).toEqual([500, 500, false]);
    const { calls } = (await who.server.get<Calls>("/api/v1/calls")).body;
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
  });

  it("a call that a cap refused is not stored", async () => {
    const who = await caller({ caps: { concurrent_calls: 1 } });
    await slowly(who);
    const { agent_id, from_number } = who;
    const order = { agent_id, from_number, to_number: "+13035550110" };
    const running = await originate(who, "+13035550111");
    const full = await postWithKey<Call>(who.server, ORIGINATE, "k", order);
    expect([full.status, full.code]).toEqual([429, "concurrent_calls_cap"]);
    await who.server.post(`/api/v1/calls/${running.body.call_id}/hangup`);
    const placed = await postWithKey<Call>(who.server, ORIGINATE, "k", order);
    expect([placed.status, isReplay(placed)]).toEqual([200, false]);
    expect((await postWithKey<Call>(who.server, ORIGINATE, "k", order)).body).toEqual(placed.body);
  });

  it("place a sandbox call once", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "active" });
    const { body } = await who.server.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers");
    await who.server.patch(`/api/v1/telephony/numbers/${body.numbers[0]?.id}`, { agent_id: who.agent_id });
    const ask = () => postWithKey<Call>(who.server, "/api/v1/sandbox/calls", "k", { to_number: who.from_number });
    const [first, again] = [await ask(), await ask()];
    expect([again.status, again.body, isReplay(again)]).toEqual([first.status, first.body, true]);
  });
});

it("a key on any request but a JSON POST of an account has no effect", async () => {
  const { user } = await tenant();
  const headers = { ...user.headers, "idempotency-key": "not valid" };
  expect((await call("GET", AGENTS, { headers })).status).toBe(200);
  expect((await call("PATCH", "/api/v1/widget-settings", { headers, body: { logo_url: "" } })).status).toBe(204);
});
