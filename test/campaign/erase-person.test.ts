import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { ERASED_NUMBER } from "../../src/campaign/contact-id.ts";
import { campaignsToVisit } from "../../src/campaign/erasure.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { breakD1, repair } from "../support/broken-d1.ts";
import { breakEvents, eventsOf } from "../support/broken-objects.ts";
import { tenant } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import { broken } from "./chain.ts";
import { erase, leftovers, objectOf } from "./erasing.ts";
import { report, withRinging } from "./held-calls.ts";
import {
  append,
  type Campaign,
  type Contact,
  contactOf,
  contactsCsv,
  heldAppend,
  heldUpload,
  openStream,
  ready,
  started,
  until,
  upload,
  watch,
} from "./support.ts";

/** The person's number, which the sandbox answers. */
const NUMBER = "+13035550110";
const OTHER = "+13035550210";
const WRITTEN = "(303) 555-0110";
const CSV = [
  "phone_number,name,note",
  `${NUMBER},Ada,lives here`,
  `${OTHER},Grace,wife of ${WRITTEN}`,
  `${WRITTEN},Ada again,dup`,
  `+13035550310,Linus,"call\t303.555.0110, not me"`,
  `+13035550410,Barbara,x,${WRITTEN}`,
  `12,Edsger,his boss is 001 303 555 0110`,
].join("\n");

const pathOf = ({ body }: { body: { id: string } }) => `/api/v1/campaigns/${body.id}`;
const textOf = async (who: Awaited<ReturnType<typeof tenant>>, path: string) =>
  (await who.server.get<string>(path)).body;

/** Creates a campaign with the person in its list, in skipped rows, and in texts about others. */
async function listed(fields: Record<string, string> = {}) {
  const who = await tenant();
  const settings = { on_invalid: "skip", default_country: "US", name: `Ask ${WRITTEN}`, ...fields };
  const path = pathOf(await upload(who.server, CSV, settings));
  return { ...who, path, record: async () => (await who.server.get<Campaign>(path)).body };
}

/** Creates a paused campaign that called two people. The first one answered. */
async function called(people = 2) {
  const who = await tenant();
  const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(people));
  await until(
    async () => (await who.server.get<Campaign>(path)).body,
    ({ status }) => status === "completed",
  );
  const first = await contactOf(who.server, path);
  return { ...who, path, id: path.split("/").at(-1) ?? "", first };
}

afterEach(repair);

