import { describe, expect, it, vi } from "vitest";
import { contactOf, contactsCsv, type SseEvent, started, until, upload, watch } from "../../campaign/support.ts";
import { ask, QUESTION } from "../../conversation/runtime/conversing.ts";
import { carrierToken } from "../../conversation/runtime/support.ts";
import { caller, isOver, originate, settled, slowly } from "../../phone/calls/support.ts";
import { answering, ring } from "../../phone/inbound/support.ts";
import { Client } from "../../support/client.ts";
import { openRuntime } from "../../support/runtime.ts";
import { budget, createBudget } from "./support.ts";

const CALLED = "+13035550110";
const USED_UP = { limit: 1 };
/** Returns the seconds until the UTC day ends. */
const leftOfDay = () => (new Date().setUTCHours(24, 0, 0, 0) - Date.now()) / 1_000;

const WAIT = { interval: 10 };

type Caller = Awaited<ReturnType<typeof caller>>;
type Campaign = { status: string; status_reason: string | null };
const campaignAt = async ({ server }: Caller, path: string) => (await server.get<Campaign>(path)).body;
const paused = (who: Caller, path: string) =>
  until(
    () => campaignAt(who, path),
    ({ status }) => status === "paused",
  );
const secondAgent = async ({ server }: Caller) =>
  (await server.post<{ id: string }>("/api/v1/agents", { name: "Other", status: "active" })).body.id;

/** Makes the caller of an answered call say something, to which the agent answers. */
async function talkOn(
  { account }: Caller,
  call: { sub: string; agent_id: string; campaign_id?: string },
): Promise<void> {
  const socket = await openRuntime(await carrierToken(Object.assign({ account }, call)));
  await ask(socket, QUESTION);
}

describe("calls at a reached budget", () => {
  it.each(["stop_new", "end"])("calls are not placed once a budget is reached, until it resets: %s", async (action) => {
    const who = await caller();
    await createBudget(who, Object.assign({ action }, USED_UP));
    const left = leftOfDay();
    const refused = await originate(who, CALLED);
    expect([refused.status, refused.code]).toEqual([429, "budget_reached"]);
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(left - 60);
    expect(retryAfter).toBeLessThanOrEqual(left + 1);
    expect((await who.server.get<{ total: number }>("/api/v1/calls")).body.total).toBe(0);
  });

  it("continue if it only warns", async () => {
    const who = await caller();
    await createBudget(who, Object.assign({ action: "warn" }, USED_UP));
    expect((await originate(who, CALLED)).status).toBe(200);
  });

  it("calls are refused for the agent with the reached budget", async () => {
    const who = await caller();
    await createBudget(who, Object.assign({ scope: "agent", scope_id: who.agent_id }, USED_UP));
    expect((await originate(who, CALLED)).code).toBe("budget_reached");
    const agent_id = await secondAgent(who);
    expect((await originate(Object.assign({}, who, { agent_id }), CALLED)).status).toBe(200);
  });

  it("calls are refused for the API key with the reached budget alone", async () => {
    const who = await caller();
    await createBudget(who, Object.assign({ scope: "api_key", scope_id: who.key.id }, USED_UP));
    expect((await originate(who, CALLED)).code).toBe("budget_reached");
    const other = (await who.user.post<{ key: string }>("/api/v1/api-keys", { name: "other" })).body;
    const server = new Client({ authorization: `Bearer ${other.key}` });
    expect((await originate(Object.assign({}, who, { server }), CALLED)).status).toBe(200);
    expect((await originate(Object.assign({}, who, { server: who.user }), CALLED)).status).toBe(200);
  });

  it("inbound calls at a reached budget are refused as at a cap, and the reason is recorded", async () => {
    const who = await answering();
    await createBudget(who, Object.assign({ scope: "agent", scope_id: who.agent_id }, USED_UP));
    const rejected = { action: "reject", sentence: "All lines are busy. Please try again later." };
    expect((await ring(who, { provider_call_id: "in-1" })).body).toEqual(rejected);
    // If the carrier announces the call again, it gets the same answer.
    expect((await ring(who, { provider_call_id: "in-1" })).body).toEqual(rejected);
    const { calls } = (await who.server.get<{ calls: object[] }>("/api/v1/calls")).body;
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ status: "busy", end_reason: "budget", connected_at: null });
  });
});

