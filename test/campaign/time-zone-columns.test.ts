import { describe, expect, it } from "vitest";
import { isTimeZone } from "../../src/kernel/zones/time-zone.ts";
import { tenant } from "../support/client.ts";
import { append, ready, upload } from "./support.ts";

interface Contacts {
  contacts: { id: string; timezone: string | null; variables: Record<string, string> }[];
}
interface Plan {
  warnings: { code: string; message: string }[];
}

const NUMBERS = ["+12025550111", "+13035550112", "+12125550113"];
const fileOf = (header: string, ...zones: string[]) =>
  `phone_number,name,${header}\n${zones.map((zone, i) => `${NUMBERS[i]},P${i},${zone}\n`).join("")}`;

describe("the column of time zones", () => {
  it.each([
    "timezone",
    "TimeZone",
    "Timezone",
    "Time Zone",
    "time_zone",
    "Time-Zone",
    "TIME ZONE",
    "tz",
    "TZ",
    "timeZoneSidKey",
  ])("the column of time zones may be called %s", async (header) => {
    const { server } = await tenant();
    const { body } = await upload(server, fileOf(header, "America/Los_Angeles", "america_slash_new_york"));
    const path = `/api/v1/campaigns/${body.id}`;
    const { contacts } = (await server.get<Contacts>(`${path}/contacts`)).body;
    expect(contacts.map(({ timezone }) => timezone)).toEqual(["America/Los_Angeles", "America/New_York"]);
    expect(contacts[0]?.variables[header]).toBe("America/Los_Angeles");
    // The column is also checked and used when a contact is corrected.
    const contact = `${path}/contacts/${contacts[0]?.id}`;
    expect((await server.patch(contact, { variables: { [header]: "EST" } })).body).toContain(
      `variables.${header} is an abbreviation, which names no region: use America/New_York or America/Panama`,
    );
    const corrected = await server.patch(contact, { variables: { [header]: "Europe/Paris" } });
    expect(corrected.body).toMatchObject({ timezone: "Europe/Paris" });
  });

  it("the column of time zones is the one called timezone, if there are several", async () => {
    const { server } = await tenant();
    const csv = "phone_number,tz,timezone\n+12025550111,Asia/Tokyo,Europe/Paris\n";
    const { body } = await upload(server, csv);
    const { contacts } = (await server.get<Contacts>(`/api/v1/campaigns/${body.id}/contacts`)).body;
    expect(contacts[0]?.timezone).toBe("Europe/Paris");
  });

  it("an ambiguous column of time zones is refused", async () => {
    const { server } = await tenant();
    const refused = await upload(server, "phone_number,tz,Time Zone\n+12025550111,Asia/Tokyo,Europe/Paris\n");
    expect([refused.status, refused.code]).toEqual([400, "invalid_csv"]);
    expect(refused.body).toContain("several that could be it: tz, Time Zone; rename the one to use to timezone");
  });

  it("the column of time zones is used in an added list under any name", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, fileOf("tz", "Europe/Paris"));
    const path = `/api/v1/campaigns/${body.id}`;
    await append(server, path, "phone_number,time_zone\n+13035550112,Asia/Tokyo\n");
    const { contacts } = (await server.get<Contacts>(`${path}/contacts`)).body;
    expect(contacts.map(({ timezone }) => timezone)).toEqual(["Europe/Paris", "Asia/Tokyo"]);
    for (const [i, { id, timezone }] of contacts.entries()) {
      const moved = await server.patch(`${path}/contacts/${id}`, { phone_number: `+1415555012${i}` });
      expect.soft(moved.body).toMatchObject({ timezone });
    }
  });
});

describe("an abbreviation of a time zone", () => {
  it.each([
    ["EST", "America/New_York"],
    ["est", "America/New_York"],
    ["MST", "America/Denver or America/Phoenix"],
    ["CET", "Europe/Berlin"],
    ["PST", "America/Los_Angeles"],
    ["IST", "Asia/Kolkata"],
    ["BST", "Europe/London"],
    ["HST", "Pacific/Honolulu"],
    ["EDT", "America/New_York"],
  ])("an abbreviation of a time zone is refused with the region to use instead: %s", async (zone, regions) => {
    expect(isTimeZone(zone)).toBe(false);
    const { server } = await tenant();
    const row = await upload(server, fileOf("timezone", zone));
    expect([row.status, row.body]).toEqual([
      400,
      expect.stringContaining(`timezone "${zone}" is an abbreviation, which names no region: use ${regions}`),
    ]);
    const campaign = await upload(server, fileOf("x", ""), { timezone: zone });
    expect([campaign.status, campaign.body]).toEqual([400, expect.stringContaining(regions)]);
  });

  it.each(["UTC", "GMT", "Etc/GMT+5", "Europe/Berlin", "asia/tokyo", "Japan"])(
    "an abbreviation of a time zone is never %s",
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );
});

describe("an unused column of time zones", () => {
  it.each([
    ["a column Local clock holds zones", fileOf("Local clock", "Europe/Paris", "Asia/Tokyo"), true],
    ["most filled cells hold zones", fileOf("zone", "Europe/Paris", "", "Asia/Tokyo"), true],
    ["it holds names of CRMs", fileOf("zone", "america_slash_new_york"), true],
    ["a column holds other texts with slashes", fileOf("note", "and/or", "n/a", "Europe/Paris"), false],
    ["a column is used", fileOf("tz,home", "Europe/Paris,Asia/Tokyo"), false],
    ["there is none", fileOf("note", "hello"), false],
  ])("the plan reports an unused column of time zones: %s", async (_, csv, isWarned) => {
    const who = await tenant();
    const { body } = await upload(who.server, csv, await ready(who));
    const { warnings } = (await who.server.get<Plan>(`/api/v1/campaigns/${body.id}/plan`)).body;
    const found = warnings.filter(({ code }) => code === "unused_time_zones");
    expect(found.length).toBe(Number(isWarned));
    if (isWarned) expect(found[0]?.message).toContain('upload the list with the columns {"timezone":"');
  });
});
