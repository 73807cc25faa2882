import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { chain } from "../../src/campaign/store/log.ts";
import { setQuotas, use } from "../account/quotas/support.ts";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import {
  append,
  type Campaign,
  type Contact,
  contactsCsv,
  heldAppend,
  isOver,
  ready,
  started,
  until,
  upload,
  watch,
} from "./support.ts";

const HEADER = "phone_number,name\n";
const ADA = "+12025550110,Ada\n";
const BOB = "+12025550111,Bob\n";
const EVE = "+12025550112,Eve\n";

const pathOf = ({ body }: Answer<Campaign>) => `/api/v1/campaigns/${body.id}`;
const record = async (client: Client, path: string) => (await client.get<Campaign>(path)).body;
const contactsOf = async (client: Client, path: string) =>
  (await client.get<{ contacts: Contact[]; total: number }>(`${path}/contacts?limit=1000`)).body;
const numbersOf = async (client: Client, path: string) =>
  (await contactsOf(client, path)).contacts.map(({ phone_number }) => phone_number);
const rows = async (client: Client, path: string) =>
  Papa.parse<string[]>((await client.get<string>(path)).body, { newline: "\r\n", skipEmptyLines: true }).data;

describe("contacts added to a campaign", () => {
  it("added contacts are dialed with the others and appear in record, history and events", async () => {
    const who = await tenant();
    const { server } = who;
    const scheduled_at = "2099-01-01T00:00:00Z";
    const path = await started({ ...who, ...(await ready(who)) }, HEADER + ADA, { scheduled_at });
    await server.post(`${path}/pause`);
    const answer = await append(server, path, HEADER + BOB + ADA + EVE);
    expect([answer.status, answer.body]).toEqual([200, { accepted: 2, rejected: 0, duplicates: 1 }]);
    const after = await record(server, path);
    expect(after).toMatchObject({
      status: "paused",
      total_contacts: 3,
      counts: { pending: 3 },
      import: { accepted: 3, rejected: 0, duplicates: 1 },
    });
    await until(
      async () => (await server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body.campaigns,
      ([listed]) => listed?.total_contacts === 3,
    );
    await server.patch(path, { scheduled_at: null });
    await server.post(`${path}/resume`);
    const events = await watch(server, after.id, isOver);
    const added = events.find(({ data }) => data.reason === "contacts_added");
    expect(added).toMatchObject({ event: "campaign", data: { status: "paused", counts: { pending: 3 } } });
    expect((await contactsOf(server, path)).contacts.map(({ outcome }) => outcome)).toEqual(Array(3).fill("answered"));
    const history = (await server.get<string>(`${path}/history`)).body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(history.filter(({ entry }) => entry.includes("contacts_added"))).toMatchObject([
      { entry: expect.arrayContaining(["campaign", "paused", "2"]) },
    ]);
    expect(history.map(({ entry }) => entry[0])).toEqual(history.map((_, i) => i + 1));
    type Audits = { entries: { action: string; resource_id: string }[] };
    const { entries } = (await server.get<Audits>("/api/v1/audit-log?action=add_contacts")).body;
    expect(entries).toMatchObject([{ action: "add_contacts", resource_id: after.id }]);
  });

  it("may add columns, empty for older contacts, and may lack columns, which stay empty", async () => {
    const { server } = await tenant();
    const path = pathOf(await upload(server, "phone_number,name,city\n+12025550110,Ada,London\n"));
    expect((await append(server, path, "City,note,Mobile,timezone\nParis,=1,+12025550111,Europe/Paris\n")).status).toBe(
      200,
    );
    expect((await append(server, path, "phone,NAME\n+12025550112,Eve\n")).status).toBe(200);
    const { contacts } = await contactsOf(server, path);
    expect(contacts.map(({ variables }) => variables)).toEqual([
      { name: "Ada", city: "London", note: "", timezone: "" },
      { name: "", city: "Paris", note: "=1", timezone: "Europe/Paris" },
      { name: "Eve", city: "", note: "", timezone: "" },
    ]);
    const [head, ada] = await rows(server, `${path}/export`);
    expect([head?.slice(-4), ada?.slice(-4)]).toEqual([
      ["name", "city", "note", "timezone"],
      ["Ada", "London", "", ""],
    ]);
  });

  it("added contacts are read with a default_country sent after the file, and skipped if invalid", async () => {
    const { server } = await tenant();
    const path = pathOf(await upload(server, HEADER + ADA));
    const options = { default_country: "US", on_invalid: "skip" };
    const answer = await append(server, path, `${HEADER}(202) 555-0111,Bob\nx,Y\n202-555-0110,Ada again\n`, options);
    expect(answer.body).toEqual({ accepted: 1, rejected: 1, duplicates: 1 });
    expect(await numbersOf(server, path)).toEqual(["+12025550110", "+12025550111"]);
  });

  it("list skipped rows after those of earlier uploads, each with its upload", async () => {
    const { server } = await tenant();
    const first = `Phone,name\n+12025550110,Ada\nx,Xaver\n+12025550110,Ada 2\n`;
    const path = pathOf(await upload(server, first, { on_invalid: "skip" }));
    expect(await rows(server, `${path}/rejects`)).toEqual([
      ["Phone", "name", "_line", "_reason"],
      ["x", "Xaver", "3", 'phone_number "x" is not a phone number'],
    ]);
    const second = `note,phone_number\nhi,+12025550110\nho,y\n1,+12025550111\n2,+12025550111,extra,"more, cells"\n3,+1 202 5550111\n`;
    expect((await append(server, path, second, { on_invalid: "skip" })).body).toEqual({
      accepted: 1,
      rejected: 2,
      duplicates: 2,
    });
    expect(await rows(server, `${path}/rejects`)).toEqual([
      ["phone_number", "name", "note", "_extra_1", "_extra_2", "_upload", "_line", "_reason"],
      ["x", "Xaver", "", "", "", "1", "3", 'phone_number "x" is not a phone number'],
      ["y", "", "ho", "", "", "2", "3", 'phone_number "y" is not a phone number'],
      ["+12025550111", "", "2", "extra", "more, cells", "2", "5", "has 4 fields, but the header has 2"],
    ]);
    expect(await rows(server, `${path}/duplicates`)).toEqual([
      ["phone_number", "name", "note", "_upload", "_line", "_first_upload", "_first_line"],
      ["+12025550110", "Ada 2", "", "1", "4", "1", "2"],
      ["+12025550110", "", "hi", "2", "2", "1", "2"],
      ["+1 202 5550111", "", "3", "2", "6", "2", "4"],
    ]);
  });

  it("added contacts count only towards the quota of concurrent uploads", async () => {
    const who = await tenant({ quotas: { open_campaigns: 1 } });
    const path = pathOf(await upload(who.server, HEADER + ADA));
    expect((await append(who.server, path, HEADER + BOB)).status).toBe(200);
    expect(await use(who, "uploads")).toMatchObject({ used: 0 });
    expect(await use(who, "open_campaigns")).toEqual({ limit: 1, used: 1 });
  });
});

describe("contacts being added to a campaign", () => {
  it("contacts being added are invisible until the upload is complete", async () => {
    const who = await tenant();
    const { server } = who;
    const path = pathOf(await upload(server, HEADER + ADA, await ready(who)));
    const before = await record(server, path);
    const files = ["export", "rejects", "duplicates", "history"];
    const downloads = () => Promise.all(files.map(async (file) => (await server.get<string>(`${path}/${file}`)).body));
    const waiting = async () => (await server.get<{ waiting: unknown }>(`${path}/plan`)).body.waiting;
    const shown = [await contactsOf(server, path), await downloads(), await waiting()];
    const { finish } = await heldAppend(
      server,
      path,
      `${HEADER}${"x,bad\n"}${"+12025550110,Ada\n"}${contactsCsv(40_000).slice(HEADER.length)}`,
      EVE,
    );
    await until(
      () => stored(who.account, before.id),
      (n) => n > 1_000,
    );
    expect([await contactsOf(server, path), await downloads(), await waiting()]).toEqual(shown);
    const { updated_at, ...rest } = before;
    expect(await record(server, path)).toMatchObject(rest);
    for (const operation of ["start", "stop"]) {
      const { status, code } = await server.post(`${path}/${operation}`);
      expect([status, code]).toEqual([409, "importing"]);
    }
    const other = await append(server, path, HEADER + BOB);
    expect([other.status, other.code]).toEqual([409, "importing"]);
    expect(await use(who, "uploads")).toMatchObject({ used: 1 });
    const answer = await finish();
    expect([answer.status, answer.body]).toEqual([200, { accepted: 40_001, rejected: 1, duplicates: 1 }]);
    expect((await record(server, path)).counts.pending).toBe(40_002);
    expect((await server.post(`${path}/start`)).status).toBe(200);
    await server.post(`${path}/stop`);
  });

  it("contacts being added are refused with campaign_deleted if the campaign is deleted meanwhile", async () => {
    const { server } = await tenant();
    const path = pathOf(await upload(server, HEADER + ADA));
    const { finish } = await heldAppend(server, path, HEADER + contactsCsv(30_000).slice(HEADER.length), EVE);
    expect((await server.delete(path)).status).toBe(204);
    const answer = await finish();
    expect([answer.status, answer.code]).toEqual([409, "campaign_deleted"]);
    expect((await server.get(path)).status).toBe(404);
  });
});

describe("an invalid append of contacts", () => {
  it.each<[string, string | Blob, Record<string, string>, RegExp]>([
    ["a bad line", `${HEADER}${BOB}x,Y\n,Z\n`, {}, /^line 3: .*; line 4: .* \(invalid lines in total: 2\)$/],
    ["no column of numbers", "name,city\nAda,London\n", {}, /its columns are name, city/],
    ["a header alone", HEADER, {}, /no contacts/],
    ["bad lines alone", `${HEADER}x,Y\n`, { on_invalid: "skip" }, /line 2/],
    ["an unknown country", HEADER + BOB, { default_country: "XX" }, /default_country/],
    ["bytes that are not text", new Blob([HEADER, BOB, new Uint8Array([0xff])]), {}, /UTF-8/],
    [
      "too many columns together",
      `phone_number,${Array.from({ length: 199 }, (_, i) => `c${i}`)}\n+12025550111\n`,
      {},
      /201 columns; the maximum is 200/,
    ],
  ])("an append is refused with %s, and leaves nothing behind", async (_, csv, options, message) => {
    const who = await tenant();
    const { server } = who;
    const path = pathOf(await upload(server, `${HEADER}${ADA}y,bad\n`, { on_invalid: "skip" }));
    const state = async () => {
      const { updated_at, ...rest } = await record(server, path);
      const files = await Promise.all(
        ["rejects", "duplicates", "history"].map((file) => server.get(`${path}/${file}`)),
      );
      return [rest, await contactsOf(server, path), files.map(({ body }) => body)];
    };
    const before = await state();
    const answer = await append(server, path, csv, options);
    expect([answer.status, answer.code]).toEqual([400, "invalid_csv"]);
    expect(answer.body).toMatch(message);
    expect(await state()).toEqual(before);
    expect(await stored(who.account, String((before[0] as Campaign).id))).toBe(1);
    expect((await append(server, path, HEADER + BOB)).body).toEqual({ accepted: 1, rejected: 0, duplicates: 0 });
  });

  it("adding contacts is refused while the campaign runs, when it is over, or over the upload quota", async () => {
    const who = await tenant();
    const { server, account } = who;
    const scheduled_at = "2099-01-01T00:00:00Z";
    const path = await started({ ...who, ...(await ready(who)) }, HEADER + ADA, { scheduled_at });
    const refusal = async () => {
      const { status, code, body } = await append(server, path, HEADER + BOB);
      return [status, code, body];
    };
    expect(await refusal()).toEqual([409, "wrong_state", expect.stringMatching(/running; pause it first/)]);
    await server.post(`${path}/pause`);
    await setQuotas(account, { uploads: 0 });
    expect(await refusal()).toEqual([429, "quota_exceeded", "the account's quota of 0 uploads is reached"]);
    await setQuotas(account, { uploads: null });
    await server.post(`${path}/stop`);
    expect(await refusal()).toEqual([409, "wrong_state", expect.stringMatching(/stopped/)]);
    expect(await numbersOf(server, path)).toEqual(["+12025550110"]);
    const missing = "/api/v1/campaigns/0190b1a0-0000-7000-8000-000000000000";
    expect((await append(server, missing, HEADER + BOB)).status).toBe(404);
  });

  it("a list that would exceed a million contacts is refused", async () => {
    const { server, account } = await tenant();
    const created = await upload(server, HEADER + ADA);
    const path = pathOf(created);
    await within(account, created.body.id, ({ sql }) => sql.exec("UPDATE campaign SET accepted = 999999"));
    await evict(env.CAMPAIGN.getByName(`${account}/${created.body.id}`));
    const over = await append(server, path, HEADER + BOB + ADA + EVE);
    expect([over.status, over.code]).toEqual([400, "too_many_contacts"]);
    expect(over.body).toMatch(/at most 1,000,000 contacts/);
    expect((await append(server, path, HEADER + BOB + ADA)).body).toMatchObject({ accepted: 1, duplicates: 1 });
    expect((await record(server, path)).total_contacts).toBe(1_000_000);
  });
});

describe("the history of a campaign with added contacts", () => {
  it("the history of a campaign with added contacts is one hash chain", async () => {
    const { server, account } = await tenant();
    const created = await upload(server, HEADER + ADA);
    await append(server, pathOf(created), HEADER + BOB);
    type Row = Parameters<typeof chain>[1] & { hash: string };
    const log = await within(account, created.body.id, ({ sql }) =>
      sql.exec<Row>("SELECT log.*, phone FROM log LEFT JOIN contacts ON contacts.id = contact ORDER BY seq").toArray(),
    );
    let previous = "";
    for (const row of log) {
      expect(row.hash).toBe(chain(previous, row));
      previous = row.hash;
    }
    expect(log.at(-1)).toMatchObject({ reason: "contacts_added", detail: "1" });
  });
});

const within = <R>(account: string, id: string, work: (storage: DurableObjectStorage) => R) =>
  runInDurableObject(env.CAMPAIGN.getByName(`${account}/${id}`), (_, { storage }) => work(storage));

/** Returns how many contacts the object has, including invisible ones. */
const stored = (account: string, id: string) =>
  within(account, id, ({ sql }) => sql.exec<{ n: number }>("SELECT count(*) n FROM contacts").one().n);
