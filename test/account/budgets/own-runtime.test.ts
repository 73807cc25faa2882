import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { contactOf, contactsCsv, started, until } from "../../campaign/support.ts";
import { sessionOf } from "../../conversation/agent-sessions/support.ts";
import { guest, user } from "../../conversation/leases/support.ts";
import {
  advanceClock,
  greetedSession,
  hasEnded,
  objectOf,
  recordOnce,
  wake,
} from "../../conversation/runtime/conversing.ts";
import { callToken } from "../../conversation/runtime/support.ts";
import { caller, originate, settled, slowly } from "../../phone/calls/support.ts";
import { Client, type Tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { claimsOf, widgetTenant } from "../../support/widget.ts";
import { budget, createBudget } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const AT = "2026-03-04T10:00:00.000Z";
const WAIT = { interval: 10 };
const MILLION = { limit: 1_000_000 };

/** Returns an event with the usage of the runtime's own model. */
const usage = (seq: number, input_tokens: number, output_tokens = 0) => {
  return { seq, at: AT, type: "usage", input_tokens, output_tokens };
};
const ended = (seq: number) => ({ seq, at: AT, type: "ended", reason: "caller_hung_up" });
const report = (runtime: Client, ...events: object[]) => runtime.post("/api/runtime/v1/session/events", { events });

/** Waits until this much of the budget is used. */
const used = (who: Pick<Tenant, "server">, id: string, tokens: number) =>
  vi.waitFor(async () => expect((await budget(who, id)).used).toBe(tokens), WAIT);

/** Places a call with an API key, whose conversation a custom runtime holds. */
async function placed() {
  const who = await caller();
  await slowly(who, { SANDBOX_RING_MS: "1" });
  const { call_id } = (await originate(who, "+13035550110")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  const token = await callToken({ sub: call_id, account: who.account, agent_id: who.agent_id });
  return Object.assign(who, { call_id, runtime: new Client({ authorization: `Bearer ${token}` }) });
}

describe("the use that a custom runtime reports", () => {
  it("a custom runtime's use is charged once to the budgets of the account, its agent and the call's key", async () => {
    const who = await placed();
    const scopes = { account: null, agent: who.agent_id, api_key: who.key.id };
    const budgets = await Promise.all(
      Object.entries(scopes).map(([scope, scope_id]) => createBudget(who, { scope, scope_id, ...MILLION })),
    );
    await report(who.runtime, usage(1, 300, 20));
    for (const { id } of budgets) await used(who, id, 320);
    await report(who.runtime, usage(1, 300, 20));
    await report(who.runtime, usage(3, 1_000), usage(1, 300, 20));
    for (const { id } of budgets) await used(who, id, 1_320);
    await report(who.runtime, ended(4), usage(2, 0, 80), usage(3, 1_000));
    for (const { id } of budgets) await used(who, id, 1_400);
    const { usage: counted } = await recordOnce(who, hasEnded);
    expect(counted).toMatchObject({ input_tokens: 1_300, output_tokens: 100 });
    for (const { id } of budgets) expect(await budget(who, id)).toMatchObject({ used: 1_400 });
  });

  it("a custom runtime's use is charged to the campaign whose call it was", async () => {
    const who = await caller();
    await slowly(who, { SANDBOX_RING_MS: "1" });
    const path = await started(who, contactsCsv(1));
    const campaign_id = path.split("/").at(-1) ?? "";
    const own = await createBudget(who, { scope: "campaign", scope_id: campaign_id, ...MILLION });
    const { call_id } = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "connected",
    );
    const claims = { sub: call_id ?? "", account: who.account, agent_id: who.agent_id, campaign_id };
    await report(new Client({ authorization: `Bearer ${await callToken(claims)}` }), usage(1, 70, 7));
    await used(who, own.id, 77);
  });

  it("a custom runtime's use is charged to the key of a visitor's runtime or of the tester", async () => {
    const who = await widgetTenant();
    const { body: second } = await who.user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "runtime" });
    const [own, tests] = await Promise.all(
      [second.id, who.key.id].map((scope_id) => createBudget(who, { scope: "api_key", scope_id, ...MILLION })),
    );
    const token = (await guest(who)).access_token;
    await report(runtimeFor({ key: Object.assign({}, who.key, second) }, token), usage(1, 40, 2));
    await used(who, own?.id ?? "", 42);
    // Another key of the account reports more usage of the same conversation. The key that began it is charged.
    await report(runtimeFor(who, token), usage(2, 8));
    await used(who, own?.id ?? "", 50);
    const test = await sessionOf(who.server, who.agentId);
    await report(runtimeFor({ key: Object.assign({}, who.key, second) }, test.access_token), usage(1, 6));
    await used(who, tests?.id ?? "", 6);
    expect(await budget(who, own?.id ?? "")).toMatchObject({ used: 50 });
  });

  it("use that arrives within a minute of the end is charged", async () => {
    const who = await placed();
    const { id } = await createBudget(who, MILLION);
    await report(who.runtime, usage(2, 100));
    await used(who, id, 100);
    expect((await who.runtime.post("/api/runtime/v1/session/hangup")).status).toBe(204);
    await recordOnce(who, hasEnded);
    await report(who.runtime, usage(1, 11));
    await used(who, id, 111);
    await evict(objectOf(who, who.call_id));
    await report(who.runtime, usage(1, 11), usage(3, 5), ended(4));
    await used(who, id, 116);
    expect((await recordOnce(who, ({ complete }) => complete)).usage).toMatchObject({ input_tokens: 116 });
  });

  it("use is charged even if the meter was down when the conversation ended", async () => {
    const who = await placed();
    const { id } = await createBudget(who, MILLION);
    const object = objectOf(who, who.call_id) as unknown as DurableObjectStub;
    const { AccountMeter } = await import("../../../src/account/meter/account-meter.ts");
    const away = ["renew", "leave"].map((method) =>
      vi.spyOn(AccountMeter.prototype, method as "leave").mockRejectedValue(new Error("away")),
    );
    await report(who.runtime, usage(1, 90), ended(2));
    await recordOnce(who, hasEnded);
    advanceClock(61_000);
    for (let n = 0; n < 5; n++) {
      await wake(who, who.call_id);
      advanceClock(1_000);
    }
    for (const one of away) one.mockRestore();
    advanceClock(60_000);
    await vi.waitFor(async () => {
      await wake(who, who.call_id);
      expect((await budget(who, id)).used).toBe(90);
    }, WAIT);
    const tables = await vi.waitFor(async () => {
      await wake(who, who.call_id);
      const left = await runInDurableObject(object, (_, { storage }) =>
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'conversation'").toArray(),
      );
      expect(left).toEqual([]);
      return left;
    }, WAIT);
    expect(tables).toEqual([]);
  });
});

