import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { append, type Campaign, contactsCsv, ready, started, until, upload } from "./support.ts";

const GB = 1_000_000_000;
const MORE = "phone_number,name\n+12025550111,Bob\n";

/** Makes the campaign's object report this size in bytes. */
async function setSize(account: string, path: string, databaseSize: number): Promise<void> {
  const object = env.CAMPAIGN.getByName(`${account}/${path.split("/").at(-1)}`);
  await runInDurableObject(object, (_, { storage }) => {
    Object.defineProperty(storage.sql, "databaseSize", { get: () => databaseSize, configurable: true });
  });
}

const pathOf = ({ body }: Answer<Campaign>) => `/api/v1/campaigns/${body.id}`;
const record = async (client: Client, path: string) => (await client.get<Campaign>(path)).body;

describe("a campaign whose storage is full", () => {
  it("refuses further contacts", async () => {
    const { server, account } = await tenant();
    const path = pathOf(await upload(server, contactsCsv(2)));
    await setSize(account, path, 9 * GB + 1);
    const answer = await append(server, path, MORE);
    expect([answer.status, answer.code]).toEqual([409, "campaign_full"]);
    expect(await record(server, path)).toMatchObject({ total_contacts: 2 });
    await setSize(account, path, 9 * GB);
    expect((await append(server, path, MORE)).status).toBe(200);
  });

  it("refuses a redial", async () => {
    const who = await tenant();
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(1, "01"));
    await until(
      () => record(who.server, path),
      ({ status }) => status === "completed",
    );
    await setSize(who.account, path, 9 * GB + 1);
    const answer = await who.server.post(`${path}/redial`, { outcomes: ["busy", "no_answer", "failed", "rejected"] });
    expect([answer.status, answer.code]).toEqual([409, "campaign_full"]);
    expect(await record(who.server, path)).toMatchObject({ status: "completed", counts: { failed: 1 } });
  });

  it("calls the contacts that it has", async () => {
    const who = await tenant();
    const path = pathOf(await upload(who.server, contactsCsv(3), await ready(who)));
    await setSize(who.account, path, 9 * GB + 1);
    expect((await who.server.post(`${path}/start`)).status).toBe(200);
    const { counts } = await until(
      () => record(who.server, path),
      ({ status }) => status === "completed",
    );
    expect(counts).toMatchObject({ completed: 3 });
  });

  it("pauses itself before the platform refuses the reports of its calls", async () => {
    const who = await tenant();
    const path = pathOf(await upload(who.server, contactsCsv(3), await ready(who)));
    await setSize(who.account, path, 9.5 * GB + 1);
    expect((await who.server.post(`${path}/start`)).status).toBe(200);
    const { counts, status_reason } = await until(
      () => record(who.server, path),
      ({ status }) => status === "paused",
    );
    expect([status_reason, counts]).toMatchObject(["storage_full", { pending: 3 }]);
  });
});
