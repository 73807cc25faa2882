import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/kernel/instant-ids.ts";
import { EVENTS } from "../../src/records/events/types.ts";
import { eventsOf } from "../support/broken-objects.ts";
import { type Tenant, tenant } from "../support/client.ts";
import { type Campaign, contactOf, contactsCsv, isOver, ready, until, upload, watch } from "./support.ts";

/** Returns the account's events about campaigns and contacts, once there are this many. */
async function campaignEvents({ account }: Tenant, count: number) {
  const own = async () => (await eventsOf(account)).filter(({ type }) => /^(campaign|contact)\./.test(type));
  return until(own, (events) => events.length >= count);
}

/** Creates a campaign of one contact without starting it. */
async function draft(suffix: string, settings: Record<string, string> = {}) {
  const who = await tenant();
  const line = await ready(who);
  const { id } = (await upload(who.server, contactsCsv(1, suffix), { ...line, ...settings })).body;
  const path = `/api/v1/campaigns/${id}`;
  const operate = async (operation: string) => {
    const { status, body } = await who.server.post<Campaign>(`${path}/${operation}`);
    expect(status).toBe(200);
    return body;
  };
  return { ...who, id, path, operate, agent_id: line.agent_id };
}

describe("a campaign in the account's events", () => {
  it("reports started, paused, resumed and stopped once each, with the campaign at that time", async () => {
    const scene = await draft("10", { scheduled_at: "2099-01-01T00:00:00Z", name: "Spring offer" });
    const { id, path, operate, agent_id } = scene;
    for (const operation of ["start", "pause", "resume", "stop"]) await operate(operation);
    const events = await campaignEvents(scene, 4);
    expect(events.map(({ type }) => type)).toEqual([
      "campaign.started",
      "campaign.paused",
      "campaign.resumed",
      "campaign.stopped",
    ]);
    const [started] = events;
    expect(started?.data).toEqual({
      campaign_id: id,
      name: "Spring offer",
      status: "running",
      status_reason: null,
      agent_id,
      total_contacts: 1,
      counts: { pending: 1, originated: 0, connected: 0, completed: 0, failed: 0, cancelled: 0 },
      url: `https://switchboard.test${path}`,
    });
    for (const event of events) {
      expect(instantOf(event.id)).toBe(Date.parse(event.at));
      const { data } = EVENTS["campaign.started"].shape;
      expect(data.strict().safeParse(event.data).error).toBeUndefined();
    }
    // The contact that the stop canceled neither completed nor failed.
    expect((await contactOf(scene.server, path)).status).toBe("cancelled");
  });

  it("reports a contact that was reached before its own completion", async () => {
    const scene = await draft("10");
    const { id, path, server, operate, agent_id } = scene;
    const watching = watch(server, id, isOver);
    await operate("start");
    await watching;
    const [started, contact, completed] = await campaignEvents(scene, 3);
    expect([started?.type, completed?.type]).toEqual(["campaign.started", "campaign.completed"]);
    expect(completed?.data).toMatchObject({ status: "completed", counts: { completed: 1, pending: 0 } });
    const { id: contact_id, call_id, phone_number } = await contactOf(server, path);
    expect([contact?.type, contact?.data]).toEqual([
      "contact.completed",
      {
        campaign_id: id,
        contact_id,
        agent_id,
        phone_number,
        status: "completed",
        outcome: "answered",
        reason: null,
        attempt_count: 1,
        call_id,
        url: `https://switchboard.test${path}/contacts/${contact_id}`,
      },
    ]);
    expect(EVENTS["contact.completed"].shape.data.strict().safeParse(contact?.data).error).toBeUndefined();
  });

  it("reports again a contact that is called again and fails again", async () => {
    const scene = await draft("01");
    const { id, path, server, operate } = scene;
    const watching = watch(server, id, isOver);
    await operate("start");
    await watching;
    expect((await server.post(`${path}/redial`, { outcomes: ["busy"] })).status).toBe(200);
    await operate("resume");
    const events = await campaignEvents(scene, 6);
    expect(events.map(({ type }) => type)).toEqual([
      "campaign.started",
      "contact.failed",
      "campaign.completed",
      "campaign.paused",
      "campaign.resumed",
      "contact.failed",
      ...(events.length > 6 ? ["campaign.completed"] : []),
    ]);
    const failures = events.filter(({ type }) => type === "contact.failed");
    expect(failures.map(({ data }) => [data.outcome, data.attempt_count])).toEqual([
      ["busy", 1],
      ["busy", 2],
    ]);
    expect(new Set(events.map(({ id: event }) => event)).size).toBe(events.length);
  });

  it("reports why it dropped a contact that may not be called, without a call", async () => {
    const scene = await draft("10");
    const { id, path, server, operate } = scene;
    const { phone_number } = await contactOf(server, path);
    expect((await server.post("/api/v1/do-not-call", { numbers: [phone_number] })).body).toEqual({ added: 1 });
    const watching = watch(server, id, isOver);
    await operate("start");
    await watching;
    const [, contact] = await campaignEvents(scene, 3);
    const given = { outcome: "do_not_call", reason: "do_not_call", attempt_count: 0, call_id: null };
    expect([contact?.type, contact?.data]).toMatchObject(["contact.failed", given]);
  });

  it("appears only in its own account", async () => {
    const other = await tenant();
    const scene = await draft("10");
    await scene.operate("stop");
    await campaignEvents(scene, 1);
    expect(await eventsOf(other.account)).toEqual([]);
  });
});
