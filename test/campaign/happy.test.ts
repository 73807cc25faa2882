import { describe, expect, it } from "vitest";
import { call, tenant } from "../support/client.ts";
import { type Campaign, contactsCsv, isOver, ready, upload, watch } from "./support.ts";

describe("a campaign", () => {
  /** One contact for each outcome in the sandbox, by the last two digits. */
  const endings = ["10", "01", "02", "03", "04", "05", "07"];
  const csvOfEndings = `phone_number,name\n${endings.map((n, i) => `+130320000${n},"Person, ${i}"`).join("\n")}\n`;

  /** Runs a campaign with all outcomes to its end and returns the events that a user received during the run. */
  async function completed() {
    const who = await tenant();
    const created = await upload(who.server, csvOfEndings, { ...(await ready(who)), name: "Autumn" });
    const { id } = created.body;
    const path = `/api/v1/campaigns/${id}`;
    const watching = watch(who.user, id, isOver);
    const started = await who.server.post<Campaign>(`${path}/start`);
    return { ...who, id, path, created, started, events: await watching };
  }

  it("a campaign is a draft after the upload, runs once started, and completes", async () => {
    const { server, path, created, started } = await completed();
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: "Autumn", status: "draft", total_contacts: 7, import: { accepted: 7 } });
    expect(started.body.status).toBe("running");
    const done = (await server.get<Campaign>(path)).body;
    expect(done).toMatchObject({ status: "completed", counts: { pending: 0, completed: 2, failed: 5 } });
    // The list learns of the end a moment after the campaign and its stream.
    const listed = async () => (await server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body.campaigns;
    await expect.poll(listed).toEqual([done]);
  });

  it("streams every event from a snapshot on, without a gap", async () => {
    const { events } = await completed();
    expect(events[0]?.event).toBe("snapshot");
    const seqs = events.slice(1).map(({ id }) => Number(id));
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
  });

  it("shows each contact's outcome and variables", async () => {
    const who = await completed();
    const { path } = who;
    const { contacts } = (await who.server.get<{ contacts: Record<string, unknown>[] }>(`${path}/contacts`)).body;
    const outcomes = Object.fromEntries(
      contacts.map((contact) => [String(contact.phone_number).slice(-2), contact.outcome]),
    );
    expect(outcomes).toEqual({
      "10": "answered",
      "01": "busy",
      "02": "no_answer",
      "03": "failed",
      "04": "rejected",
      "05": "machine",
      "07": "answered",
    });
    expect(contacts[0]).toMatchObject({ attempt_count: 1, variables: { name: "Person, 0" } });
  });

  it("lists a call for each contact, and frees every slot", async () => {
    const { server, id } = await completed();
    expect((await server.get<{ total: number }>(`/api/v1/calls?campaign_id=${id}`)).body.total).toBe(7);
    const limits = await server.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
    expect(limits.body.concurrent_calls.used).toBe(0);
  });

  it("resumes a stream where it was interrupted", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(5, "01"), await ready(who));
    await who.server.post(`/api/v1/campaigns/${created.body.id}/start`);
    const all = await watch(who.server, created.body.id, isOver, { "last-event-id": "0" });
    const ids = all.slice(1).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    const middle = ids[Math.floor(ids.length / 2)] ?? 0;
    const rest = await watch(who.server, created.body.id, isOver, { "last-event-id": String(middle) });
    expect(rest.slice(1).map(({ id }) => Number(id))).toEqual(ids.filter((id) => id > middle));
    const fresh = await watch(who.server, created.body.id, () => true, {});
    expect(fresh[0]).toMatchObject({ id: String(ids.at(-1)), data: { status: "completed" } });
  });

  it("retries by outcome, through pending and never through failed", async () => {
    const who = await tenant();
    const retry_config = JSON.stringify({ max_attempts: 3, retry_interval_minutes: 0, retry_on: ["busy"] });
    const created = await upload(who.server, contactsCsv(2, "01"), { ...(await ready(who)), retry_config });
    const watching = watch(who.server, created.body.id, isOver);
    await who.server.post(`/api/v1/campaigns/${created.body.id}/start`);
    const events = await watching;
    const [one] = (
      await who.server.get<{ contacts: { id: string; attempt_count: number }[] }>(
        `/api/v1/campaigns/${created.body.id}/contacts`,
      )
    ).body.contacts;
    expect(one?.attempt_count).toBe(3);
    const path = events.filter(({ data }) => data.contact_id === one?.id).map(({ event }) => event);
    expect(path).toEqual(["originated", "pending", "originated", "pending", "originated", "failed"]);
    const contact = await who.server.get<{ attempts: unknown[]; waiting_for: string | null }>(
      `/api/v1/campaigns/${created.body.id}/contacts/${one?.id}`,
    );
    expect(contact.body.attempts).toHaveLength(3);
    expect(contact.body.waiting_for).toBeNull();
  });

  /** Creates a running campaign that waits for a distant time. */
  async function waiting() {
    const who = await tenant();
    const scheduled_at = "2099-01-01T00:00:00Z";
    const created = await upload(who.server, contactsCsv(3), { ...(await ready(who)), scheduled_at });
    const path = `/api/v1/campaigns/${created.body.id}`;
    const started = await who.server.post<Campaign>(`${path}/start`);
    expect(started.body).toMatchObject({ status: "running", counts: { pending: 3 } });
    return { server: who.server, id: created.body.id, path };
  }

  it("cannot be changed or deleted while it runs", async () => {
    const { server, path } = await waiting();
    expect((await server.patch(path, { scheduled_at: null })).status).toBe(409);
    expect((await server.delete(path)).status).toBe(409);
  });

  it("pauses, changes, resumes and can then be deleted", async () => {
    const who = await waiting();
    const { id, path } = who;
    expect((await who.server.post<Campaign>(`${path}/pause`)).body.status).toBe("paused");
    expect((await who.server.patch<Campaign>(path, { scheduled_at: null, name: "Now" })).body).toMatchObject({
      name: "Now",
      scheduled_at: null,
    });
    const watching = watch(who.server, id, isOver);
    expect((await who.server.post<Campaign>(`${path}/resume`)).body.status).toBe("running");
    await watching;
    expect((await who.server.delete(path)).status).toBe(204);
    expect((await who.server.get(path)).status).toBe(404);
    expect((await who.server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
  });

  it("can be deleted while paused with a call in progress, which frees its slot", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(1, "06"), await ready(who));
    const path = `/api/v1/campaigns/${created.body.id}`;
    const connected = watch(who.server, created.body.id, ({ event }) => event === "connected");
    await who.server.post(`${path}/start`);
    await connected;
    await who.server.post(`${path}/pause`);
    expect((await who.server.delete(path)).status).toBe(204);
    const { calls } = (await who.server.get<{ calls: { status: string }[] }>("/api/v1/calls")).body;
    expect(calls).toMatchObject([{ status: "completed" }]);
    const limits = await who.server.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
    expect(limits.body.concurrent_calls.used).toBe(0);
  });

  it("accepts form parts in any order, drops duplicates and skips invalid rows on request", async () => {
    const { server } = await tenant();
    const csv = "phone_number,name\n030 901820,A\n+49 30 901820,B\nnonsense,C\n030 901821,=1+1\n";
    const boundary = "----x";
    const part = (name: string, value: string, more = "") =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const body = `${part("contacts", csv, '; filename="a.csv"')}${part("default_country", "de")}${part("on_invalid", "skip")}--${boundary}--\r\n`;
    const created = await server.send<Campaign>("POST", "/api/v1/campaigns", body, {
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    expect(created.body).toMatchObject({ total_contacts: 2, import: { accepted: 2, rejected: 1, duplicates: 1 } });
    const rejects = await server.get<string>(`/api/v1/campaigns/${created.body.id}/rejects`);
    expect(rejects.body.split("\r\n")[1]).toMatch(/^nonsense,.*,4,/);
    const exported = await server.get<string>(`/api/v1/campaigns/${created.body.id}/export`);
    expect(exported.headers.get("content-type")).toMatch(/text\/csv/);
    expect(exported.body).toContain("'=1+1");
  });

  it("pages contacts by offset and by cursor, and filters them", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(25));
    const path = `/api/v1/campaigns/${body.id}/contacts`;
    type Page = { contacts: { id: string }[]; total: number; limit: number; offset: number };
    const all = (await server.get<Page>(path)).body;
    expect(all).toMatchObject({ total: 25, limit: 100, offset: 0 });
    const ids = all.contacts.map(({ id }) => id);
    expect((await server.get<Page>(`${path}?limit=5&offset=20`)).body.contacts.map(({ id }) => id)).toEqual(
      ids.slice(20),
    );
    expect((await server.get<Page>(`${path}?limit=5&after=${ids[9]}`)).body.contacts.map(({ id }) => id)).toEqual(
      ids.slice(10, 15),
    );
    expect((await server.get<Page>(`${path}?status=pending`)).body.total).toBe(25);
    expect((await server.get<Page>(`${path}?status=failed`)).body).toMatchObject({ total: 0, contacts: [] });
  });

  it("refuses a webhook that the carrier did not sign", async () => {
    const { account } = await tenant();
    const path = `/api/telephony/webhooks/sandbox/${account}/0190b1a0-0000-7000-8000-000000000000`;
    const answer = await call("POST", path, { body: { status: "completed" } });
    expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
  });
});
