import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { dialDependencies } from "../../../src/campaign/dial/dependencies.ts";
import { LineUnavailable } from "../../../src/campaign/dial/dispatch-dependencies.ts";
import type { CampaignStore } from "../../../src/campaign/store/campaign-store.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { report } from "../../campaign/held-calls.ts";
import { type Campaign, contactOf, contactsCsv, started, until, upload } from "../../campaign/support.ts";
import { operator } from "../../support/client.ts";
import { introspect, page, visitorToken, widgetTenant } from "../../support/widget.ts";
import { answering, NUMBER, ring } from "../inbound/support.ts";
import { type Calls, originate, slowly } from "./support.ts";

type Who = Awaited<ReturnType<typeof answering>>;
type Status = "archived" | "draft" | "active" | "unpublished";

/** Creates an agent that can place calls by its number and answer them. */
async function world() {
  const who = { ...(await answering()), from_number: NUMBER };
  await slowly(who);
  return who;
}
const set = ({ server, agent_id }: Who, status: Status) =>
  server.patch(`/api/v1/agents/${agent_id}`, status === "unpublished" ? { versioning: "manual" } : { status });
const calls = async ({ server }: Who) => (await server.get<Calls>("/api/v1/calls")).body.total;
const codeOf = ({ status, code }: { status: number; code: string | null }) => (status === 200 ? null : code);

/** Creates a campaign that waits for its first calls, and returns its path. */
async function waiting(who: Who & { from_number: string }, running: boolean) {
  const { agent_id, from_number } = who;
  const fields = { agent_id, from_number, scheduled_at: "2099-01-01T00:00:00Z" };
  const path = `/api/v1/campaigns/${(await upload(who.server, contactsCsv(2), fields)).body.id}`;
  if (running) expect((await who.server.post(`${path}/start`)).status).toBe(200);
  return path;
}

/** Creates a paused campaign with a contact to redial, whose call was busy. */
async function withBusyContact(who: Who & { from_number: string }) {
  const path = await started(who, contactsCsv(2), { max_concurrency: "1" });
  const first = await until(
    () => contactOf(who.server, path, 0),
    ({ attempts }) => attempts.length === 1,
  );
  await report(who, path, String(first.call_id), { provider_call_id: first.call_id, status: "busy" });
  await until(
    () => who.server.get<Campaign>(path),
    ({ body }) => body.counts.failed === 1 && body.counts.originated === 1,
  );
  await who.server.post(`${path}/pause`);
  return path;
}

