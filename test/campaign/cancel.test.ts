import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
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

/** No contact is dialed before then. */
const LATER = { scheduled_at: "2099-01-01T00:00:00Z" };

describe("canceling a contact", () => {
  it("removes the contact from a draft, which then dials only the others", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(3, "10"), await ready(who));
    const path = `/api/v1/campaigns/${body.id}`;
    const { id, phone_number } = await contactOf(who.server, path, 1);
    const answer = await who.server.post<Contact>(`${path}/contacts/${id}/cancel`);
    expect([answer.status, answer.body]).toMatchObject([200, { id, status: "cancelled", next_attempt_at: null }]);
    const watching = watch(who.server, body.id, isOver);
    await who.server.post(`${path}/start`);
    const events = await watching;
    expect(
      events.filter(({ data }) => data.phone_number === phone_number).map(({ event, data }) => [event, data.reason]),
    ).toEqual([["cancelled", "cancelled"]]);
    expect((await who.server.get<Campaign>(path)).body.counts).toMatchObject({
      completed: 2,
      cancelled: 1,
      pending: 0,
    });
    type Page = { total: number; contacts: { id: string }[] };
    expect((await who.server.get<Page>(`${path}/contacts?status=cancelled`)).body).toMatchObject({
      total: 1,
      contacts: [{ id }],
    });
  });

  it.each(["running", "paused"])(
    "canceling a contact completes a %s campaign when the last pending contact is canceled",
    async (state) => {
      const who = await tenant();
      const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(2), LATER);
      if (state === "paused") await who.server.post(`${path}/pause`);
      const ids = [await contactOf(who.server, path, 0), await contactOf(who.server, path, 1)].map(({ id }) => id);
      await who.server.post(`${path}/contacts/${ids[0]}/cancel`);
      expect((await who.server.get<Campaign>(path)).body).toMatchObject({
        status: state,
        counts: { pending: 1, cancelled: 1 },
      });
      await who.server.post(`${path}/contacts/${ids[1]}/cancel`);
      await until(
        async () => (await who.server.get<Campaign>(path)).body,
        ({ status }) => status === "completed",
      );
      const { entries } = await until(
        async () => (await who.server.get<{ entries: unknown[] }>("/api/v1/audit-log?action=cancel_contact")).body,
        ({ entries }) => entries.length === 2,
      );
      expect(entries).toMatchObject([{ resource: "campaign" }, { resource: "campaign" }]);
    },
  );

  it("canceling a contact is never undone by concurrent dialing", async () => {
    const who = await tenant();
    const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(60, "10"), { max_concurrency: "2" });
    type Page = { contacts: Contact[] };
    const { contacts } = (await who.server.get<Page>(`${path}/contacts?limit=100`)).body;
    const answers = await Promise.all(
      contacts.toReversed().map(({ id }) => who.server.post<Contact>(`${path}/contacts/${id}/cancel`)),
    );
    const cancelled = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.phone_number));
    expect(cancelled.size).toBeGreaterThan(0);
    await until(
      async () => (await who.server.get<Campaign>(path)).body,
      ({ status }) => status === "completed",
    );
    type Calls = { calls: { to_number: string }[] };
    const { calls } = (await who.server.get<Calls>(`/api/v1/calls?campaign_id=${path.split("/").at(-1)}&limit=100`))
      .body;
    expect(calls.filter(({ to_number }) => cancelled.has(to_number))).toEqual([]);
    expect(calls.length + cancelled.size).toBe(60);
  });
});

describe("an invalid cancellation of a contact", () => {
  it("canceling is refused for a contact that is finished or being called, and in a finished campaign", async () => {
    const who = await tenant();
    const path = await started({ ...who, ...(await ready(who)) }, "phone_number\n+13035550106\n+13035550110\n", {
      retry_config: JSON.stringify({ max_attempts: 1 }),
    });
    const cancel = async (place: number) =>
      who.server.post(`${path}/contacts/${(await contactOf(who.server, path, place)).id}/cancel`);
    await until(
      () => contactOf(who.server, path, 1),
      ({ status }) => status === "completed",
    );
    await until(
      () => contactOf(who.server, path, 0),
      ({ status }) => status === "connected",
    );
    expect(await cancel(0)).toMatchObject({
      status: 409,
      code: "wrong_state",
      body: "a contact that is connected cannot be cancelled",
    });
    expect(await cancel(1)).toMatchObject({ status: 409, body: "a contact that is completed cannot be cancelled" });
    await who.server.post(`${path}/stop`);
    expect(await cancel(1)).toMatchObject({ status: 409, body: "the campaign is stopped and places no more calls" });
  });
});
