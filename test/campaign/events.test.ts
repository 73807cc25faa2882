import { describe, expect, it } from "vitest";
import { EVENTS } from "../../src/campaign/streams-contract.ts";
import { type Client, tenant } from "../support/client.ts";
import { contactsCsv, isOver, openStream, ready, type SseEvent, upload, watch } from "./support.ts";

describe("a campaign's event stream", () => {
  it("sends an API key and a console user the same bytes", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(6), await ready(who));
    const path = `/api/v1/campaigns/${body.id}`;
    const streams = await Promise.all([who.server, who.user].map((client) => openStream(client, body.id)));
    const texts = Promise.all(streams.map((stream) => stream.until(/"status":"completed","reason":null,"counts"/)));
    await who.server.post(`${path}/start`);
    const [one = "", two] = await texts;
    expect(one).toBe(two);
    expect(one.startsWith("retry: 2000\n\nevent: snapshot\n")).toBe(true);
    for (const block of one.slice(0, one.lastIndexOf("\n\n")).split("\n\n").slice(1)) {
      const lines = block.split("\n");
      expect(lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual(["event", "data", "id"]);
    }
  });

  it("sends contact and campaign events with the documented fields", async () => {
    const who = await tenant();
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 0, retry_on: ["busy"] });
    const { body } = await upload(who.server, "phone_number\n+13032000010\n+13032000001\n", {
      ...(await ready(who)),
      retry_config,
    });
    const watching = watch(who.server, body.id, isOver);
    await who.server.post(`/api/v1/campaigns/${body.id}/start`);
    const [snapshot, ...events] = await watching;
    expect(snapshot?.data).toMatchObject({ campaign_id: body.id, total_contacts: 2 });
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(["campaign", "originated", "connected", "pending", "completed", "failed"]),
    );
    const contact = [
      "seq",
      "campaign_id",
      "contact_id",
      "position",
      "phone_number",
      "status",
      "previous_status",
      "attempt",
    ];
    for (const { event, id, data } of events) {
      expect(data.seq).toBe(Number(id));
      expect(data.campaign_id).toBe(body.id);
      expect(new Date(String(data.at)).toISOString()).toBe(data.at);
      expect(Object.keys(data).sort()).toEqual(
        (event === "campaign"
          ? ["seq", "campaign_id", "status", "reason", "counts", "at"]
          : [...contact, "call_id", "reason", "at"]
        ).sort(),
      );
      if (event !== "campaign") expect(data.status).toBe(event);
    }
    expect(events.at(-1)?.data).toMatchObject({ status: "completed", counts: { completed: 1, failed: 1, pending: 0 } });
    // The schema of each event in the API.
    for (const { event, data } of [...(snapshot ? [snapshot] : []), ...events]) {
      const schema = EVENTS[event as keyof typeof EVENTS];
      expect(schema.strict().safeParse(data).error, event).toBeUndefined();
    }
  });

  it("resumes a finished campaign from every event id", async () => {
    const { client, id, ids } = await finished(3);
    for (const from of [0, ...ids.slice(0, -1)]) {
      const rest = await watch(client, id, isOver, { "last-event-id": String(from) });
      expect(rest.slice(1).map((event) => Number(event.id))).toEqual(ids.filter((other) => other > from));
      expect(rest[0]).toMatchObject({ event: "snapshot", id: null });
    }
  });

  it("starts from a snapshot for a Last-Event-ID it never sent", async () => {
    const { client, id, ids } = await finished(1);
    for (const lastSeen of ["", "x", "-1", "1.5", "1e3", "1 2", "99999", "9999999999999999999"]) {
      const [first] = await watch(client, id, () => true, { "last-event-id": lastSeen });
      expect(first, lastSeen).toMatchObject({ event: "snapshot", id: String(ids.at(-1)) });
    }
  });

  it("ends when the campaign is deleted", async () => {
    const { client, id } = await finished(1);
    const stream = await openStream(client, id);
    await stream.until(/event: snapshot/);
    expect((await client.delete(`/api/v1/campaigns/${id}`)).status).toBe(204);
    expect(await stream.rest()).toBe("");
  });
});

describe("the event stream of a missing campaign", () => {
  it("answers 404 for an unknown, a deleted and another account's campaign", async () => {
    const { client, id } = await finished(1);
    const stranger = (await tenant()).server;
    const missing = "0190b1a0-0000-7000-8000-000000000000";
    const ask = async (who: Client, campaign: string) => {
      const { status, code } = await who.get(`/api/v1/campaigns/${campaign}/events`);
      return [status, code];
    };
    expect(await ask(client, missing)).toEqual([404, "not_found"]);
    expect(await ask(stranger, id)).toEqual([404, "not_found"]);
    await client.delete(`/api/v1/campaigns/${id}`);
    expect(await ask(client, id)).toEqual([404, "not_found"]);
  });
});

/** Returns a campaign that has completed, and the IDs of its events. */
async function finished(contacts: number): Promise<{ client: Client; id: string; ids: number[] }> {
  const who = await tenant();
  const { body } = await upload(who.server, contactsCsv(contacts), await ready(who));
  const watching: Promise<SseEvent[]> = watch(who.server, body.id, isOver, { "last-event-id": "0" });
  await who.server.post(`/api/v1/campaigns/${body.id}/start`);
  const ids = (await watching).slice(1).map(({ id }) => Number(id));
  return { client: who.server, id: body.id, ids };
}
