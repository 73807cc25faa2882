import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../../support/client.ts";
import { type Conversation, endedRow, held, later, PATH, type Page, putRows } from "./support.ts";

const rowsOf = async (client: Client, query = "") => {
  const { status, body } = await client.get<string>(`${PATH}/export${query}`);
  expect(status).toBe(200);
  return Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true }).data;
};

describe("the CSV of conversations", () => {
  it("contains the conversations that the filters select, with the other person, and its export is audited", async () => {
    const who = await tenant();
    const variables = { First_Name: "Ada", last_name: "Lovelace" };
    const one = await held(who, { disposition: "=1+1", variables });
    const two = await held(who, { started_at: later(1_000), phone_number: "+13035550199", variables: {} });
    const all = await rowsOf(who.server);
    expect(all.map(({ id }) => id)).toEqual([two, one]);
    expect(all).toMatchObject([
      { phone_number: "+13035550199", contact_name: "", disposition: "booked" },
      { phone_number: "+13035550110", contact_name: "Ada Lovelace", disposition: "'=1+1", duration_ms: "60000" },
    ]);
    expect((await rowsOf(who.server, "?disposition=booked")).map(({ id }) => id)).toEqual([two]);
    const { body } = await who.server.get<{ entries: unknown[] }>("/api/v1/audit-log?action=export_conversations");
    expect(body.entries).toMatchObject([{ resource: "account", resource_id: who.account }, {}]);
    expect(await rowsOf((await tenant()).server)).toEqual([]);
  });

  it("the CSV of conversations contains each conversation once across its pages", async () => {
    const who = await tenant();
    // Many conversations began at the same moment.
    await putRows(
      who,
      Array.from({ length: 1_050 }, (_, i) => endedRow({ started_at: later(i % 3) })),
    );
    const ids = (await rowsOf(who.server)).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([1_050, 1_050]);
  });
});

describe("the name of the other person", () => {
  it.each<[string | null, Record<string, string>]>([
    ["Ada", { name: " Ada ", first_name: "Bob" }],
    ["Ada Lovelace", { first_name: "Ada", Last_Name: "Lovelace", name: "" }],
    ["Lovelace", { last_name: "Lovelace" }],
    [null, { company: "ACME" }],
  ])("the name of the other person is %j for %j", async (name, variables) => {
    const who = await tenant();
    const id = await held(who, { variables });
    expect((await who.server.get<Conversation>(`${PATH}/${id}`)).body).toMatchObject({ contact_name: name });
    const { conversations } = (await who.server.get<Page>(PATH)).body;
    expect(conversations).toMatchObject([{ contact_name: name }]);
  });
});