describe("erasing a person from a campaign", () => {
  it("removes the number everywhere: list, exports, skipped rows, name, and other contacts' columns", async () => {
    const who = await listed();
    const { server, path } = who;
    expect(await leftovers(who, path, NUMBER)).not.toEqual([]);
    const { counts, done } = await erase(who, path, [NUMBER]);
    expect(done).toBe(true);
    expect(counts).toMatchObject({ contacts: 1, contact_attempts: 0, import_rows: 3 });
    expect(await leftovers(who, path, NUMBER)).toEqual([]);
    for (const file of ["export", "rejects", "duplicates", "history"])
      expect((await textOf(who, `${path}/${file}`)).replace(/[^\d\n]/g, ""), file).not.toContain("3035550110");
    expect(await contactOf(server, path, 0)).toMatchObject({
      phone_number: "[PHONE]",
      status: "cancelled",
      variables: { name: "", note: "" },
      timezone: null,
      next_attempt_at: null,
    });
    const others = (await server.get<{ contacts: Contact[] }>(`${path}/contacts`)).body.contacts.slice(1);
    expect(others.map(({ phone_number, variables }) => [phone_number, variables])).toEqual([
      [OTHER, { name: "Grace", note: "wife of [PHONE]" }],
      ["+13035550310", { name: "Linus", note: "call\t[PHONE], not me" }],
    ]);
  });

  it("empties skipped rows of the person, and only masks those of others", async () => {
    const who = await listed();
    await erase(who, who.path, [NUMBER]);
    expect(await textOf(who, `${who.path}/duplicates`)).toContain("[PHONE],,,4,2");
    const rejects = (await textOf(who, `${who.path}/rejects`)).trim().split("\r\n");
    expect(rejects.find((row) => row.includes("Barbara"))).toContain("[PHONE]");
    expect(rejects.find((row) => row.includes("Edsger"))).toContain("his boss is [PHONE]");
  });

  it("keeps the campaign's counters, and lists it in D1 without the number", async () => {
    const who = await listed();
    const before = await who.record();
    await erase(who, who.path, [NUMBER]);
    const after = await who.record();
    expect(after.counts).toEqual({ ...before.counts, pending: 2, cancelled: 1 });
    expect([after.total_contacts, after.import]).toMatchObject([
      before.total_contacts,
      { accepted: before.import.accepted, rejected: before.import.rejected, duplicates: before.import.duplicates },
    ]);
    expect(after.name).toBe("Ask [PHONE]");
    for (const status of ["pending", "cancelled"]) {
      const { total } = (await who.server.get<{ total: number }>(`${who.path}/contacts?status=${status}`)).body;
      expect(total, status).toBe(after.counts[status]);
    }
    const { campaigns } = (await who.server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body;
    expect(campaigns).toEqual([after]);
  });

  it("rehashes the history from the person's first entry on, and records that with the erasure's ID", async () => {
    const who = await called();
    const { server, path, first } = who;
    const before = (await textOf(who, `${path}/history`)).trim().split("\n");
    const { counts, erasure } = await erase(who, path, [first.phone_number]);
    const history = await textOf(who, `${path}/history`);
    expect(broken(history)).toBe(null);
    expect(history).not.toContain(first.phone_number.slice(1));
    const after = history.trim().split("\n");
    expect(after).toHaveLength(before.length + 1);
    const from = before.findIndex((line) => line.includes(first.phone_number.slice(1)));
    expect(after.slice(0, from)).toEqual(before.slice(0, from));
    const entry = JSON.parse(after.at(-1) ?? "{}").entry;
    expect([entry[2], entry[9], entry[11]]).toEqual(["campaign", "history_rewritten", `${erasure}: ${from + 1}`]);
    expect(counts.history_entries).toBe(before.filter((line) => line.includes(first.phone_number.slice(1))).length);
    expect(await contactOf(server, path)).toMatchObject({
      phone_number: "[PHONE]",
      status: "completed",
      outcome: "answered",
      call_id: first.call_id,
      attempt_count: 1,
      conversation_id: null,
      disposition: null,
    });
  });

  it("masks the number in replayed streams, including events that were just sent", async () => {
    // More entries than a page of the stream, which is cached while a stream is open.
    const who = await called(40);
    const watching = await openStream(who.server, who.id, { "last-event-id": "0" });
    expect(await watching.until(/"status":"completed","reason/)).toContain(who.first.phone_number);
    await erase(who, who.path, [who.first.phone_number]);
    const replayed = await watch(who.server, who.id, ({ data }) => data.reason === "history_rewritten");
    await watching.leave();
    const numbers = replayed.flatMap(({ data }) => data.phone_number ?? []);
    expect(numbers).toContain("[PHONE]");
    expect(numbers).not.toContain(who.first.phone_number);
  });

  it("reports undelivered account events without the number", async () => {
    const who = await tenant();
    const settings = await ready(who);
    const events = await breakEvents(who.account);
    const path = await started({ ...who, ...settings }, contactsCsv(1));
    const { phone_number } = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "completed",
    );
    await erase(who, path, [phone_number]);
    await events.repair();
    const reported = await until(
      async () => (await eventsOf(who.account)).filter(({ type }) => type === "contact.completed"),
      (found) => found.length > 0,
    );
    expect(reported).toMatchObject([{ data: { phone_number: "[PHONE]" } }]);
  });

  it("erases a contact's earlier number and the calls to it, and keeps the contact", async () => {
    const who = await tenant();
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 600, retry_on: ["busy"] });
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(1, "01"), { retry_config });
    const { server } = who;
    await until(
      () => contactOf(server, path),
      ({ outcome, status }) => outcome === "busy" && status === "pending",
    );
    await server.post(`${path}/pause`);
    const { id } = await contactOf(server, path);
    await server.patch(`${path}/contacts/${id}`, { phone_number: OTHER, variables: { name: "B" } });
    const { counts } = await erase(who, path, ["+13034000001"]);
    expect(counts).toMatchObject({ contacts: 0, contact_attempts: 1 });
    expect(await leftovers(who, path, "+13034000001")).toEqual([]);
    expect(await contactOf(server, path)).toMatchObject({
      phone_number: OTHER,
      status: "pending",
      variables: { name: "B" },
    });
    expect(broken(await textOf(who, `${path}/history`))).toBe(null);
    const reported = await watch(
      server,
      path.split("/").at(-1) ?? "",
      ({ data }) => data.reason === "history_rewritten",
    );
    const numbers = reported.flatMap(({ data }) => data.phone_number ?? []);
    expect(new Set(numbers)).toEqual(new Set(["[PHONE]"]));
  });

  it("hangs up a live call first, so that it ends, and then erases the person", async () => {
    const { who, path, callId } = await withRinging(2);
    await report(who, path, callId, { status: "in-progress" });
    const { phone_number } = await contactOf(who.server, path);
    await until(
      async () => (await objectOf(who, path).erasePerson({ erasure: "e", numbers: [phone_number] })).done,
      (done) => done,
    );
    const contact = await contactOf(who.server, path);
    expect(contact).toMatchObject({ phone_number: "[PHONE]", attempts: [{ call_id: callId }] });
    expect(contact.attempts[0]?.ended_at).not.toBeNull();
    expect(await contactOf(who.server, path, 1)).toMatchObject({ status: "originated" });
    expect(await leftovers(who, path, phone_number)).toEqual([]);
  });

  it("counts nothing twice when repeated, also when a new process continues after any step", async () => {
    const who = await called();
    const numbers = [who.first.phone_number];
    const between = () => evict(objectOf(who, who.path));
    const { counts, erasure } = await erase(who, who.path, numbers, { between });
    expect((await erase(who, who.path, numbers, { erasure })).counts).toEqual(counts);
    const again = await erase(who, who.path, numbers);
    expect(Object.values(again.counts).every((n) => n === 0)).toBe(true);
    expect(broken(await textOf(who, `${who.path}/history`))).toBe(null);
  });

  it("does nothing if no contact has the number or there is no campaign", async () => {
    const who = await listed();
    const before = await textOf(who, `${who.path}/history`);
    const { counts } = await erase(who, who.path, ["+4930901820"]);
    expect(Object.values(counts).every((n) => n === 0)).toBe(true);
    expect(await textOf(who, `${who.path}/history`)).toBe(before);
    await erase(who, `/api/v1/campaigns/${crypto.randomUUID()}`, [NUMBER]);
  });
});

