import { describe, expect, it } from "vitest";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { broken } from "./chain.ts";
import {
  type Campaign,
  type Contact,
  contactOf,
  contactsCsv,
  heldUpload,
  isOver,
  ready,
  started,
  until,
  upload,
  watch,
} from "./support.ts";

const CSV = "phone_number,name,city,timezone\n+13035550110,Ada,Berlin,\n+13035550210,Grace,Lisbon,Europe/Lisbon\n";
/** No contact is dialed before then. */
const LATER = { scheduled_at: "2099-01-01T00:00:00Z" };

async function drafted(csv = CSV) {
  const who = await tenant();
  const { body } = await upload(who.server, csv, await ready(who));
  const path = `/api/v1/campaigns/${body.id}`;
  return { ...who, id: body.id, path };
}

async function patch(server: Client, path: string, place: number, body: unknown): Promise<Answer<Contact>> {
  return server.patch<Contact>(`${path}/contacts/${(await contactOf(server, path, place)).id}`, body);
}

describe("correcting a contact", () => {
  it("normalizes the new number as an upload does, and calls it", async () => {
    const { server, path, id } = await drafted(contactsCsv(2, "01"));
    const answer = await patch(server, path, 0, { phone_number: "00 1 (303) 555-9901" });
    expect([answer.status, answer.body.phone_number]).toEqual([200, "+13035559901"]);
    const watching = watch(server, id, isOver);
    await server.post(`${path}/start`);
    const dialled = (await watching).filter(({ event }) => event === "originated").map(({ data }) => data.phone_number);
    expect(dialled.sort()).toEqual(["+13034000101", "+13035559901"]);
  });

  it("merges variables: omitted ones stay, null empties one, a new name adds a column for all contacts", async () => {
    const { server, path } = await drafted();
    const answer = await patch(server, path, 0, { variables: { name: "Ada L.", city: null, note: "VIP", gone: null } });
    expect(answer.body.variables).toEqual({ name: "Ada L.", city: "", timezone: "", note: "VIP" });
    expect((await contactOf(server, path, 1)).variables).toEqual({
      name: "Grace",
      city: "Lisbon",
      timezone: "Europe/Lisbon",
      note: "",
    });
    const csv = (await server.get<string>(`${path}/export`)).body.split("\r\n");
    expect(csv[0]).toMatch(/,name,city,timezone,note$/);
    expect(csv[2]).toMatch(/,Grace,Lisbon,Europe\/Lisbon,$/);
  });

  it("moves a contact to the time zone in its timezone column", async () => {
    const { server, path } = await drafted();
    await server.patch(path, {
      schedule_config: [{ days: [1, 2, 3, 4, 5, 6, 7], start: "00:00", end: "00:01" }],
      timezone: "UTC",
    });
    const answer = await patch(server, path, 0, { variables: { timezone: "Asia/Tokyo" } });
    expect(answer).toMatchObject({ status: 200, body: { timezone: "Asia/Tokyo" } });
    expect((await server.post(`${path}/start`)).status).toBe(200);
    expect((await contactOf(server, path, 0)).waiting_for).toContain("Asia/Tokyo");
    expect((await contactOf(server, path, 1)).waiting_for).toContain("Europe/Lisbon");
  });

  it("changes nothing when the values are the same", async () => {
    const { server, path } = await drafted();
    const { updated_at } = (await server.get<Campaign>(path)).body;
    const same = await patch(server, path, 0, { phone_number: "+13035550110" });
    expect([same.status, (await server.get<Campaign>(path)).body.updated_at]).toEqual([200, updated_at]);
  });

  it("a correction is recorded by field names, and earlier calls and entries keep their number", async () => {
    const who = await tenant();
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 600, retry_on: ["busy"] });
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(1, "01"), { retry_config });
    const { server } = who;
    await until(
      () => contactOf(server, path),
      ({ outcome, status }) => outcome === "busy" && status === "pending",
    );
    expect((await server.post(`${path}/pause`)).status).toBe(200);
    const answer = await patch(server, path, 0, { phone_number: "+13035559902", variables: { name: "B" } });
    expect(answer.body).toMatchObject({ phone_number: "+13035559902", attempt_count: 1 });
    const id = path.split("/").at(-1) ?? "";
    const again = await patch(server, path, 0, { phone_number: "+13035559903" });
    expect(again.status).toBe(200);
    const history = (await server.get<string>(`${path}/history`)).body;
    expect(broken(history)).toBe(null);
    expect(history).toMatch(/contact_corrected.*phone_number,name/);
    expect(history).not.toContain("13035559902");
    const events = await watch(server, id, ({ data }) => data.reason === "contact_corrected");
    expect(events.filter(({ data }) => data.contact_id).map(({ data }) => data.phone_number)).toEqual([
      "+13034000001",
      "+13034000001",
    ]);
    type Calls = { calls: { to_number: string; variables: unknown }[] };
    const { calls } = await until(
      async () => (await server.get<Calls>(`/api/v1/calls?campaign_id=${id}`)).body,
      ({ calls }) => calls.length > 0,
    );
    expect(calls).toMatchObject([{ to_number: "+13034000001", variables: { name: "Person 0" } }]);
    type Entries = { entries: { action: string; changes: unknown }[] };
    const { entries } = await until(
      async () => (await server.get<Entries>("/api/v1/audit-log?action=correct_contact")).body,
      ({ entries }) => entries.length === 2,
    );
    expect(entries.map(({ changes }) => changes)).toEqual([
      { phone_number: null },
      { phone_number: null, variables: null },
    ]);
  });
});

