import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { breakD1, repair, type Table, type Write } from "../support/broken-d1.ts";
import { type BrokenObject, breakEvents, breakLedger, eventsOf } from "../support/broken-objects.ts";
import { type Client, type Tenant, tenant } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import { type Campaign, contactsCsv, isOver, ready, upload, watch } from "./support.ts";

const LATER = "2099-01-01T00:00:00Z";
/** How often D1 is polled until it is up to date, ms. */
const POLL = { interval: 100 };

const listed = async (client: Client) =>
  (await client.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body.campaigns;
const record = async (client: Client, id: string) => (await client.get<Campaign>(`/api/v1/campaigns/${id}`)).body;
const callsOf = async (client: Client, id: string) =>
  (await client.get<{ calls: { status: string; to_number: string }[] }>(`/api/v1/calls?campaign_id=${id}&limit=100`))
    .body.calls;
/** Returns the audit log's entries about the campaign, oldest first. */
async function actions(client: Client, id: string): Promise<string[]> {
  type Entry = { action: string; resource_id: string };
  const { entries } = (await client.get<{ entries: Entry[] }>("/api/v1/audit-log?limit=100")).body;
  return entries.flatMap(({ action, resource_id }) => (resource_id === id ? [action] : [])).reverse();
}

/** Waits until D1 has the campaign's current state. */
async function catchesUp(client: Client, id: string): Promise<Campaign> {
  await expect
    .poll(async () => (await listed(client)).find((one) => one.id === id), POLL)
    .toEqual(await record(client, id));
  return record(client, id);
}

/** Creates a scheduled campaign that has an agent and a number. */
async function waiting(who: Tenant) {
  const { body } = await upload(who.server, contactsCsv(3), { ...(await ready(who)), scheduled_at: LATER });
  return { id: body.id, path: `/api/v1/campaigns/${body.id}` };
}

/** D1 fails the upsert that lists a campaign. The hold on a starting campaign's agent is a separate UPDATE. */
describe("campaigns while D1 refuses writes", () => {
  afterEach(repair);

  it("campaigns are not started or resumed while D1 refuses writes", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const { body } = await upload(who.server, contactsCsv(3), { agent_id, from_number, scheduled_at: LATER });
    const path = `/api/v1/campaigns/${body.id}`;
    const agent = `/api/v1/agents/${agent_id}`;
    for (const [operation, status] of [
      ["start", "draft"],
      ["resume", "paused"],
    ]) {
      await breakD1(who.account, ["campaigns"]);
      const answer = await who.server.post(`${path}/${operation}`);
      expect([answer.status, answer.code]).toEqual([503, "database_unavailable"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await record(who.server, body.id)).status).toBe(status);
      await repair();
      expect((await who.server.post<Campaign>(`${path}/${operation}`)).body.status).toBe("running");
      expect((await who.server.delete(agent)).code).toBe("agent_in_use");
      await who.server.post(`${path}/pause`);
    }
    expect((await who.server.delete(agent)).status).toBe(204);
    await expect
      .poll(() => actions(who.server, body.id), POLL)
      .toEqual(["create", "start", "pause", "resume", "pause"]);
  });

  it("start, dial and complete regardless, and D1 catches up once it is back", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(40), await ready(who));
    const { id } = created.body;
    await breakD1(who.account, ["campaigns"], ["INSERT"]);
    const ledger = await breakLedger(who.account);
    const watching = watch(who.server, id, isOver);
    const started = await who.server.post<Campaign>(`/api/v1/campaigns/${id}/start`);
    expect([started.status, started.body.status]).toEqual([200, "running"]);
    await watching;
    expect(await listed(who.server)).toEqual([created.body]);

    await repair();
    await ledger.repair();
    expect(await catchesUp(who.server, id)).toMatchObject({ status: "completed", counts: { completed: 40 } });
    await expect.poll(async () => (await callsOf(who.server, id)).length, POLL).toBe(40);
    const calls = await callsOf(who.server, id);
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(new Set(calls.map(({ to_number }) => to_number)).size).toBe(40);
    await expect.poll(() => actions(who.server, id), POLL).toEqual(["create", "start"]);
  });

  it.each<Table>(["campaigns", "audit_log"])("campaigns continue dialing if only %s fails", async (table) => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(5), await ready(who));
    await breakD1(who.account, [table], ["INSERT"]);
    const watching = watch(who.server, body.id, isOver);
    expect((await who.server.post(`/api/v1/campaigns/${body.id}/start`)).status).toBe(200);
    await watching;
    await repair();
    await catchesUp(who.server, body.id);
    await expect.poll(() => callsOf(who.server, body.id), POLL).toHaveLength(5);
    await expect.poll(() => actions(who.server, body.id), POLL).toEqual(["create", "start"]);
  });

  it("accept every operation and change of settings, which D1 and the audit log get once", async () => {
    const who = await tenant();
    const { id, path } = await waiting(who);
    await who.server.post(`${path}/start`);
    const before = await catchesUp(who.server, id);
    await breakD1(who.account, ["campaigns", "audit_log"], ["INSERT"]);
    const status = async (answer: Promise<{ status: number; body: Campaign }>) => {
      const { status, body } = await answer;
      return [status, body.status];
    };
    expect(await status(who.server.post<Campaign>(`${path}/pause`))).toEqual([200, "paused"]);
    expect(await status(who.server.patch<Campaign>(path, { name: "While D1 was away" }))).toEqual([200, "paused"]);
    expect(await status(who.user.post<Campaign>(`${path}/resume`))).toEqual([200, "running"]);
    expect(await status(who.server.post<Campaign>(`${path}/stop`))).toEqual([200, "stopped"]);
    expect(await listed(who.server)).toEqual([before]);

    await repair();
    expect(await catchesUp(who.server, id)).toMatchObject({ status: "stopped", name: "While D1 was away" });
    await expect
      .poll(() => actions(who.server, id), POLL)
      .toEqual(["create", "start", "pause", "update", "resume", "stop"]);
  });

  it("cannot be created, and leave nothing of the attempt once D1 is back", async () => {
    const who = await tenant();
    await breakD1(who.account, ["campaigns"]);
    const answer = await upload(who.server, contactsCsv(3));
    expect([answer.status, answer.code]).toEqual([500, "internal"]);
    await repair();
    expect(await listed(who.server)).toEqual([]);
    expect((await upload(who.server, contactsCsv(3))).status).toBe(201);
    expect(await listed(who.server)).toHaveLength(1);
  });

  it("a refused upload is removed from the list later if that was not possible at once", async () => {
    const who = await tenant();
    await breakD1(who.account, ["campaigns"], ["DELETE"]);
    expect((await upload(who.server, "phone_number\nnonsense\n")).status).toBe(400);
    const [left] = await listed(who.server);
    expect(left).toMatchObject({ status: "draft", status_reason: "importing" });
    const path = `/api/v1/campaigns/${left?.id}`;
    expect((await who.server.post(`${path}/start`)).code).toBe("importing");
    await repair();
    await expect.poll(() => listed(who.server), POLL).toEqual([]);
    await expect.poll(async () => (await who.server.get(path)).status, POLL).toBe(404);
  });

  it.each<[string, Table, Write, [number, string]]>([
    ["its last change cannot be told", "campaigns", "UPDATE", [503, "not_delivered"]],
    ["its row cannot be deleted", "campaigns", "DELETE", [500, "internal"]],
    ["the audit log cannot be written", "audit_log", "INSERT", [503, "not_delivered"]],
  ])(
    "a campaign is still complete when deleting fails because %s, and can be deleted later",
    async (_, table, write, answer) => {
      const who = await tenant();
      const { id, path } = await waiting(who);
      await who.server.post(`${path}/start`);
      await catchesUp(who.server, id);
      await breakD1(who.account, [table], [write]);
      await who.server.post(`${path}/stop`);
      const failed = await who.server.delete(path);
      expect([failed.status, failed.code]).toEqual(answer);
      expect(await record(who.server, id)).toMatchObject({ status: "stopped", counts: { cancelled: 3 } });
      expect((await who.server.get<{ total: number }>(`${path}/contacts`)).body.total).toBe(3);
      expect(await listed(who.server)).toHaveLength(1);

      await repair();
      expect((await who.server.delete(path)).status).toBe(204);
      expect((await who.server.get(path)).status).toBe(404);
      expect(await listed(who.server)).toEqual([]);
      await expect.poll(() => actions(who.server, id), POLL).toEqual(["create", "start", "stop", "delete"]);
    },
  );

  it("free the slot of a call in progress when deletion fails, and list the call when it succeeds", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(1, "06"), await ready(who));
    const path = `/api/v1/campaigns/${body.id}`;
    const connected = watch(who.server, body.id, ({ event }) => event === "connected");
    await who.server.post(`${path}/start`);
    await connected;
    await breakD1(who.account, ["campaigns"]);
    await who.server.post(`${path}/pause`);
    const failed = await who.server.delete(path);
    expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
    const limits = await who.server.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
    expect(limits.body.concurrent_calls.used).toBe(0);
    await repair();
    expect((await who.server.delete(path)).status).toBe(204);
    expect(await callsOf(who.server, body.id)).toMatchObject([{ status: "completed" }]);
    expect(await listed(who.server)).toEqual([]);
  });

  it("campaigns are listed exactly if they exist, even when deleted and changed concurrently", async () => {
    const who = await tenant();
    for (let i = 0; i < 5; i++) {
      const { id } = (await upload(who.server, contactsCsv(3))).body;
      const path = `/api/v1/campaigns/${id}`;
      const rename = async (name: string) => (await who.server.patch(path, { name })).status;
      const [gone, ...renamed] = await Promise.all([who.server.delete(path), ...["a", "b", "c"].map(rename)]);
      expect(gone.status).toBe(204);
      for (const status of renamed) expect([200, 404]).toContain(status);
      expect((await who.server.get(path)).status).toBe(404);
      expect((await listed(who.server)).filter((one) => one.id === id)).toEqual([]);
    }
  });
});