describe("a campaign after the erasure of a person", () => {
  it("does not call, redial, correct or copy the contact", async () => {
    const who = await tenant();
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(2, "01"));
    const { server } = who;
    const campaign = async () => (await server.get<Campaign>(path)).body;
    await until(campaign, ({ status }) => status === "completed");
    const { id, phone_number } = await contactOf(server, path);
    await erase(who, path, [phone_number]);
    type Choices = { outcomes: Record<string, number> };
    expect((await server.get<Choices>(`${path}/outcomes`)).body.outcomes).toMatchObject({ busy: 1, not_called: 0 });
    expect((await server.post(`${path}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 1 });
    expect((await contactOf(server, path)).status).toBe("failed");
    expect((await server.patch(`${path}/contacts/${id}`, { phone_number: OTHER })).status).toBe(409);
    expect((await server.post(`${path}/resume`)).status).toBe(200);
    await until(campaign, ({ status }) => status === "completed");
    expect([(await contactOf(server, path)).attempt_count, (await contactOf(server, path, 1)).attempt_count]).toEqual([
      1, 2,
    ]);
    const clone = await server.post<Campaign>(`${path}/clone`, { contacts: "all" });
    const cloned = async () => (await server.get<Campaign>(pathOf(clone))).body;
    await until(cloned, ({ status_reason }) => status_reason === null);
    expect((await cloned()).total_contacts).toBe(1);
  });

  it("finds no contact by the value of an erased number", async () => {
    const who = await listed();
    await erase(who, who.path, [NUMBER]);
    for (const query of [
      "search=%2B0",
      `search=0`,
      `phone_number=${encodeURIComponent(NUMBER)}`,
      "search=%2B13035550110",
    ]) {
      const { contacts } = (await who.server.get<{ contacts: Contact[] }>(`${who.path}/contacts?${query}`)).body;
      expect(
        contacts.map(({ phone_number }) => phone_number),
        query,
      ).not.toContain("[PHONE]");
    }
  });

  it("accepts the number again in a new upload", async () => {
    const who = await listed();
    await erase(who, who.path, [NUMBER]);
    const added = await append(who.server, who.path, `phone_number,name\n${NUMBER},Ada\n`);
    expect(added.body).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it("does not call again when a machine is reported late", async () => {
    const { who, path, callId } = await withRinging(2, {
      retry_config: JSON.stringify({ max_attempts: 3, retry_interval_minutes: 600, retry_on: ["machine"] }),
    });
    await report(who, path, callId, { status: "in-progress" });
    await report(who, path, callId, { status: "completed" });
    const { phone_number } = await contactOf(who.server, path);
    await erase(who, path, [phone_number]);
    await report(who, path, callId, { status: "in-progress", answered_by: "machine" });
    expect(await contactOf(who.server, path)).toMatchObject({ status: "completed", phone_number: "[PHONE]" });
  });

  it("keeps one complete history after two concurrent erasures", async () => {
    const who = await called();
    const second = await contactOf(who.server, who.path, 1);
    await Promise.all([
      erase(who, who.path, [who.first.phone_number], { limits: { steps: 1, rows: 1 } }),
      erase(who, who.path, [second.phone_number], { limits: { steps: 2, rows: 1 } }),
    ]);
    const history = await textOf(who, `${who.path}/history`);
    expect(broken(history)).toBe(null);
    expect(history).not.toMatch(/1303400/);
  });
});

describe("an erasure that must wait", () => {
  it("waits until an upload has been read", async () => {
    const who = await tenant();
    const held = heldUpload(who.server);
    const { campaigns } = await until(
      async () => (await who.server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body,
      ({ campaigns }) => campaigns.length === 1,
    );
    const path = `/api/v1/campaigns/${campaigns[0]?.id}`;
    const order = { erasure: "e", numbers: ["+12025550102"] };
    expect(await objectOf(who, path).erasePerson(order)).toMatchObject({ done: false, counts: { contacts: 0 } });
    await held.finish();
    expect((await erase(who, path, order.numbers, order)).counts.contacts).toBe(1);
    const appending = await heldAppend(who.server, path, "phone_number\n+12025550133\n", "+12025550134\n");
    const isAdding = (_: unknown, { storage }: DurableObjectState) =>
      storage.sql.exec("SELECT 1 FROM campaign WHERE append_after IS NOT NULL").toArray().length > 0;
    await until(
      () => runInDurableObject(objectOf(who, path), isAdding),
      (adding) => adding,
    );
    expect((await objectOf(who, path).erasePerson({ erasure: "f", numbers: ["+12025550134"] })).done).toBe(false);
    await appending.finish();
    expect((await erase(who, path, ["+12025550134"], { erasure: "f" })).counts.contacts).toBe(1);
  });

  it("does not finish before D1 lists the campaign without the number", async () => {
    const who = await listed();
    await breakD1(who.account, ["campaigns"]);
    const order = { erasure: "e", numbers: [NUMBER] };
    await expect(objectOf(who, who.path).erasePerson(order)).rejects.toThrow();
    expect(await leftovers(who, who.path, NUMBER)).toEqual([]);
    await repair();
    await erase(who, who.path, order.numbers, order);
    const { campaigns } = (await who.server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body;
    expect(campaigns[0]?.name).toBe("Ask [PHONE]");
  });

  it("refuses the history while it is rehashed, instead of returning an inconsistent chain", async () => {
    const who = await called();
    const order = { erasure: "e", numbers: [who.first.phone_number], limits: { steps: 1, rows: 2 } };
    expect((await objectOf(who, who.path).erasePerson(order)).done).toBe(false);
    const refused = await who.server.get(`${who.path}/history`);
    const retryAfter = refused.headers.get("retry-after");
    expect([refused.status, refused.code, retryAfter]).toEqual([503, "history_being_rewritten", "5"]);
    const { entries } = (
      await who.server.get<{ entries: { action: string }[] }>("/api/v1/audit-log?action=export_history")
    ).body;
    expect(entries).toEqual([]);
    await erase(who, who.path, order.numbers, order);
    expect(broken(await textOf(who, `${who.path}/history`))).toBe(null);
  });

  it("cuts off a download of the history in progress", async () => {
    const who = await called();
    const stream = await objectOf(who, who.path).download("history", null);
    await erase(who, who.path, [who.first.phone_number]);
    await expect(new Response(stream).text()).rejects.toThrow();
  });
});

describe("the security of an erasure from a campaign", () => {
  it("leaves no hash that could be used to guess the number", async () => {
    const who = await called();
    await erase(who, who.path, [who.first.phone_number]);
    const rows = await runInDurableObject(objectOf(who, who.path), (_, { storage }) =>
      storage.sql.exec<{ phone: number }>("SELECT phone FROM contacts ORDER BY id").toArray(),
    );
    expect(rows.map(({ phone }) => phone)).toEqual([ERASED_NUMBER, 13034000110]);
    const lines = (await textOf(who, `${who.path}/history`)).trim().split("\n");
    const tried = lines.map((line) => JSON.parse(line)).filter(({ entry }) => entry[4] === 1);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.every(({ entry }) => entry[12] === null)).toBe(true);
  });

  it("affects only this account's campaign", async () => {
    const [one, two] = [await listed(), await listed()];
    await erase({ account: two.account }, one.path, [NUMBER]);
    await erase(two, two.path, [NUMBER]);
    expect((await contactOf(one.server, one.path)).phone_number).toBe(NUMBER);
  });

  it("visits every campaign of the account, in any status and also recently deleted ones, and no other account's", async () => {
    const [who, stranger] = [await called(), await listed()];
    const draft = pathOf(await upload(who.server, contactsCsv(1)));
    const gone = pathOf(await upload(who.server, contactsCsv(1)));
    expect((await who.server.delete(gone)).status).toBe(204);
    const store = accountStore(env, who.account, { actor: "test", request_id: "" });
    const ids = [who.path, draft, gone].map((path) => path.split("/").at(-1) ?? "").sort();
    expect(await campaignsToVisit(store, "", 100, Date.now())).toEqual(ids);
    expect(await campaignsToVisit(store, "", 2, Date.now())).toEqual(ids.slice(0, 2));
    expect(await campaignsToVisit(store, ids[1] ?? "", 2, Date.now())).toEqual(ids.slice(2));
    expect(ids).not.toContain(stranger.path.split("/").at(-1));
  });
});
