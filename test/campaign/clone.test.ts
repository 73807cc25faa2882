import { describe, expect, it } from "vitest";
import { operator, tenant } from "../support/client.ts";
import { broken } from "./chain.ts";
import { report, withRinging } from "./held-calls.ts";
import {
  type Campaign,
  type Contact,
  contactOf,
  contactsCsv,
  isOver,
  ready,
  started,
  until,
  upload,
  watch,
} from "./support.ts";

const ENDINGS = `phone_number,name,timezone\n${["01", "02", "10"].map((n, i) => `+130320000${n},P${i},${i === 1 ? "Asia/Tokyo" : ""}`).join("\n")}\n`;
type Page = { contacts: Contact[]; total: number };

async function completed() {
  const who = await tenant();
  const line = await ready(who);
  const settings = {
    name: "Autumn",
    timezone: "Europe/Berlin",
    retry_config: JSON.stringify({ max_attempts: 2, retry_interval_minutes: 0 }),
  };
  const path = await started({ ...who, ...line }, ENDINGS, settings);
  await until(
    async () => (await who.server.get<Campaign>(path)).body,
    ({ status }) => status === "completed",
  );
  return { ...who, ...line, path };
}

describe("cloning a campaign", () => {
  it("creates a draft with the settings and fresh contacts, which runs independently", async () => {
    const { server, path, agent_id } = await completed();
    const original = (await server.get<Campaign>(path)).body;
    const { status, body } = await server.post<Campaign>(`${path}/clone`, { contacts: "all" });
    expect([status, body]).toMatchObject([
      201,
      { status: "draft", status_reason: null, name: "Autumn (copy)", total_contacts: 3 },
    ]);
    for (const field of ["agent_id", "from_number", "timezone", "schedule_config", "retry_config", "max_concurrency"])
      expect(body[field], field).toEqual(original[field]);
    expect(body.agent_id).toBe(agent_id);
    expect(body).toMatchObject({
      counts: { pending: 3 },
      import: { accepted: 3, rejected: 0, duplicates: 0 },
      started_at: null,
    });
    const copy = `/api/v1/campaigns/${body.id}`;
    const { contacts } = (await server.get<Page>(`${copy}/contacts`)).body;
    expect(
      contacts.map(({ phone_number, status, outcome, attempt_count, variables }) => [
        phone_number,
        status,
        outcome,
        attempt_count,
        variables.name,
        variables.timezone,
      ]),
    ).toEqual([
      ["+13032000001", "pending", null, 0, "P0", ""],
      ["+13032000002", "pending", null, 0, "P1", "Asia/Tokyo"],
      ["+13032000010", "pending", null, 0, "P2", ""],
    ]);
    const watching = watch(server, body.id, isOver);
    expect((await server.post(`${copy}/start`)).status).toBe(200);
    await watching;
    expect((await server.get<Campaign>(copy)).body.counts).toMatchObject({ failed: 2, completed: 1 });
    expect((await server.get<Campaign>(path)).body).toEqual(original);
    expect(broken((await server.get<string>(`${copy}/history`)).body)).toBe(null);
    type Entries = { entries: { resource_id: string; action: string }[] };
    const { entries } = await until(
      async () => (await server.get<Entries>("/api/v1/audit-log?action=clone")).body,
      ({ entries }) => entries.length === 1,
    );
    expect(entries).toMatchObject([{ resource_id: original.id }]);
  });

  it("copies the contacts with the named outcomes, or none", async () => {
    const { server, path } = await completed();
    const some = await server.post<Campaign>(`${path}/clone`, { contacts: ["busy", "answered"], name: "Again" });
    expect(some.body).toMatchObject({ name: "Again", total_contacts: 2 });
    const { contacts } = (await server.get<Page>(`/api/v1/campaigns/${some.body.id}/contacts`)).body;
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual(["+13032000001", "+13032000010"]);
    const none = await server.post<Campaign>(`${path}/clone`, { contacts: "none" });
    expect(none.body).toMatchObject({ status: "draft", total_contacts: 0, counts: { pending: 0 } });
    expect((await server.post<Campaign>(`${path}/clone`, { contacts: ["unknown"] })).body.total_contacts).toBe(0);
  });

  it("copies corrected numbers and new columns", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(2));
    const path = `/api/v1/campaigns/${body.id}`;
    const { id } = await contactOf(server, path, 1);
    await server.patch(`${path}/contacts/${id}`, { phone_number: "+13035559999", variables: { note: "VIP" } });
    const clone = await server.post<Campaign>(`${path}/clone`, { contacts: "all" });
    const copied = await contactOf(server, `/api/v1/campaigns/${clone.body.id}`, 1);
    expect(copied).toMatchObject({ phone_number: "+13035559999", variables: { name: "Person 1", note: "VIP" } });
  });

  it("leaves a deleted agent and number empty", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const { body } = await upload(who.server, contactsCsv(1), { agent_id, from_number });
    expect((await who.server.delete(`/api/v1/agents/${agent_id}`)).status).toBe(204);
    const clone = await who.server.post<Campaign>(`/api/v1/campaigns/${body.id}/clone`, { contacts: "all" });
    expect(clone.body).toMatchObject({ agent_id: null, from_number });
    expect((await who.server.post(`/api/v1/campaigns/${clone.body.id}/start`)).body).toBe(
      "set agent_id before you start the campaign",
    );
  });
});

/**
 * Creates a stopped campaign: the first contact answered, a user canceled the second, and the others were never called.
 */
