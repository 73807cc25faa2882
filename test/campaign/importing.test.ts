import { describe, expect, it } from "vitest";
import { campaignRecord } from "../../src/campaign/campaign-record.ts";
import { EVENTS } from "../../src/campaign/streams-contract.ts";
import { type Client, tenant } from "../support/client.ts";
import { type Campaign, heldUpload, until, watch } from "./support.ts";

const listed = async (client: Client) =>
  (await client.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body.campaigns;

describe("a campaign whose upload is being read", () => {
  it("has exactly the fields of a campaign, in responses and in events", async () => {
    const { server } = await tenant();
    const { finish } = heldUpload(server);
    const [campaign] = await until(
      () => listed(server),
      ([first]) => first?.status_reason === "importing",
    );
    const id = String(campaign?.id);
    const shown = (await server.get<Campaign>(`/api/v1/campaigns/${id}`)).body;
    const [snapshot] = await watch(server, id, () => true);
    const created = await finish();

    expect(campaignRecord.strict().safeParse(shown).error).toBeUndefined();
    expect(EVENTS.snapshot.strict().safeParse(snapshot?.data).error).toBeUndefined();
    expect(created.status).toBe(201);
    expect(Object.keys(created.body).sort()).toEqual(Object.keys(shown).sort());
  });

  it("a campaign whose upload is being read shows the options of its form", async () => {
    const { server } = await tenant();
    const { body } = await heldUpload(server).finish();
    expect(body.import).toMatchObject({ accepted: 2, rejected: 0, duplicates: 0 });
    const { contacts } = (
      await server.get<{ contacts: { phone_number: string }[] }>(`/api/v1/campaigns/${body.id}/contacts`)
    ).body;
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual(["+12025550101", "+12025550102"]);
  });
});