describe("an invalid correction of a contact", () => {
  it("a correction to a number that another contact has is refused, naming that contact", async () => {
    const { server, path } = await drafted();
    const other = await contactOf(server, path, 1);
    const answer = await patch(server, path, 0, { phone_number: "+1 303 555 0210", variables: { name: "lost" } });
    expect([answer.status, answer.code]).toEqual([400, "duplicate_number"]);
    expect(answer.body).toContain(other.id);
    expect((await contactOf(server, path, 0)).variables.name).toBe("Ada");
  });

  it.each<[string, unknown, RegExp]>([
    [
      "a number without its country",
      { phone_number: "303 555 0100" },
      /^phone_number: must be a valid phone number with its country code/,
    ],
    ["a variable that is not a string", { variables: { name: 7 } }, /^variables.name: /],
    ["variables that are not an object", { variables: ["a"] }, /^variables: must be an object/],
    ["a column's name in another case", { variables: { Name: "x" } }, /the column is called name/],
    [
      "the number as a variable",
      { variables: { "Phone Number": "+13035550111" } },
      /use phone_number to change the number/,
    ],
    ["a name of blanks", { variables: { " ": "x" } }, /is not a valid column name/],
    ["an unknown time zone", { variables: { timezone: "Mars/Base" } }, /IANA time zone/],
    [
      "too many columns",
      { variables: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${i}`, "x"])) },
      /at most 200 columns/,
    ],
    ["too much text", { variables: { a: "x".repeat(40_000), b: "x".repeat(40_000) } }, /more than 65536 characters/],
  ])("a correction with %s is refused and changes nothing", async (_, body, words) => {
    const { server, path } = await drafted();
    const before = await contactOf(server, path);
    const answer = await patch(server, path, 0, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(words);
    expect(await contactOf(server, path)).toEqual(before);
  });

  it("a correction is refused while the campaign runs, once it is over, and for a contact that is not pending", async () => {
    const who = await tenant();
    const { server } = who;
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(2), LATER);
    const running = await patch(server, path, 0, { variables: { name: "x" } });
    expect([running.status, running.code, running.body]).toEqual([
      409,
      "wrong_state",
      expect.stringContaining("pause it first"),
    ]);
    await server.post(`${path}/pause`);
    await server.post(`${path}/contacts/${(await contactOf(server, path, 1)).id}/cancel`);
    expect((await patch(server, path, 1, { variables: { name: "x" } })).body).toContain("cancelled");
    await server.post(`${path}/stop`);
    expect((await patch(server, path, 0, { variables: { name: "x" } })).status).toBe(409);
  });

  it("a correction answers 404 for another campaign's contact and while the upload is being read", async () => {
    const { server, path } = await drafted();
    const other = await upload(server, contactsCsv(1));
    const { id } = await contactOf(server, `/api/v1/campaigns/${other.body.id}`);
    expect((await server.patch(`${path}/contacts/${id}`, { variables: {} })).code).toBe("not_found");
    expect((await server.post(`${path}/contacts/${id}/cancel`)).code).toBe("not_found");
  });
});

describe("an upload that is being read", () => {
  it("prevents a redial and a clone", async () => {
    const { server } = await tenant();
    const held = heldUpload(server);
    type List = { campaigns: Campaign[] };
    const [campaign] = (
      await until(
        async () => (await server.get<List>("/api/v1/campaigns")).body,
        ({ campaigns }) => campaigns.length === 1,
      )
    ).campaigns;
    const path = `/api/v1/campaigns/${campaign?.id}`;
    expect((await server.post(`${path}/redial`, { outcomes: ["busy"] })).code).toBe("importing");
    expect((await server.post(`${path}/clone`, { contacts: "all" })).code).toBe("importing");
    expect((await server.get(`${path}/contacts?search=x`)).status).toBe(200);
    expect((await server.get(`${path}/contacts?phone_number=%2B12025550101`)).status).toBe(200);
    expect((await held.finish()).status).toBe(201);
  });
});
