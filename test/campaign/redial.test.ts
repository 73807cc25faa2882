import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { use } from "../account/quotas/support.ts";
import { operator, tenant } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import { broken } from "./chain.ts";
import { type Campaign, contactOf, contactsCsv, isOver, ready, started, until, upload, watch } from "./support.ts";

/** The numbers are busy, not answered, failed, rejected, a machine, and two that answer. */
const ENDINGS = `phone_number,name\n${["01", "02", "03", "04", "05", "10", "11"].map((n, i) => `+130320000${n},P${i}`).join("\n")}\n`;

/** Runs a campaign to its end. */
async function completed(csv = ENDINGS, settings: Record<string, string> = {}) {
  const who = await tenant();
  const path = await started({ ...who, ...(await ready(who)) }, csv, settings);
  const id = path.split("/").at(-1) ?? "";
  const campaign = async () => (await who.server.get<Campaign>(path)).body;
  await until(campaign, ({ status }) => status === "completed");
  return { ...who, path, id, campaign };
}

describe("redialing", () => {
  it("makes contacts with the named outcomes pending, pauses a completed campaign, and calls them once more", async () => {
    const { server, path, id, campaign } = await completed();
    const answer = await server.post(`${path}/redial`, { outcomes: ["busy", "machine", "busy"] });
    expect([answer.status, answer.body]).toEqual([200, { contacts: 2 }]);
    expect(await campaign()).toMatchObject({
      status: "paused",
      ended_at: null,
      counts: { pending: 2, failed: 3, completed: 2 },
    });
    expect(await contactOf(server, path, 0)).toMatchObject({ status: "pending", attempt_count: 1, outcome: "busy" });
    const first = await watch(
      server,
      id,
      ({ event, data }, all) =>
        event === "pending" && all.filter((one) => one.event === "pending").length === 2 && Boolean(data),
    );
    const redial = first.findIndex(({ data }) => data.reason === "redial");
    expect(
      first.slice(redial).map(({ event, data }) => [event, data.status, data.previous_status, data.reason]),
    ).toEqual([
      ["campaign", "paused", undefined, "redial"],
      ["pending", "pending", "failed", "redial"],
      ["pending", "pending", "failed", "redial"],
    ]);
    const watching = watch(server, id, isOver, {});
    expect((await server.post(`${path}/resume`)).status).toBe(200);
    await watching;
    expect(await contactOf(server, path, 0)).toMatchObject({ status: "failed", attempt_count: 2, outcome: "busy" });
    expect((await contactOf(server, path, 1)).attempt_count).toBe(1);
    expect(await campaign()).toMatchObject({ status: "completed", counts: { pending: 0, failed: 5, completed: 2 } });
    expect(broken((await server.get<string>(`${path}/history`)).body)).toBe(null);
    type Entries = { entries: { changes: unknown }[] };
    const { entries } = await until(
      async () => (await server.get<Entries>("/api/v1/audit-log?action=redial")).body,
      ({ entries }) => entries.length === 1,
    );
    expect(entries[0]?.changes).toEqual({ status: { from: "completed", to: "paused" } });
  });

  it("changes nothing if no contact has the outcome", async () => {
    const { server, path, campaign } = await completed();
    const before = await campaign();
    expect((await server.post(`${path}/redial`, { outcomes: ["unknown", "canceled"] })).body).toEqual({ contacts: 0 });
    expect(await campaign()).toEqual(before);
  });

  it("doesn't call a number on the do-not-call list, even if do_not_call is named", async () => {
    const who = await tenant();
    await who.server.post("/api/v1/do-not-call", { numbers: ["+13034000001", "+13034000101"] });
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(2, "01"));
    const campaign = async () => (await who.server.get<Campaign>(path)).body;
    await until(campaign, ({ status }) => status === "completed");
    expect((await who.server.post(`${path}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 0 });
    expect((await who.server.post(`${path}/redial`, { outcomes: ["do_not_call"] })).body).toEqual({ contacts: 2 });
    await who.server.delete("/api/v1/do-not-call/%2B13034000101");
    await who.server.post(`${path}/resume`);
    await until(campaign, ({ status }) => status === "completed");
    const outcomes = [await contactOf(who.server, path, 0), await contactOf(who.server, path, 1)].map((one) => [
      one.outcome,
      one.attempt_count,
    ]);
    expect(outcomes).toEqual([
      ["do_not_call", 0],
      ["busy", 1],
    ]);
  });

  it("the alarm finishes a redial whose process died, and resuming is refused until then", async () => {
    const { server, path, id, account, campaign } = await completed(contactsCsv(40, "01"));
    const object = env.CAMPAIGN.getByName(`${account}/${id}`);
    // The state after a crash right after the redial was stored.
    await runInDurableObject(object, async (_, { storage }) => {
      storage.sql.exec(
        'UPDATE campaign SET status = \'paused\', ended_at = NULL, redial = \'{"outcomes":["busy"],"contacts":40,"done":0,"except":[]}\'',
      );
    });
    await evict(object);
    expect(await until(campaign, ({ counts }) => counts.pending === 40)).toMatchObject({
      status: "paused",
      counts: { failed: 0 },
    });
    expect((await server.post(`${path}/resume`)).status).toBe(200);
  });
});

describe("an invalid redial", () => {
  it.each<[unknown, number]>([
    [{}, 400],
    [{ outcomes: [] }, 400],
    [{ outcomes: ["answered"] }, 400],
    [{ outcomes: ["nonsense"] }, 400],
    [{ outcomes: "busy" }, 400],
  ])("a redial is refused for %j", async (body, status) => {
    const { server } = await tenant();
    const { id } = (await upload(server, contactsCsv(1))).body;
    expect((await server.post(`/api/v1/campaigns/${id}/redial`, body)).status).toBe(status);
  });

  it("redialing a draft, a running or a stopped campaign is refused with the reason", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(1), {
      ...(await ready(who)),
      scheduled_at: "2099-01-01T00:00:00Z",
    });
    const path = `/api/v1/campaigns/${created.body.id}`;
    const redial = async () => (await who.server.post(`${path}/redial`, { outcomes: ["busy"] })).body;
    expect(await redial()).toBe("cannot redial a campaign that is draft");
    await who.server.post(`${path}/start`);
    expect(await redial()).toBe("cannot redial a campaign that is running; pause it first");
    await who.server.post(`${path}/stop`);
    expect(await redial()).toBe("cannot redial a campaign that is stopped; clone it");
  });

  it("a redial that would reopen a completed campaign over the quota is refused", async () => {
    const { server, path, account, campaign } = await completed();
    const set = (open_campaigns: number | null) =>
      operator().then((one) => one.patch(`/api/admin/v1/accounts/${account}`, { quotas: { open_campaigns } }));
    await set(1);
    await upload(server, contactsCsv(1));
    const answer = await server.post(`${path}/redial`, { outcomes: ["busy"] });
    expect([answer.status, answer.code]).toEqual([403, "quota_exceeded"]);
    expect((await campaign()).status).toBe("completed");
    await set(2);
    expect((await server.post(`${path}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 1 });
    const quotas = (await server.get<{ quotas: { open_campaigns: { used: number } } }>("/api/v1/quotas")).body;
    expect(quotas.quotas.open_campaigns.used).toBe(2);
    expect((await upload(server, contactsCsv(1))).code).toBe("quota_exceeded");
  });

  it("a redial counts the campaign as open only until it is over again", async () => {
    const { server, path, campaign, ...who } = await completed();
    const open = async () => (await use({ server, ...who }, "open_campaigns"))?.used;
    expect(await open()).toBe(0);
    await server.post(`${path}/redial`, { outcomes: ["busy"] });
    expect(await open()).toBe(1);
    await server.post(`${path}/resume`);
    await until(campaign, ({ status }) => status === "completed");
    await until(open, (n) => n === 0);
    // D1 lists it as completed now.
    await until(
      () => server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns"),
      ({ body }) => body.campaigns[0]?.status === "completed",
    );
    expect([await open(), await open()]).toEqual([0, 0]);
    await server.post(`${path}/redial`, { outcomes: ["busy"] });
    expect((await server.delete(path)).status).toBe(204);
    expect([await open(), await open()]).toEqual([0, 0]);
  });
});
