import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountEvents, accountGate } from "../../../src/kernel/durable/objects.ts";
import type { NewEvent } from "../../../src/records/events/event.ts";
import { tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { eventsSoFar, list } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

const OPT_OUT = "opt_out.added";
const numbers = (from: number, n: number) =>
  Array.from({ length: n }, (_, i) => `+1303555${String(from + i).padStart(4, "0")}`);
const pending = async (account: string) =>
  (await env.DB.prepare("SELECT count(*) n FROM pending_events WHERE account = ?").bind(account).first<{ n: number }>())
    ?.n;
const isEmpty = (account: string) => vi.waitFor(async () => expect(await pending(account)).toBe(0));

describe("a pending event", () => {
  it("a pending event is created only once if a number is listed again", async () => {
    const { server, user, account } = await tenant();
    const [first = "", second = ""] = numbers(1, 2);
    await server.post("/api/v1/do-not-call", { numbers: [first, first], reason: "asked for it" });
    await user.post("/api/v1/do-not-call", { numbers: [second, first], reason: "asked again" });
    const events = await eventsSoFar(server, OPT_OUT, 2);
    const url = "https://switchboard.test/api/v1/do-not-call";
    expect(events.map(({ data }) => data)).toEqual([
      { phone_number: first, reason: "asked for it", conversation_id: null, agent_id: null, url },
      { phone_number: second, reason: "asked again", conversation_id: null, agent_id: null, url },
    ]);
    await isEmpty(account);
    const { numbers: listed } = (await server.get<{ numbers: { created_at: string }[] }>("/api/v1/do-not-call")).body;
    expect(events.map(({ at }) => at)).toEqual(listed.map(({ created_at }) => created_at).reverse());
  });

  it("a pending event is created again if a number was removed and listed again", async () => {
    const { server } = await tenant();
    const [number = ""] = numbers(1, 1);
    for (const n of [1, 2]) {
      await server.post("/api/v1/do-not-call", { numbers: [number] });
      await eventsSoFar(server, OPT_OUT, n);
      expect((await server.delete(`/api/v1/do-not-call/${number}`)).status).toBe(204);
    }
  });

  it("a pending event is created for each of many numbers", async () => {
    const { server, account } = await tenant();
    expect((await server.post("/api/v1/do-not-call", { numbers: numbers(0, 1_200) })).body).toEqual({ added: 1_200 });
    await isEmpty(account);
    const all: unknown[] = [];
    for (let query: Record<string, string | number> | null = { limit: 100, types: OPT_OUT }; query; ) {
      const { events, next } = await list(server, query);
      all.push(...events.map(({ data }) => data.phone_number));
      query = next === null ? null : { limit: 100, types: OPT_OUT, after: next };
    }
    expect(all.sort()).toEqual(numbers(0, 1_200));
  });
});

describe("an undelivered event", () => {
  it("the alarm delivers an undelivered event once after a failure", async () => {
    const { server, account } = await tenant();
    const gate = accountGate(env, account);
    vi.spyOn(console, "error").mockImplementation(() => {});
    await runInDurableObject(gate, (instance) => {
      const { env: own } = instance as unknown as { env: Env };
      vi.spyOn(own.ACCOUNT_EVENTS, "getByName").mockImplementationOnce(() => {
        throw new Error("the events are away");
      });
    });
    const answer = await server.post("/api/v1/do-not-call", { numbers: numbers(1, 3) });
    expect([answer.status, answer.body]).toEqual([201, { added: 3 }]);
    await vi.waitFor(async () => {
      await runDurableObjectAlarm(gate);
      expect(await pending(account)).toBe(0);
    });
    expect((await list(server)).events).toHaveLength(3);
  });

  it("an undelivered event is found by its alarm if the gate crashed after setting it", async () => {
    const { server, account } = await tenant();
    const gate = accountGate(env, account);
    const at = new Date().toISOString();
    const data = {
      phone_number: "+13035550001",
      reason: null,
      conversation_id: null,
      agent_id: null,
      url: "/api/v1/do-not-call",
    };
    await env.DB.prepare("INSERT INTO pending_events (account, at, type, resource, data) VALUES (?, ?, ?, ?, ?)")
      .bind(account, at, OPT_OUT, data.phone_number, JSON.stringify(data))
      .run();
    const alarmAt = Date.now() + 60_000;
    await runInDurableObject(gate, (_, { storage }) => storage.setAlarm(alarmAt));
    await evict(gate);
    vi.useFakeTimers({ toFake: ["Date"], now: alarmAt });
    await runDurableObjectAlarm(gate);
    vi.useRealTimers();
    await isEmpty(account);
    expect((await list(server)).events).toMatchObject([{ at, data: { phone_number: data.phone_number } }]);
  });

  it("an event of an unknown type waits for the release that knows it without delaying others", async () => {
    const { server, account } = await tenant();
    const gate = accountGate(env, account);
    vi.spyOn(console, "error").mockImplementation(() => {});
    const at = new Date().toISOString();
    await env.DB.prepare("INSERT INTO pending_events (account, at, type, resource, data) VALUES (?, ?, ?, ?, ?)")
      .bind(account, at, "call.whispered", "a-call", "{}")
      .run();
    await server.post("/api/v1/do-not-call", { numbers: numbers(1, 3) });
    await vi.waitFor(async () => expect(await pending(account)).toBe(1));
    expect((await list(server)).events.map(({ type }) => type)).toEqual([OPT_OUT, OPT_OUT, OPT_OUT]);
    // An alarm is set although nothing happens in the account, because a newer release that knows the type may run
    // later.
    const alarm = await runInDurableObject(gate, (_, { storage }) => storage.getAlarm());
    expect(alarm).not.toBeNull();
    const known = JSON.stringify({
      phone_number: "+13035550009",
      reason: null,
      conversation_id: null,
      agent_id: null,
      url: "/",
    });
    await env.DB.prepare("UPDATE pending_events SET type = ?, data = ? WHERE account = ?")
      .bind(OPT_OUT, known, account)
      .run();
    vi.useFakeTimers({ toFake: ["Date"], now: alarm ?? 0 });
    await vi.waitFor(async () => {
      vi.setSystemTime((await runInDurableObject(gate, (_, { storage }) => storage.getAlarm())) ?? 0);
      await runDurableObjectAlarm(gate);
      expect(await pending(account)).toBe(0);
    });
    vi.useRealTimers();
  });

  it("an event of an unknown type is refused by the sequence, so that its sender keeps it", async () => {
    const { account } = await tenant();
    const event = { id: crypto.randomUUID(), type: "call.whispered", at: new Date().toISOString(), data: { url: "/" } };
    const events = accountEvents(env, account);
    await expect(Promise.resolve(events.take([event as unknown as NewEvent]))).rejects.toThrow(
      /unknown to this release/,
    );
    expect(await events.last()).toBe(0);
  });

  it("an event is not written if the change is refused", async () => {
    const { server, account } = await tenant();
    expect((await server.post("/api/v1/do-not-call", { numbers: ["+1303555000", "0"] })).status).toBe(400);
    expect([await pending(account), (await list(server)).events]).toEqual([0, []]);
  });
});