/** Ways in which an agent begins a call, each with the code of the refusal; null if the call begins. */
const DOORS: Record<string, (who: Awaited<ReturnType<typeof world>>, status: Status) => Promise<string | null>> = {
  async originate(who, status) {
    await set(who, status);
    return codeOf(await originate(who, "+13035550110"));
  },
  async start(who, status) {
    const path = await waiting(who, false);
    await set(who, status);
    return codeOf(await who.server.post(`${path}/start`));
  },
  async resume(who, status) {
    const path = await waiting(who, true);
    await who.server.post(`${path}/pause`);
    await set(who, status);
    return codeOf(await who.server.post(`${path}/resume`));
  },
  async dispatch(who, status) {
    const path = await started(who, contactsCsv(3), { max_concurrency: "1" });
    const first = await until(
      () => contactOf(who.server, path, 0),
      ({ attempts }) => attempts.length === 1,
    );
    await set(who, status);
    const ended = { provider_call_id: first.call_id, status: "completed", reason: "hangup" };
    expect((await report(who, path, String(first.call_id), ended)).status).toBe(204);
    const { body } = await until(
      () => who.server.get<Campaign>(path),
      (answer) => answer.body.status === "paused" || answer.body.counts.originated === 1,
    );
    expect((await contactOf(who.server, path, 1)).attempts).toHaveLength(body.status === "paused" ? 0 : 1);
    return body.status_reason;
  },
  async redial(who, status) {
    const path = await withBusyContact(who);
    await set(who, status);
    expect((await who.server.post(`${path}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 1 });
    return codeOf(await who.server.post(`${path}/resume`));
  },
  async inbound(who, status) {
    await set(who, status);
    const { body } = await ring(who);
    return body.action === "reject" ? "reject" : null;
  },
  async sandbox(who, status) {
    await set(who, status);
    return codeOf(await who.server.post("/api/v1/sandbox/calls", { to_number: NUMBER }));
  },
};
const TAKES_CALLS: Record<string, string> = { inbound: "reject", sandbox: "no_agent" };

describe.each(Object.entries(DOORS))("an agent's call that begins by %s", (door, enter) => {
  it("an agent's call is refused if the agent is archived", async () => {
    const who = await world();
    expect(await enter(who, "archived")).toBe(TAKES_CALLS[door] ?? "agent_archived");
    if (!["dispatch", "redial"].includes(door)) expect(await calls(who)).toBe(0);
  });

  it("an agent's call is refused if the agent is under manual versioning and was never published", async () => {
    const who = await world();
    expect(await enter(who, "unpublished")).toBe(TAKES_CALLS[door] ?? "not_published");
  });

  it("an agent's call is accepted for an active agent, and for a draft on outbound calls", async () => {
    expect(await enter(await world(), "active")).toBeNull();
    expect(await enter(await world(), "draft")).toBe(TAKES_CALLS[door] ?? null);
  });
});

it("a call's agent is checked again right before the carrier is asked", async () => {
  const who = await world();
  const rows = accountStore(env, who.account, { actor: "test", request_id: "" });
  const { agent_id, from_number } = who;
  // The campaign's fields that decide the line of its calls.
  const store = {
    campaign: { settings: { agent_id, agent_version: "live", from_number } },
  } as unknown as CampaignStore;
  const { line, lastLook } = dialDependencies(env, store, rows, () => {});
  const opened = await line();
  expect(await lastLook(opened, "+13035550110")).toBeNull();
  await set(who, "archived");
  await expect(lastLook(opened, "+13035550110")).rejects.toThrow(new LineUnavailable("agent_archived"));
});

describe("an account that is closed", () => {
  it("places none of its campaign's calls, because it is checked again right before the carrier is asked", async () => {
    const who = await world();
    const rows = accountStore(env, who.account, { actor: "test", request_id: "" });
    const { agent_id, from_number } = who;
    const store = {
      campaign: { settings: { agent_id, agent_version: "live", from_number } },
    } as unknown as CampaignStore;
    const { line, lastLook } = dialDependencies(env, store, rows, () => {});
    const opened = await line();
    const disabled = await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    expect(disabled.status).toBe(200);
    const closed = new LineUnavailable("account_closed");
    await expect(lastLook(opened, "+13035550110")).rejects.toThrow(closed);
    const again = dialDependencies(env, store, rows, () => {});
    await expect(again.line()).rejects.toThrow(closed);
  });

  it("neither places nor answers a call", async () => {
    const who = await world();
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    expect((await originate(who, "+13035550110")).code).toBe("account_closed");
    expect((await ring(who)).code).toBe("account_closed");
  });
});

/** Creates a shop with a visitor who has signed in. */
async function visited() {
  const shop = await widgetTenant();
  return { ...shop, visitor: (await page().guest(shop.widgetKey.key)).body };
}
type Visited = Awaited<ReturnType<typeof visited>>;

/** Ways in which a visitor reaches an agent, each with the code of the refusal; null if the agent answers. */
const VISITOR_DOORS: Record<string, (shop: Visited) => Promise<unknown>> = {
  guest: async ({ widgetKey }) => (await page().guest(widgetKey.key)).code,
  exchange: async (shop) => (await page().exchange(await visitorToken(shop))).code,
  refresh: async ({ visitor }) => (await page().refresh(visitor.refresh_token)).code,
  introspect: async (shop) => (await introspect(shop, shop.visitor.access_token)).reason ?? null,
};

describe.each(Object.entries(VISITOR_DOORS))("a visitor who comes by %s", (_, enter) => {
  it("does not reach an archived agent, but reaches it again once it is active", async () => {
    const shop = await visited();
    const change = (status: string) => shop.server.patch(`/api/v1/agents/${shop.agentId}`, { status });
    await change("archived");
    expect(await enter(shop)).toBe("widget_disabled");
    await change("active");
    // A refused refresh has used up its token.
    const visitor = (await page().guest(shop.widgetKey.key)).body;
    expect(await enter(Object.assign({}, shop, { visitor }))).toBeNull();
  });

  it("does not reach an agent under manual versioning that was never published", async () => {
    const shop = await visited();
    await shop.server.patch(`/api/v1/agents/${shop.agentId}`, { versioning: "manual" });
    expect(await enter(shop)).toBe("widget_disabled");
  });
});

it("a page gets the error that an archived agent's widget is switched off", async () => {
  const shop = await visited();
  await shop.server.patch(`/api/v1/agents/${shop.agentId}`, { status: "archived" });
  expect((await page().config(shop.widgetKey.key)).body).toMatchObject({ enabled: false, guests: false });
});

it("a tester can still try an archived agent", async () => {
  const who = await world();
  await set(who, "archived");
  expect((await who.user.post(`/api/v1/agents/${who.agent_id}/session`, {})).status).toBe(200);
});

describe("an agent that was deleted", () => {
  it("neither places nor answers a call, and starts no campaign", async () => {
    const who = await world();
    const path = await waiting(who, false);
    expect((await who.server.delete(`/api/v1/agents/${who.agent_id}`)).status).toBe(204);
    expect((await originate(who, "+13035550110")).status).toBe(404);
    expect((await who.server.post(`${path}/start`)).code).toBe("incomplete");
    expect((await ring(who)).body).toMatchObject({ action: "reject" });
    expect((await who.server.post("/api/v1/sandbox/calls", { to_number: NUMBER })).code).toBe("no_agent");
    expect(await calls(who)).toBe(0);
  });
});
