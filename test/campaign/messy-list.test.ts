import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { asFile, messyRows } from "./messy-rows.ts";
import { type Campaign, type Contact, ready, until, upload } from "./support.ts";

const records = (csv: string) => Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;

async function download(client: Client, path: string): Promise<Record<string, string>[]> {
  const answer = await client.get<string>(path);
  expect(answer.status).toBe(200);
  return records(answer.body);
}

/** Adds a list to a campaign. */
function add(client: Client, path: string, csv: string): Promise<Answer<Campaign["import"]>> {
  const form = new FormData();
  form.set("contacts", new File([csv], "corrected.csv", { type: "text/csv" }));
  form.set("default_country", "US");
  form.set("on_invalid", "skip");
  return client.send("POST", `${path}/contacts`, form);
}

describe("a messy list of 200 rows", () => {
  it("can be corrected in place, from the upload to the last call", async () => {
    const { server } = await tenant();
    const { agent_id, from_number } = await ready({ server });
    await server.patch(`/api/v1/agents/${agent_id}`, { greeting_message: "Hello {{name}}, of {{firm}}?" });

    // Sent unchanged, the list is refused completely. The error names the first invalid lines and their number.
    const fields = { agent_id, from_number, default_country: "US" };
    const refused = await upload(server, asFile(messyRows()), fields);
    expect([refused.status, refused.code]).toEqual([400, "invalid_csv"]);
    expect(refused.body).toMatch(/^line \d+: phone_number is empty;/);
    expect(refused.body).toContain("invalid lines in total: 45");

    const created = await upload(server, asFile(messyRows()), {
      ...fields,
      on_invalid: "skip",
      schedule_config: '[{"days":[1,2,3,4,5,6,7],"start":"00:00","end":"24:00"}]',
    });
    expect(created.body.import).toMatchObject({ accepted: 130, rejected: 45, duplicates: 25 });
    const path = `/api/v1/campaigns/${created.body.id}`;

    const duplicates = await download(server, `${path}/duplicates`);
    expect(duplicates).toHaveLength(25);
    // Lines are counted as in an editor, including line breaks within cells.
    const lines = asFile(messyRows()).split("\r\n").join("\n").split("\n");
    for (const { Name, _line, _first_line } of duplicates) {
      const first = Number(Name?.slice("Person ".length)) - 130;
      expect(lines[Number(_line) - 1]).toContain(Name);
      expect(lines[Number(_first_line) - 1]).toContain(`Person ${first};`);
    }

    // Every skipped row is returned unchanged with its reason. Half of them are fixed and uploaded again.
    const rejects = await download(server, `${path}/rejects`);
    expect(rejects).toHaveLength(45);
    const why = new Set(rejects.map(({ _reason }) => _reason?.replace(/"[^"]*"/, "…")));
    expect(why).toEqual(
      new Set(["phone_number is empty", "phone_number … is not a phone number", "has 5 fields, but the header has 4"]),
    );
    const correctedRows = rejects.map((row, i) => {
      const unknown = row.Mobile?.startsWith("ask at") ? { ...row, Mobile: `(303) 556-${1000 + i}` } : row;
      return { ...unknown, _extra_1: "" };
    });
    const added = await add(server, path, Papa.unparse(correctedRows));
    expect([added.status, added.body]).toEqual([200, { accepted: 30, rejected: 15, duplicates: 0 }]);
    const whole = (await server.get<Campaign>(path)).body;
    expect(whole.import).toMatchObject({ accepted: 160, rejected: 60, duplicates: 25 });

    // The plan reports the problems, and a strict start is refused because of them. Changing one member keeps the
    // others.
    type Plan = { warnings: { code: string }[]; samples: { greeting: string }[] };
    const plan = (await server.get<Plan>(`${path}/plan`)).body;
    expect(plan.warnings.map(({ code }) => code)).toEqual(["no_timezone", "no_account_timezone"]);
    expect(plan.samples[1]?.greeting).toMatch(/^Hello Person \d+, of Firm; \d+\?$/);
    const strictly = await server.post<string>(`${path}/start?strict=true`);
    expect([strictly.status, strictly.code]).toEqual([409, "preflight_warnings"]);
    await server.patch(path, { timezone: "America/Denver", retry_config: { max_attempts: 2 } });
    const patched = await server.patch<Campaign>(path, { retry_config: { retry_interval_minutes: 0 } });
    expect(patched.body.retry_config).toEqual({
      max_attempts: 2,
      retry_interval_minutes: 0,
      retry_on: ["busy", "no_answer"],
    });

    // One number was wrong, and one person must not be called.
    const found = async (text: string) => {
      const page = await server.get<{ contacts: Contact[] }>(`${path}/contacts?search=${encodeURIComponent(text)}`);
      const [contact, ...others] = page.body.contacts;
      expect(others).toEqual([]);
      return contact?.id;
    };
    const corrected = await server.patch<Contact>(`${path}/contacts/${await found("Person 127")}`, {
      phone_number: "+1 303 557 0110",
      variables: { Firm: "Corrected & Sons" },
    });
    expect(corrected.body.phone_number).toBe("+13035570110");
    expect((await server.post(`${path}/contacts/${await found("Person 128")}/cancel`)).status).toBe(200);

    expect((await server.post(`${path}/start?strict=true`)).status).toBe(200);
    const over = await until(
      () => server.get<Campaign>(path),
      ({ body }) => body.status === "completed",
    );
    // Numbers that end in 01 are busy: one in ten of the 145 contacts whose number was in the list.
    expect(over.body.counts).toMatchObject({ pending: 0, completed: 145, failed: 14, cancelled: 1 });

    // Contacts that were busy both times are called once more.
    expect((await server.post(`${path}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 14 });
    expect((await server.get<Campaign>(path)).body.status).toBe("paused");
    expect((await server.post(`${path}/resume`)).status).toBe(200);
    await until(
      () => server.get<Campaign>(path),
      ({ body }) => body.status === "completed",
    );
    const busy = await server.get<{ contacts: Contact[]; total: number }>(`${path}/contacts?outcome=busy`);
    expect(busy.body.total).toBe(14);
    expect(new Set(busy.body.contacts.map(({ attempt_count }) => attempt_count))).toEqual(new Set([3]));

    // Clones them into a campaign for next week.
    const clone = await server.post<Campaign>(`${path}/clone`, { name: "Second round", contacts: ["busy"] });
    expect(clone.body).toMatchObject({ name: "Second round", status: "draft", total_contacts: 14, from_number });

    // In the spreadsheet's file numbers and line breaks are unchanged, and formulas are text.
    const rows = await download(server, `${path}/export`);
    expect(rows).toHaveLength(160);
    const of = (name: string) => rows.find(({ Name }) => Name === name);
    expect(of("Person 127")).toMatchObject({
      phone_number: "+13035570110",
      outcome: "answered",
      Firm: "Corrected & Sons",
    });
    expect(of("Person 128")).toMatchObject({ status: "cancelled" });
    expect(of("Person 14")?.Firm).toBe('\'=HYPERLINK("http://evil.example","14")');
    expect(of("Person 15")?.Note).toBe("calls back\nafter six, he said");
  });
});