describe("campaigns at a reached budget", () => {
  it.each(["account", "agent", "campaign"])(
    "a campaign at a reached budget pauses with the reason, and continues once the budget is raised: %s",
    async (scope) => {
      const who = await caller();
      const created = await upload(who.server, contactsCsv(3), {
        agent_id: who.agent_id,
        from_number: who.from_number,
      });
      const path = `/api/v1/campaigns/${created.body.id}`;
      const scope_id = { account: null, agent: who.agent_id, campaign: created.body.id }[scope];
      const budget = await createBudget(who, Object.assign({ scope, scope_id }, USED_UP));
      for (const operation of ["start", "resume"]) {
        expect((await who.server.post(`${path}/${operation}`)).status).toBe(200);
        expect(await paused(who, path)).toMatchObject({ status_reason: "budget", counts: { pending: 3 } });
      }
      expect(await contactOf(who.server, path)).toMatchObject({
        attempt_count: 0,
        waiting_for: "the campaign is paused: budget",
      });
      const isPause = ({ event, data }: SseEvent) => event === "campaign" && data.status === "paused";
      const events = await watch(who.server, created.body.id, (_, all) => all.filter(isPause).length === 2);
      expect(events.filter(isPause).map(({ data }) => data.reason)).toEqual(["budget", "budget"]);
      expect((await who.server.delete(`/api/v1/budgets/${budget.id}`)).status).toBe(204);
      expect((await who.server.post(`${path}/resume`)).status).toBe(200);
      const done = await until(
        () => campaignAt(who, path),
        ({ status }) => status === "completed",
      );
      expect(done).toMatchObject({ status_reason: null, counts: { completed: 3 } });
    },
  );

  it("campaigns of another agent continue when an agent's budget is reached", async () => {
    const who = await caller();
    await createBudget(who, Object.assign({ scope: "agent", scope_id: await secondAgent(who) }, USED_UP));
    const path = await started(who, contactsCsv(1));
    await until(
      () => campaignAt(who, path),
      ({ status }) => status === "completed",
    );
  });
});

describe("budgets of call minutes", () => {
  it("count the calls' durations, and free the rest of the reservations", async () => {
    const who = await caller();
    // The longest call takes 120 minutes, so there is room for one at a time.
    await createBudget(who, { unit: "call_minutes", limit: 150 });
    for (let n = 0; n < 2; n++) {
      const { body } = await originate(who, CALLED);
      await settled(who.server, body.call_id, isOver);
    }
  });

  it("refuse a further call while another holds the rest, and say to retry soon", async () => {
    const who = await caller();
    await slowly(who);
    await createBudget(who, { unit: "call_minutes", limit: 150 });
    expect((await originate(who, CALLED)).status).toBe(200);
    const refused = await originate(who, CALLED);
    expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([429, "budget_reached", "5"]);
  });

  it("let a campaign continue call by call while its own calls reserve the rest", async () => {
    const who = await caller();
    await createBudget(who, { unit: "call_minutes", limit: 250 });
    const path = await started(who, contactsCsv(3));
    const done = await until(
      () => campaignAt(who, path),
      ({ status }) => status === "completed" || status === "paused",
    );
    expect(done).toMatchObject({ status: "completed", counts: { completed: 3 } });
  });

  it("pause a campaign if the longest call does not fit", async () => {
    const who = await caller();
    await createBudget(who, { unit: "call_minutes", limit: 119 });
    expect(await paused(who, await started(who, contactsCsv(1)))).toMatchObject({ status_reason: "budget" });
    expect((await originate(who, CALLED)).code).toBe("budget_reached");
  });
});

describe("budgets of conversations on calls", () => {
  it.each(["agent", "api_key"])("a budget counts the tokens of a single call: %s", async (scope) => {
    const who = await caller();
    await slowly(who, { SANDBOX_RING_MS: "1" });
    const scope_id = { agent: who.agent_id, api_key: who.key.id }[scope];
    const own = await createBudget(who, { scope, scope_id, limit: 1_000_000 });
    const another = await createBudget(who, { scope: "agent", scope_id: await secondAgent(who), limit: 1_000_000 });
    const { call_id } = (await originate(who, CALLED)).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    await talkOn(who, { sub: call_id, agent_id: who.agent_id });
    await vi.waitFor(async () => expect((await budget(who, own.id)).used).toBeGreaterThan(0), WAIT);
    expect((await budget(who, another.id)).used).toBe(0);
  });

  it("count the tokens of a campaign's calls", async () => {
    const who = await caller();
    await slowly(who, { SANDBOX_RING_MS: "1" });
    const path = await started(who, contactsCsv(1));
    const campaign_id = path.split("/").at(-1) ?? "";
    const own = await createBudget(who, { scope: "campaign", scope_id: campaign_id, limit: 1_000_000 });
    const { call_id } = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "connected",
    );
    await talkOn(who, { sub: call_id ?? "", agent_id: who.agent_id, campaign_id });
    await vi.waitFor(async () => expect((await budget(who, own.id)).used).toBeGreaterThan(0), WAIT);
  });
});
