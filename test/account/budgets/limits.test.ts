import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { LiveLease } from "../../../src/account/meter/live-lease.ts";
import { contactsCsv, started, until } from "../../campaign/support.ts";
import { guest, readyOrClosed, talk, user } from "../../conversation/leases/support.ts";
import { caller, originate } from "../../phone/calls/support.ts";
import { type Client, type Tenant, tenant } from "../../support/client.ts";
import { widgetTenant } from "../../support/widget.ts";
import { budget, createBudget } from "./support.ts";

const REACHED = { code: 4429, reason: "budget_reached" };
const NOTHING = { input_tokens: 0, output_tokens: 0, requests: 0 };
const isAnswered = ({ type }: { type: string }) => type === "turn" || type === "message" || type === "ended";

/** Returns the lease of an identified visitor's conversation. */
function leaseOf(n: number, agent_id: string, widget_key_id: string): LiveLease {
  const holder = {
    type: "visitor" as const,
    visitor_id: `visitor ${n}`,
    visitor_type: "user" as const,
    widget_key_id,
    family: `family-${n}`,
    origin: null,
    made_by: null,
    address: null,
  };
  const object = { type: "conversation" as const, id: `family-${n}` };
  return { id: crypto.randomUUID(), kind: "widget", object, agent_id, campaign_id: null, api_key_id: null, holder };
}

/** Opens forty silent conversations under a budget that only stops new ones. */
async function idleVisitors(who: Tenant): Promise<void> {
  await createBudget(who, { limit: 400_000, action: "stop_new" });
  const meter = env.ACCOUNT_METER.getByName(who.account);
  for (let n = 0; n < 40; n++)
    expect(await meter.admit(leaseOf(n, "agent", "key"))).toMatchObject({ outcome: "admitted" });
}

const setLimits = (server: Client, key: string, limits: Record<string, number | null>) =>
  server.patch(`/api/v1/widget-keys/${key}`, { limits });

describe("a budget", () => {
  it("admits exactly the 40 reserved responses for 500 visitors at once", async () => {
    const who = await tenant({ plan: "scale" });
    const REQUEST = 1_500;
    const { id } = await createBudget(who, { limit: 40 * REQUEST, action: "end" });
    const meter = env.ACCOUNT_METER.getByName(who.account);
    const leases = Array.from({ length: 500 }, (_, n) => leaseOf(n, "agent", "key"));
    const admissions = await Promise.all(leases.map((lease) => meter.admit(lease)));
    expect(admissions.filter(({ outcome }) => outcome === "refused")).toEqual([]);
    const answers = await Promise.all(leases.map((lease) => meter.reserveRequest(lease, NOTHING, 1, REQUEST)));
    expect(answers.filter((isCovered) => isCovered)).toHaveLength(40);
    const use = { input_tokens: REQUEST - 100, output_tokens: 100, requests: 1 };
    await Promise.all(leases.map((lease, n) => meter.leave(lease.id, answers[n] ? use : NOTHING)));
    expect(await budget(who, id)).toMatchObject({ used: 40 * REQUEST });
    const late = await meter.admit(leaseOf(500, "agent", "key"));
    expect(late).toMatchObject({ outcome: "refused", code: "budget_reached" });
  });

  it("admits nothing while all that is left is reserved, but only until that is settled", async () => {
    const who = await tenant();
    await createBudget(who, { limit: 2_000, action: "end" });
    const meter = env.ACCOUNT_METER.getByName(who.account);
    const first = leaseOf(1, "agent", "key");
    await meter.admit(first);
    expect(await meter.reserveRequest(first, NOTHING, 1, 1_500)).toBe(true);
    const refused = { outcome: "refused", code: "budget_reached", retryAfterMs: 5_000 };
    expect(await meter.admit(leaseOf(2, "agent", "key"))).toEqual(refused);
    await meter.leave(first.id, { input_tokens: 100, output_tokens: 10, requests: 1 });
    expect(await meter.admit(leaseOf(3, "agent", "key"))).toMatchObject({ outcome: "admitted" });
  });

  it("ends every live conversation with a sentence, including idle ones, and admits no other", async () => {
    const who = await widgetTenant();
    const [idle, busy] = await Promise.all(
      ["idle", "busy"].map(async (id) => talk((await user(who, id)).access_token)),
    );
    expect(await Promise.all([idle, busy].map((one) => one && readyOrClosed(one)))).toEqual(["ready", "ready"]);
    await createBudget(who, { limit: 1, action: "end" });
    busy?.send({ type: "message", text: "When are you open?" });
    for (const socket of [idle, busy]) {
      const frames = await socket?.until(({ type }) => type === "ended");
      expect(frames?.at(-1)).toMatchObject({ reason: "budget" });
      expect(JSON.stringify(frames)).toContain("I cannot continue this conversation right now");
    }
    expect(await readyOrClosed(await talk((await user(who, "late")).access_token))).toEqual(REACHED);
    await vi.waitFor(async () => {
      const { body } = await who.server.get<{ entries: { action: string; changes: unknown }[] }>(
        "/api/v1/audit-log?resource=budget&action=reach",
      );
      expect(body.entries).toHaveLength(1);
    });
  });

  it("lets live conversations exceed a limit that only stops new ones, and counts what their models report", async () => {
    const who = await widgetTenant();
    const live = await talk((await user(who, "live")).access_token);
    expect(await readyOrClosed(live)).toBe("ready");
    const { id } = await createBudget(who, { limit: 1 });
    for (let turn = 0; turn < 2; turn++) {
      live.send({ type: "message", text: "When are you open?" });
      await live.until(isAnswered);
    }
    await vi.waitFor(async () => expect((await budget(who, id)).used).toBeGreaterThan(1));
    expect(await readyOrClosed(await talk((await user(who, "new")).access_token))).toEqual(REACHED);
  });
});

