import { describe, expect, it } from "vitest";
import { contactsCsv, heldUpload, openStream, ready, started, until, upload } from "../../campaign/support.ts";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { operator, tenant } from "../../support/client.ts";
import { type Quotas, use } from "./support.ts";

const BY_PLAN = {
  starter: [100, 200, 200, 200, 50, 50, 20, 50, 50, 5, 500, 50, 50_000_000, 20, 50, 2, 50, 2_000, 500],
  growth: [
    1_000, 1_000, 1_000, 1_000, 200, 200, 50, 500, 100, 20, 5_000, 500, 500_000_000, 100, 500, 5, 500, 20_000, 5_000,
  ],
  scale: [
    5_000, 5_000, 5_000, 5_000, 500, 500, 200, 5_000, 200, 50, 50_000, 5_000, 5_000_000_000, 500, 2_000, 10, 2_000,
    100_000, 50_000,
  ],
};
const NAMES = [
  "agents",
  "tools",
  "playbooks",
  "faqs",
  "api_keys",
  "widget_keys",
  "credentials",
  "numbers",
  "budgets",
  "webhooks",
  "versions",
  "documents",
  "knowledge_bytes",
];
const ALL = [
  ...NAMES,
  "open_campaigns",
  "event_streams",
  "uploads",
  "conversations",
  "knowledge_chunks",
  "crawl_pages",
];

describe("quotas", () => {
  it.each(Object.entries(BY_PLAN))("an account's quotas are those of the plan %s", async (plan, limits) => {
    const { server } = await tenant({ plan });
    const { status, body } = await server.get<Quotas>("/api/v1/quotas");
    expect([status, body.plan]).toEqual([200, plan]);
    expect(Object.fromEntries(Object.entries(body.quotas).map(([name, { limit }]) => [name, limit]))).toEqual(
      Object.fromEntries(ALL.map((name, n) => [name, limits[n]])),
    );
    // Only the requesting key counts. Seeded rows don't.
    const used = Object.entries(body.quotas).filter(([, { used }]) => used > 0);
    expect(used).toEqual([["api_keys", { limit: limits[4], used: 1 }]]);
  });

  it("count what an account has, but not what it deleted", async () => {
    const { user: client, ...who } = await tenant();
    const create = async (path: string, body: object) => {
      const answer = await client.post<{ id: string }>(`/api/v1/${path}`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return `/api/v1/${path}/${answer.body.id}`;
    };
    const paths = {
      agents: await create("agents", { name: "Ada" }),
      tools: await create("tools", { name: "one" }),
      playbooks: await create("playbooks", { name: "one" }),
      faqs: await create("faqs", { name: "one" }),
      api_keys: await create("api-keys", { name: "another" }),
      widget_keys: await create("widget-keys", { name: "shop" }),
      credentials: await create("telephony/providers", { provider: "sandbox", credentials: {} }),
      numbers: await create("telephony/numbers", { e164: "+12025550100", provider: "sandbox" }),
    };
    const before = (await client.get<Quotas>("/api/v1/quotas")).body.quotas;
    for (const [name, path] of Object.entries(paths)) {
      expect(before[name]?.used, name).toBe(name === "api_keys" ? 2 : 1);
      expect((await client.delete(path)).status, name).toBeLessThan(300);
      expect((await use(who, name))?.used, name).toBe(name === "api_keys" ? 1 : 0);
    }
  });

  it("do not count a default that was changed", async () => {
    const { server } = await tenant();
    const { tools } = (await server.get<{ tools: { id: string }[] }>("/api/v1/tools?limit=1")).body;
    expect((await server.put(`/api/v1/tools/${tools[0]?.id}`, { description: "ours" })).status).toBe(200);
    expect((await use({ server }, "tools"))?.used).toBe(0);
  });

  it("apply an operator's override at once, and return to the plan's value", async () => {
    const { server, account } = await tenant({ quotas: { numbers: 7 } });
    const admin = await operator();
    const path = `/api/admin/v1/accounts/${account}`;
    const shown = await admin.patch<{ quotas: Record<string, number> }>(path, { quotas: { agents: 3, uploads: 0 } });
    expect(shown.body).toMatchObject({
      quotas: { agents: 3, uploads: 0, numbers: 7, faqs: 5_000 },
      quotas_overrides: { agents: 3, uploads: 0, numbers: 7 },
    });
    expect((await use({ server }, "agents"))?.limit).toBe(3);
    const back = await admin.patch<{ quotas_overrides: object }>(path, { quotas: { agents: null } });
    expect(back.body.quotas_overrides).toEqual({ uploads: 0, numbers: 7 });
    expect((await use({ server }, "agents"))?.limit).toBe(5_000);
    expect((await admin.get<object>(path)).body).toMatchObject(back.body);
  });

  it("count campaigns while they are open", async () => {
    const who = await tenant();
    const open = async () => (await use(who, "open_campaigns"))?.used;
    const campaign = await upload(who.server, contactsCsv(1));
    const path = `/api/v1/campaigns/${campaign.body.id}`;
    expect(await open()).toBe(1);
    await who.server.post(`${path}/stop`);
    expect(await open()).toBe(0);
    const other = await upload(who.server, contactsCsv(1));
    expect(await open()).toBe(1);
    await who.server.delete(`/api/v1/campaigns/${other.body.id}`);
    expect(await open()).toBe(0);
    await started({ ...who, ...(await ready(who)) }, contactsCsv(1));
    await until(open, (n) => n === 0);
  });

  it("do not count a stopped campaign, even before D1 lists it as stopped", async () => {
    const who = await tenant({ quotas: { open_campaigns: 1 } });
    const { body } = await upload(who.server, contactsCsv(1));
    await breakD1(who.account, ["campaigns"], ["INSERT", "UPDATE"]);
    expect((await who.server.post(`/api/v1/campaigns/${body.id}/stop`)).status).toBe(200);
    const listed = (await who.server.get<{ campaigns: { status: string }[] }>("/api/v1/campaigns")).body.campaigns;
    expect(listed.map(({ status }) => status)).toEqual(["draft"]);
    expect(await use(who, "open_campaigns")).toEqual({ limit: 1, used: 0 });
    await repair();
    expect((await upload(who.server, contactsCsv(1))).status).toBe(201);
  });

  it("count an upload while it is read", async () => {
    const who = await tenant({ quotas: { uploads: 1 } });
    const { finish } = heldUpload(who.server);
    await until(
      () => use(who, "uploads"),
      (uploads) => uploads?.used === 1,
    );
    expect(await use(who, "open_campaigns")).toMatchObject({ used: 1 });
    expect((await upload(who.server, contactsCsv(1))).code).toBe("quota_exceeded");
    expect((await finish()).status).toBe(201);
    expect(await use(who, "uploads")).toEqual({ limit: 1, used: 0 });
    expect((await upload(who.server, "nonsense")).status).toBe(400);
    expect((await upload(who.server, contactsCsv(1))).status).toBe(201);
    expect((await use(who, "open_campaigns"))?.used).toBe(2);
  });

  it("count a stream while it has a reader", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(1));
    const streams = async () => (await use(who, "event_streams"))?.used;
    const stream = await openStream(who.server, body.id);
    await stream.until(/event: snapshot/);
    expect(await streams()).toBe(1);
    await who.server.delete(`/api/v1/campaigns/${body.id}`);
    await stream.rest();
    await until(streams, (n) => n === 0);
  });
});