describe("the use that a custom runtime reports", () => {
  it("ends all conversations of a reached budget with its reason, and admits no others", async () => {
    const who = await widgetTenant();
    const [first, second, third] = await Promise.all(["a", "b", "c"].map(async (id) => user(who, id)));
    const runtime = (session: typeof first) => runtimeFor(who, session?.access_token ?? "");
    const { id } = await createBudget(who, { limit: 10_000, action: "end" });
    await report(runtime(first), usage(1, 10));
    await report(runtime(second), usage(1, 10));
    await used(who, id, 20);
    await report(runtime(first), usage(2, 9_990));
    await vi.waitFor(async () => {
      const { body } = await who.server.get<{ conversations: { end_reason: string | null }[] }>(
        "/api/v1/conversations",
      );
      expect(body.conversations.map(({ end_reason }) => end_reason)).toEqual(["budget", "budget"]);
    }, WAIT);
    // Usage from before the runtime knew about the budget is still accepted and charged.
    expect(await report(runtime(second), usage(2, 7))).toMatchObject({ status: 200, body: { accepted_through: 2 } });
    await used(who, id, 10_017);
    expect(await report(runtime(third), usage(1, 1))).toMatchObject({ status: 429, code: "budget_reached" });
    expect(await report(runtime(first), usage(3, 1))).toMatchObject({ status: 200 });
  });

  it("hangs up the call if a budget ends the conversation", async () => {
    const who = await placed();
    await createBudget(who, { limit: 10_000, action: "end" });
    await report(who.runtime, usage(1, 1));
    await report(who.runtime, usage(2, 10_000));
    expect(await recordOnce(who, hasEnded)).toMatchObject({ end_reason: "budget" });
  });

  it("continues past a budget that stops new conversations, which are refused", async () => {
    const who = await widgetTenant();
    const [live, late] = await Promise.all(["a", "b"].map(async (id) => user(who, id)));
    const { id } = await createBudget(who, { limit: 2_000, action: "stop_new" });
    await report(runtimeFor(who, live?.access_token ?? ""), usage(1, 2_000));
    await used(who, id, 2_000);
    await report(runtimeFor(who, live?.access_token ?? ""), usage(2, 500));
    await used(who, id, 2_500);
    const refused = await runtimeFor(who, late?.access_token ?? "").get("/api/runtime/v1/session");
    expect([refused.status, refused.code]).toEqual([429, "budget_reached"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("the use that a custom runtime reports", () => {
  it.each([
    ["less than nothing", { input_tokens: -1 }],
    ["half a token", { output_tokens: 0.5 }],
    ["more than any model takes", { input_tokens: 1e308 }],
    ["words", { input_tokens: "12" }],
  ])("an invalid report of use is refused entirely without a charge: %s", async (_, fields) => {
    const who = await greetedSession();
    const { id } = await createBudget(who, MILLION);
    const answer = await report(who.client, usage(1, 5), Object.assign(usage(2, 5), fields));
    expect(answer.status).toBe(400);
    await report(who.client, usage(1, 3));
    await used(who, id, 3);
  });

  it("use is never charged to another account or to the visitor's next conversation", async () => {
    const [who, other] = [await widgetTenant(), await widgetTenant()];
    const [own, theirs] = await Promise.all([who, other].map((one) => createBudget(one, MILLION)));
    const session = await guest(who);
    await report(runtimeFor(who, session.access_token), usage(1, 40));
    await used(who, own?.id ?? "", 40);
    expect((await report(runtimeFor(other, session.access_token), usage(2, 40))).code).toBe("visitor_not_yours");
    expect(claimsOf(session.access_token).account).toBe(who.account);
    expect(await budget(other, theirs?.id ?? "")).toMatchObject({ used: 0 });
    expect(await budget(who, own?.id ?? "")).toMatchObject({ used: 40 });
  });
});
