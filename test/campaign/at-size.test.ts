import { describe, expect, it } from "vitest";
import { ContactListing } from "../../src/campaign/store/contact-listing.ts";
import { ContactStore } from "../../src/campaign/store/contacts.ts";
import { tenant } from "../support/client.ts";
import { explained } from "./query-plan.ts";
import { upload } from "./support.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

describe("large lists", () => {
  it("keep the first of any number of contacts with the same number", async () => {
    const { server } = await tenant();
    const rows = Array.from(
      { length: 12_000 },
      (_, i) => `+13035550100,${i}\n${i % 40 ? "" : `+1303${5_560_000 + i},x\n`}`,
    );
    const { status, body } = await upload(
      server,
      `phone_number,n\n${rows.join("")}+13035550199,last\n+13035550199,late\n`,
    );
    expect([status, body.import]).toEqual([201, { accepted: 302, rejected: 0, duplicates: 12_000, assumed: [] }]);
    const path = `/api/v1/campaigns/${body.id}/contacts`;
    type Page = { contacts: { phone_number: string; variables: { n: string } }[] };
    const { contacts } = (await server.get<Page>(`${path}?limit=1000`)).body;
    expect(contacts).toHaveLength(302);
    expect(contacts.at(0)).toMatchObject({ phone_number: "+13035550100", variables: { n: "0" } });
    expect(contacts.at(-1)).toMatchObject({ phone_number: "+13035550199", variables: { n: "last" } });
  });

  it("return retries that are due together in order, without reading and sorting all of them", async () => {
    await inObject((storage) => {
      const world = new World(CALM);
      draft({ ...CALM, contacts: 9_000, zones: ["Europe/Berlin", "America/New_York", null] }, world, storage);
      // Later rows of the file are due earlier.
      storage.sql.exec("UPDATE contacts SET next_attempt_at = ? - id WHERE id > 10", world.now);
      const { plans, sql } = explained(storage);
      const store = new ContactStore(sql);
      const due = (zones: number[], limit: number) => store.due(zones, limit, world.now).map(({ id }) => id);
      expect(due([0, 1, 2], 30)).toEqual(Array.from({ length: 30 }, (_, i) => 9_000 - i));
      expect(due([0, 1, 2], 8_995).slice(8_985)).toEqual([15, 14, 13, 12, 11, 1, 2, 3, 4, 5]);
      expect(plans.length).toBeGreaterThan(5);
      expect(plans.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
    });
  });

  it("a large list's contacts are listed with their conversations by one key lookup each", async () => {
    await inObject((storage) => {
      draft({ ...CALM, contacts: 2_500 }, new World(CALM), storage);
      new ContactStore(storage.sql).indexStatuses();
      const { plans, sql } = explained(storage);
      const listed = new ContactListing(sql);
      for (const status of [undefined, "pending"] as const)
        expect(listed.page({ status, limit: 1_000, offset: 0, after: 1_200 }).map(({ id }) => id)).toEqual(
          Array.from({ length: 1_000 }, (_, i) => 1_201 + i),
        );
      expect(plans.filter((step) => /attempts/.test(step))).toEqual(
        Array.from({ length: 2 }, () => "SEARCH attempts USING PRIMARY KEY (call_id=?) LEFT-JOIN"),
      );
      expect(plans.filter((step) => /SCAN (contacts|attempts)/.test(step))).toEqual([]);
    });
  });
});
