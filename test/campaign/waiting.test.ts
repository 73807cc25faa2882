import { describe, expect, it } from "vitest";
import { heldByCampaign, type WaitingContact } from "../../src/campaign/decide/explain-waiting.ts";
import { type DispatchState, WAVE } from "../../src/campaign/decide/next-step.ts";
import { caller, setCaps, slowly } from "../phone/calls/support.ts";
import { type Campaign, contactOf, contactsCsv, started, until, upload } from "./support.ts";

/** Returns what holds the contact back after every possible call was placed. */
async function heldBy(who: Awaited<ReturnType<typeof caller>>, path: string, open: number, place: number) {
  await until(
    () => who.server.get<Campaign>(path),
    ({ body }) => body.counts.pending === body.total_contacts - open,
  );
  return (await contactOf(who.server, path, place)).waiting_for;
}

describe("waiting_for of a contact", () => {
  it("names a campaign that is not running", async () => {
    const who = await caller();
    const { body } = await upload(who.server, contactsCsv(1));
    const draft = `/api/v1/campaigns/${body.id}`;
    expect((await contactOf(who.server, draft)).waiting_for).toBe("the campaign is draft");
    const paused = await started(who, contactsCsv(1), { scheduled_at: "2099-01-01T00:00:00Z" });
    await who.server.post(`${paused}/pause`);
    expect((await contactOf(who.server, paused)).waiting_for).toBe("the campaign is paused");
    await who.server.post(`${paused}/stop`);
    expect(await contactOf(who.server, paused)).toMatchObject({ status: "cancelled", waiting_for: null });
  });

  it("names each cap that can hold the contact: two of the campaign, three of the account", async () => {
    const who = await caller();
    await slowly(who);
    const one = await started(who, contactsCsv(2), { max_concurrency: "1" });
    expect(await heldBy(who, one, 1, 1)).toBe("the campaign's max_concurrency of 1 is reached");
    expect((await contactOf(who.server, one, 0)).waiting_for).toBeNull();
    const slow = await started(who, contactsCsv(3), { calls_per_minute: "2" });
    expect(await heldBy(who, slow, 2, 2)).toBe("the campaign's calls_per_minute of 2 is reached");
    await setCaps(who.account, { concurrent_calls: 3 });
    const kept = await started(who, contactsCsv(1));
    expect(await heldBy(who, kept, 0, 0)).toBe("the account's concurrent_calls cap is reached");
    await setCaps(who.account, { concurrent_calls: 9, calls_per_day: 3 });
    expect((await contactOf(who.server, kept)).waiting_for).toBe("the account's calls_per_day cap is reached");
  });

  it("names the do-not-call list before the contact is dialed, and the contact ends without a call", async () => {
    const who = await caller();
    const { agent_id, from_number } = who;
    const { body } = await upload(who.server, "phone_number\n+13035550110\n", { agent_id, from_number });
    const path = `/api/v1/campaigns/${body.id}`;
    await who.server.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    expect((await contactOf(who.server, path)).waiting_for).toBe("its number is on the do-not-call list");
    await who.server.post(`${path}/start`);
    const over = await until(
      () => contactOf(who.server, path),
      ({ status }) => status !== "pending",
    );
    expect(over).toMatchObject({ status: "failed", outcome: "do_not_call", attempts: [], waiting_for: null });
  });

  it("names a pending retry, with the calls so far", async () => {
    const who = await caller();
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 90, retry_on: ["busy"] });
    const path = await started(who, contactsCsv(1, "01"), { retry_config });
    const contact = await until(
      () => contactOf(who.server, path),
      ({ outcome }) => outcome === "busy",
    );
    expect(contact).toMatchObject({ status: "pending", attempt_count: 1 });
    expect(contact.waiting_for).toBe(`the next attempt is due at ${contact.next_attempt_at}`);
    expect(contact.attempts).toMatchObject([{ attempt: 1, status: "busy", outcome: "busy" }]);
    const [{ ended_at } = { ended_at: "" }] = contact.attempts;
    expect(Date.parse(contact.next_attempt_at ?? "") - Date.parse(String(ended_at))).toBe(90 * 60_000);
  });

  it("keeps every call, including the last one", async () => {
    const who = await caller();
    const retry_config = JSON.stringify({ max_attempts: 3, retry_interval_minutes: 0, retry_on: ["no_answer"] });
    const path = await started(who, contactsCsv(1, "02"), { retry_config });
    const contact = await until(
      () => contactOf(who.server, path),
      ({ status }) => status === "failed",
    );
    expect(contact).toMatchObject({ outcome: "no_answer", attempt_count: 3, waiting_for: null });
    expect(contact.attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "no_answer"],
      [2, "no_answer"],
      [3, "no_answer"],
    ]);
    expect(new Set(contact.attempts.map(({ call_id }) => call_id)).size).toBe(3);
  });

  const NOW = Date.parse("2026-11-20T10:00:00Z");
  const state: DispatchState = {
    status: "running",
    scheduledAt: null,
    maxConcurrency: null,
    callsPerMinute: null,
    open: 0,
    dialledAt: [],
    notBefore: null,
    trying: null,
    zones: [{ zone: 0, opensAt: NOW, due: WAVE, nextDueAt: null }],
  };
  const contact: WaitingContact = {
    contact: { zone: 0, next_attempt_at: 0 },
    zone: null,
    settings: { schedule_config: null, timezone: "UTC" },
    statusReason: null,
    state,
  };
  it.each<[string | null, Partial<WaitingContact>]>([
    [null, {}],
    ["no calling window ever opens", { settings: { schedule_config: [], timezone: "UTC" } }],
    ["the campaign is paused: carrier_auth", { state: { ...state, status: "paused" }, statusReason: "carrier_auth" }],
    [
      "the carrier is failing; dialing is paused until 2026-11-20T10:00:04.000Z",
      { state: { ...state, notBefore: NOW + 4_000 } },
    ],
    [
      "the calling window in Asia/Tokyo opens at 2026-11-21T00:00:00.000Z",
      {
        zone: "Asia/Tokyo",
        settings: { timezone: "UTC", schedule_config: [{ days: [5, 6], start: "09:00", end: "17:00" }] },
      },
    ],
  ])("waiting_for of a contact can name a reason of the campaign: %s", (words, changes) => {
    expect(heldByCampaign({ ...contact, ...changes }, NOW)).toBe(words);
  });
});
