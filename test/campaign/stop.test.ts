import { describe, expect, it } from "vitest";
import { cancelSome, operate } from "../../src/campaign/store/campaign-transitions.ts";
import { tenant } from "../support/client.ts";
import { type Campaign, contactsCsv, upload } from "./support.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

async function stopped() {
  const { server } = await tenant();
  const { body } = await upload(server, contactsCsv(3));
  const path = `/api/v1/campaigns/${body.id}`;
  return { server, path, answer: await server.post<Campaign>(`${path}/stop`) };
}

describe("a stop", () => {
  it("stopping a campaign cancels its pending contacts", async () => {
    const { server, path, answer } = await stopped();
    expect(answer.body).toMatchObject({ status: "stopped", counts: { pending: 0, cancelled: 3 } });
    const { body } = await server.get<{ contacts: { status: string }[] }>(`${path}/contacts`);
    expect(body.contacts.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("a stop is answered once it has canceled up to 2,000 contacts", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1_100));
    const { counts } = (await server.post<Campaign>(`/api/v1/campaigns/${body.id}/stop`)).body;
    expect(counts).toMatchObject({ pending: 0, cancelled: 1_100 });
  });

  it("a stop cancels the other contacts 500 at a time", async () => {
    await inObject((storage) => {
      const world = new World(CALM);
      const store = draft({ ...CALM, contacts: 1_100 }, world, storage);
      operate(store, "stop", { actor: "user:t", request_id: "" }, world.now);
      const cancelled = Array.from({ length: 4 }, () => cancelSome(store, world.now));
      expect(cancelled).toEqual([500, 500, 100, 0]);
      expect(store.campaign.counts).toMatchObject({ pending: 0, cancelled: 1_100 });
    });
  });

  it.each(["start", "pause", "resume", "stop"])("a stopped campaign refuses to %s", async (operation) => {
    const { server, path } = await stopped();
    expect((await server.post(`${path}/${operation}`)).status).toBe(409);
    expect((await server.get<Campaign>(path)).body.status).toBe("stopped");
  });
});