describe("budgets", () => {
  it("refuse no visitor while idle guests have used nothing", async () => {
    const who = await widgetTenant();
    const { id } = await createBudget(who, { limit: 50_000, action: "stop_new" });
    for (let n = 0; n < 6; n++) expect(await readyOrClosed(await talk((await guest(who)).access_token))).toBe("ready");
    expect(await budget(who, id)).toMatchObject({ used: 0 });
  });

  it("refuse no call while idle visitors have used nothing", async () => {
    const who = await caller();
    await idleVisitors(who);
    expect((await originate(who, "+13035550110")).status).toBe(200);
  });

  it("pause no campaign while idle visitors have used nothing", async () => {
    const who = await caller();
    await idleVisitors(who);
    const path = await started(who, contactsCsv(1));
    const { status } = await until(
      async () => (await who.server.get<{ status: string }>(path)).body,
      ({ status }) => status !== "running",
    );
    expect(status).toBe("completed");
  });

  it("end live conversations when lowered to less than is used", async () => {
    const who = await widgetTenant();
    const { id } = await createBudget(who, { limit: 1_000_000, action: "end" });
    const live = await talk((await user(who, "live")).access_token);
    expect(await readyOrClosed(live)).toBe("ready");
    live.send({ type: "message", text: "When are you open?" });
    await live.until(isAnswered);
    await vi.waitFor(async () => expect((await budget(who, id)).used).toBeGreaterThan(1));
    expect((await who.server.patch(`/api/v1/budgets/${id}`, { limit: 1 })).status).toBe(200);
    expect((await live.until(({ type }) => type === "ended")).at(-1)).toMatchObject({ reason: "budget" });
  });

  it("end live conversations when created below what is used", async () => {
    const who = await widgetTenant();
    const { id } = await createBudget(who, { limit: 1_000_000, action: "warn" });
    const live = await talk((await user(who, "live")).access_token);
    expect(await readyOrClosed(live)).toBe("ready");
    live.send({ type: "message", text: "When are you open?" });
    await live.until(isAnswered);
    await vi.waitFor(async () => expect((await budget(who, id)).used).toBeGreaterThan(1));
    await createBudget(who, { limit: 1, action: "end" });
    expect((await live.until(({ type }) => type === "ended")).at(-1)).toMatchObject({ reason: "budget" });
  });
});

describe("limits of widget keys", () => {
  it("have defaults, are changed one by one, and lifted by null", async () => {
    const who = await widgetTenant();
    const limits = async () => (await who.server.get<{ limits: unknown }[]>("/api/v1/widget-keys")).body[0]?.limits;
    const defaults = { turns_per_conversation: 60, conversations_per_visitor_day: 20, tokens_per_day: 5_000_000 };
    expect(await limits()).toEqual(defaults);
    expect((await setLimits(who.server, who.widgetKey.id, { turns_per_conversation: null })).status).toBe(204);
    expect((await setLimits(who.server, who.widgetKey.id, { tokens_per_day: 9 })).status).toBe(204);
    expect(await limits()).toEqual(Object.assign(defaults, { turns_per_conversation: null, tokens_per_day: 9 }));
    expect((await setLimits(who.server, who.widgetKey.id, { tokens_per_day: 0 })).status).toBe(400);
  });

  it("end a conversation after its turns, with a sentence", async () => {
    const who = await widgetTenant();
    await setLimits(who.server, who.widgetKey.id, { turns_per_conversation: 1 });
    const socket = await talk((await guest(who)).access_token);
    expect(await readyOrClosed(socket)).toBe("ready");
    socket.send({ type: "message", text: "Hello" });
    await socket.until(isAnswered);
    socket.send({ type: "message", text: "And then?" });
    expect((await socket.until(({ type }) => type === "ended")).at(-1)).toMatchObject({ reason: "budget" });
  });

  it("limit how many conversations a visitor begins in a day", async () => {
    const who = await widgetTenant();
    await setLimits(who.server, who.widgetKey.id, { conversations_per_visitor_day: 1 });
    const outcomes = [];
    for (const id of ["a", "a", "b"]) {
      const socket = await talk((await user(who, id)).access_token);
      outcomes.push(await readyOrClosed(socket));
    }
    expect(outcomes).toEqual(["ready", REACHED, "ready"]);
  });

  it("limit an address: 60 guests who ask twice are answered up to its share", async () => {
    const who = await widgetTenant();
    await setLimits(who.server, who.widgetKey.id, { tokens_per_day: 20_000 });
    const meter = env.ACCOUNT_METER.getByName(who.account);
    let covered = 0;
    for (let n = 0; n < 60; n++) {
      const lease = leaseOf(n, who.agentId, who.widgetKey.id);
      const guestLease = Object.assign({}, lease, {
        holder: Object.assign({}, lease.holder, { visitor_type: "guest" }),
      });
      if ((await meter.admit(guestLease)).outcome === "refused") continue;
      const use = { input_tokens: 0, output_tokens: 0, requests: 0 };
      for (let request = 1; request <= 2; request++) {
        if (!(await meter.reserveRequest(guestLease, use, request, 1_500))) break;
        covered++;
        Object.assign(use, { input_tokens: use.input_tokens + 1_500, requests: request });
      }
      await meter.leave(guestLease.id, use);
    }
    // Guests may use half of the 20,000 tokens.
    expect(covered).toBe(6);
  });
});