/** Returns the account's events about the campaign, without those of its calls and conversations. */
async function eventTypesOf({ account }: Tenant, id: string): Promise<string[]> {
  const own = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    /^(campaign|contact)\./.test(type) && data.campaign_id === id;
  return (await eventsOf(account)).filter(own).map(({ type }) => type);
}

const AWAY: [string, (account: string) => Promise<BrokenObject>][] = [
  ["ledger", breakLedger],
  ["sequence of events", breakEvents],
];

describe("campaigns while another object is unavailable", () => {
  it.each(AWAY)(
    "campaigns while another object is unavailable dial and complete without the %s, which receives everything once it is back",
    async (_, breakIt) => {
      const who = await tenant();
      const created = await upload(who.server, contactsCsv(7), await ready(who));
      const { id } = created.body;
      const away = await breakIt(who.account);
      const watching = watch(who.server, id, isOver);
      expect((await who.server.post(`/api/v1/campaigns/${id}/start`)).status).toBe(200);
      await watching;
      expect(await catchesUp(who.server, id)).toMatchObject({ status: "completed", counts: { completed: 7 } });
      // The outbox outlives its object.
      await evict(env.CAMPAIGN.getByName(`${who.account}/${id}`));
      await away.repair();
      await expect.poll(async () => (await callsOf(who.server, id)).length, POLL).toBe(7);
      const done = Array.from({ length: 7 }, () => "contact.completed");
      await expect.poll(() => eventTypesOf(who, id), POLL).toEqual(["campaign.started", ...done, "campaign.completed"]);
      expect(new Set((await callsOf(who.server, id)).map(({ status }) => status))).toEqual(new Set(["completed"]));
    },
  );

  it.each(AWAY)(
    "campaigns while another object is unavailable aren't deleted while reports to the %s are pending, and lose nothing",
    async (_, breakIt) => {
      const who = await tenant();
      const { body } = await upload(who.server, contactsCsv(2), await ready(who));
      const path = `/api/v1/campaigns/${body.id}`;
      const away = await breakIt(who.account);
      const watching = watch(who.server, body.id, isOver);
      await who.server.post(`${path}/start`);
      await watching;
      const failed = await who.server.delete(path);
      expect([failed.status, failed.code]).toEqual([503, "not_delivered"]);
      expect(await record(who.server, body.id)).toMatchObject({ status: "completed", counts: { completed: 2 } });
      expect(await listed(who.server)).toHaveLength(1);
      await away.repair();
      expect((await who.server.delete(path)).status).toBe(204);
      expect((await who.server.get(path)).status).toBe(404);
      expect(await listed(who.server)).toEqual([]);
      expect((await callsOf(who.server, body.id)).map(({ status }) => status)).toEqual(["completed", "completed"]);
      const all = ["campaign.started", "contact.completed", "contact.completed", "campaign.completed"];
      expect(await eventTypesOf(who, body.id)).toEqual(all);
      await expect.poll(() => actions(who.server, body.id), POLL).toEqual(["create", "start", "delete"]);
    },
  );
});
