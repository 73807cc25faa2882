import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { type Campaign, contactsCsv, until, upload } from "./support.ts";

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

  it("a stop of a long campaign is answered after 500 contacts and cancels the others afterwards", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1_100));
    const path = `/api/v1/campaigns/${body.id}`;
    const { counts } = (await server.post<Campaign>(`${path}/stop`)).body;
    expect(counts).toMatchObject({ pending: 600, cancelled: 500 });
    const settled = await until(
      async () => (await server.get<Campaign>(path)).body.counts,
      ({ pending }) => pending === 0,
    );
    expect(settled).toMatchObject({ pending: 0, cancelled: 1_100 });
  });

  it.each(["start", "pause", "resume", "stop"])("a stopped campaign refuses to %s", async (operation) => {
    const { server, path } = await stopped();
    expect((await server.post(`${path}/${operation}`)).status).toBe(409);
    expect((await server.get<Campaign>(path)).body.status).toBe("stopped");
  });
});