async function stopped() {
  const who = await tenant();
  const settings = { max_concurrency: "1", calls_per_minute: "1" };
  const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(5), settings);
  await until(
    async () => (await who.server.get<Campaign>(path)).body,
    ({ counts }) => counts.completed === 1,
  );
  const { id } = await contactOf(who.server, path, 1);
  expect((await who.server.post(`${path}/contacts/${id}/cancel`)).status).toBe(200);
  expect((await who.server.post(`${path}/stop`)).status).toBe(200);
  return { ...who, path };
}

describe("contacts never called", () => {
  it("contacts never called are counted with the outcomes, without those a user canceled", async () => {
    const { server, path } = await stopped();
    expect((await server.get<Campaign>(path)).body.counts).toMatchObject({ completed: 1, cancelled: 4 });
    expect((await server.get(`${path}/outcomes`)).body).toEqual({
      outcomes: {
        answered: 1,
        busy: 0,
        no_answer: 0,
        failed: 0,
        rejected: 0,
        machine: 0,
        canceled: 0,
        do_not_call: 0,
        unknown: 0,
        not_called: 3,
      },
    });
  });

  it("contacts never called are copied into a new draft after a stop", async () => {
    const { server, path } = await stopped();
    const clone = await server.post<Campaign>(`${path}/clone`, { contacts: ["not_called", "busy"] });
    expect(clone.body).toMatchObject({ status: "draft", total_contacts: 3 });
    const { contacts } = (await server.get<Page>(`/api/v1/campaigns/${clone.body.id}/contacts`)).body;
    expect(contacts.map(({ variables }) => variables.name)).toEqual(["Person 2", "Person 3", "Person 4"]);
    const both = await server.post<Campaign>(`${path}/clone`, { contacts: ["answered", "not_called"] });
    expect(both.body.total_contacts).toBe(4);
  });

  it("all contacts of a draft are never called except those a user canceled", async () => {
    const { server } = await tenant();
    const path = `/api/v1/campaigns/${(await upload(server, contactsCsv(3))).body.id}`;
    const { id } = await contactOf(server, path, 0);
    await server.post(`${path}/contacts/${id}/cancel`);
    type Outcomes = { outcomes: Record<string, number> };
    expect((await server.get<Outcomes>(`${path}/outcomes`)).body.outcomes.not_called).toBe(2);
    await server.post(`${path}/stop`);
    expect((await server.get<Outcomes>(`${path}/outcomes`)).body.outcomes.not_called).toBe(2);
    expect((await server.post<Campaign>(`${path}/clone`, { contacts: ["not_called"] })).body.total_contacts).toBe(2);
  });

  it("exclude a contact on its first call", async () => {
    const who = await tenant();
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(2, "06"), { max_concurrency: "1" });
    await until(
      async () => (await who.server.get<Campaign>(path)).body.counts,
      ({ connected }) => connected === 1,
    );
    const { body } = await who.server.get<{ outcomes: Record<string, number> }>(`${path}/outcomes`);
    expect(body.outcomes).toMatchObject({ answered: 0, not_called: 1 });
    const clone = await who.server.post<Campaign>(`${path}/clone`, { contacts: ["not_called"] });
    expect(clone.body.total_contacts).toBe(1);
    await who.server.post(`${path}/stop`);
  });

  it.each([
    ["is on another call", 0],
    ["was cancelled by hand since", 60],
  ])("contacts never called don't include one that was called before and %s", async (_, retry_interval_minutes) => {
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes });
    const { who, path, callId } = await withRinging(1, { retry_config });
    await report(who, path, callId, { status: "busy", reason: "busy" });
    const { id } = await until(
      () => contactOf(who.server, path, 0),
      ({ outcome, attempts }) => outcome === "busy" && attempts.length === (retry_interval_minutes === 0 ? 2 : 1),
    );
    if (retry_interval_minutes > 0) expect((await who.server.post(`${path}/contacts/${id}/cancel`)).status).toBe(200);
    const { body } = await who.server.get<{ outcomes: Record<string, number> }>(`${path}/outcomes`);
    expect(body.outcomes).toMatchObject({ busy: 1, not_called: 0 });
    await who.server.post(`${path}/stop`);
  });
});

describe("a clone that can't be created", () => {
  it("counts no outcomes of an unknown campaign", async () => {
    const { server } = await tenant();
    const answer = await server.get("/api/v1/campaigns/01a1fed4-578b-71d4-a690-2952a9431c8a/outcomes");
    expect([answer.status, answer.body]).toEqual([404, "campaign not found"]);
  });

  it.each<[unknown]>([
    [{}],
    [{ contacts: "some" }],
    [{ contacts: [] }],
    [{ contacts: ["nonsense"] }],
    [{ contacts: "all", name: "" }],
  ])("a clone is refused for %j", async (body) => {
    const { server } = await tenant();
    const { id } = (await upload(server, contactsCsv(1))).body;
    expect((await server.post(`/api/v1/campaigns/${id}/clone`, body)).status).toBe(400);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(1);
  });

  it("a clone over the quota of open campaigns is refused and leaves nothing behind", async () => {
    const { server, account } = await tenant();
    const { id } = (await upload(server, contactsCsv(1))).body;
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { quotas: { open_campaigns: 1 } });
    const answer = await server.post(`/api/v1/campaigns/${id}/clone`, { contacts: "all" });
    expect([answer.status, answer.code]).toEqual([403, "quota_exceeded"]);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(1);
    type Quotas = { quotas: Record<string, { used: number }> };
    expect((await server.get<Quotas>("/api/v1/quotas")).body.quotas).toMatchObject({
      uploads: { used: 0 },
      open_campaigns: { used: 1 },
    });
  });
});
