import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Caller, caller } from "../phone/calls/support.ts";
import { tenant } from "../support/client.ts";
import { type Campaign, type Contact, contactOf, contactsCsv, FROM, started, until, upload } from "./support.ts";
import { isOpen, wallClock } from "./world/wall-clock.ts";

/** These two never have the same day of the week. */
const EARLY = "Pacific/Kiritimati";
const LATE = "Etc/GMT+12";

/** Returns a window that is open in the zone now, and stays open if a day ends there during the test. */
function openToday(zone: string) {
  const { weekday } = wallClock(zone, Date.now());
  return [{ days: [weekday, (weekday % 7) + 1], start: "00:00", end: "24:00" }];
}

/** Runs the campaign's alarm, whatever it waits for, and expects that no contact was called. */
async function noCalls({ account, server }: Caller, path: string): Promise<void> {
  await runDurableObjectAlarm(env.CAMPAIGN.getByName(`${account}/${path.split("/").at(-1)}`));
  const campaign = (await server.get<Campaign>(path)).body;
  expect(campaign).toMatchObject({ status: "running", counts: { pending: campaign.total_contacts } });
  expect((await contactOf(server, path)).attempts).toEqual([]);
}

describe("a campaign's schedule", () => {
  it("places no call before scheduled_at", async () => {
    const who = await caller();
    const path = await started(who, contactsCsv(2), { scheduled_at: "2099-01-01T01:00:00+01:00" });
    await noCalls(who, path);
    expect((await contactOf(who.server, path)).waiting_for).toBe(
      "the campaign is scheduled for 2099-01-01T00:00:00.000Z",
    );
  });

  it("places no call while the window is closed", async () => {
    const who = await caller();
    const timezone = "Asia/Kathmandu";
    const weekday = ((wallClock(timezone, Date.now()).weekday + 2) % 7) + 1;
    const windows = [{ days: [weekday], start: "09:15", end: "17:00" }];
    const path = await started(who, contactsCsv(2), { timezone, schedule_config: JSON.stringify(windows) });
    await noCalls(who, path);
    const [, opens = ""] =
      /^the calling window in Asia\/Kathmandu opens at (.*)$/.exec(
        (await contactOf(who.server, path)).waiting_for ?? "",
      ) ?? [];
    expect(Date.parse(opens)).toBeGreaterThan(Date.now() + 86_400_000);
    expect(wallClock(timezone, Date.parse(opens))).toEqual({ weekday, time: "09:15" });
    expect(isOpen(windows, timezone, Date.parse(opens) - 1)).toBe(false);
  });

  it("uses the time zone of the number's country if it has only one, otherwise the campaign's", async () => {
    const who = await caller();
    const timezone = "America/Denver";
    // Closed in every zone for at least another day.
    const day = ((wallClock("UTC", Date.now()).weekday + 3) % 7) + 1;
    const windows = JSON.stringify([{ days: [day], start: "09:00", end: "17:00" }]);
    const csv = "phone_number,timezone\n+4930901820,\n+13035550110,\n+81312345678,Europe/Paris\n";
    const path = await started(who, csv, { timezone, schedule_config: windows });
    await noCalls(who, path);
    for (const [place, zone] of ["Europe/Berlin", timezone, "Europe/Paris"].entries())
      expect((await contactOf(who.server, path, place)).waiting_for).toContain(
        `the calling window in ${zone} opens at`,
      );
  });

  it.each([
    ["open", "closed", EARLY, LATE],
    ["closed", "open", LATE, EARLY],
  ])(
    "a campaign's schedule follows a contact's own time zone if it is %s there and %s in the campaign's",
    async (own, _, zone, other) => {
      const who = await caller();
      const schedule_config = JSON.stringify(openToday(EARLY));
      const csv = `phone_number,timezone\n+13035550110,${zone}\n+13035550210,\n`;
      const path = await started(who, csv, { timezone: other, schedule_config });
      const [first, second] = own === "open" ? [0, 1] : [1, 0];
      await until(
        () => contactOf(who.server, path, first),
        ({ status }) => status === "completed",
      );
      expect(await contactOf(who.server, path, second)).toMatchObject({
        status: "pending",
        attempt_count: 0,
        waiting_for: expect.stringMatching(/^the calling window in Etc\/GMT\+12 opens at/),
      });
    },
  );

  it("rejects a row with an unknown time zone, or skips it on request", async () => {
    const { server } = await tenant();
    const csv = "phone_number,timezone\n+13035550110,Europe/Berlin\n+13035550210,Atlantis/Capital\n";
    const refused = await upload(server, csv);
    expect([refused.status, refused.code]).toEqual([400, "invalid_csv"]);
    expect(refused.body).toMatch(/line 3.*time ?zone/);
    const skipped = await upload(server, csv, { on_invalid: "skip" });
    expect(skipped.body).toMatchObject({ total_contacts: 1, import: { accepted: 1, rejected: 1 } });
  });
});

describe("a campaign's settings", () => {
  const retry_config = { max_attempts: 4, retry_interval_minutes: 0.5, retry_on: ["machine"] };
  const changes: [string, unknown][] = [
    ["name", "Another name"],
    ["scheduled_at", "2098-05-05T05:05:05.000Z"],
    ["timezone", "America/New_York"],
    ["schedule_config", [{ days: [6, 7], start: "00:00", end: "24:00" }]],
    ["max_concurrency", 7],
    ["calls_per_minute", 77],
    ["retry_config", retry_config],
    ["voicemail", "leave_message"],
    ...["agent_id", "from_number", "scheduled_at", "schedule_config", "max_concurrency", "calls_per_minute"].map(
      (field): [string, unknown] => [field, null],
    ),
  ];
  const form = {
    name: "Autumn",
    scheduled_at: "2099-01-01T00:00:00.000Z",
    timezone: "Europe/Berlin",
    max_concurrency: "3",
    calls_per_minute: "5",
    schedule_config: JSON.stringify([{ days: [1], start: "09:00", end: "10:00" }]),
  };

  it.each(["draft", "paused"])(
    "each setting of a campaign can be changed and reverted while it is %s",
    async (status) => {
      const who = await caller();
      const path = await started(who, contactsCsv(1), form);
      await who.server.post(`${path}/pause`);
      const { body: draft } = await upload(who.server, contactsCsv(1), form);
      const changed = status === "paused" ? path : `/api/v1/campaigns/${draft.id}`;
      const agent = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Other", status: "active" });
      await who.server.post("/api/v1/telephony/numbers", { e164: "+12025550199", provider: "sandbox" });
      const all: [string, unknown][] = [["agent_id", agent.body.id], ["from_number", "+12025550199"], ...changes];
      for (const [field, value] of all) {
        const before = (await who.server.get<Campaign>(changed)).body;
        expect(before.status).toBe(status);
        const answer = await who.server.patch<Campaign>(changed, { [field]: value });
        expect(answer.status, field).toBe(200);
        const after = { ...before, [field]: value, updated_at: expect.any(String) };
        expect(answer.body, field).toEqual(after);
        expect((await who.server.get<Campaign>(changed)).body, field).toEqual(after);
      }
    },
  );

  it.each([
    ["name", null],
    ["name", ""],
    ["timezone", null],
    ["timezone", "Atlantis/Capital"],
    ["retry_config", { max_attempts: 0 }],
    ["retry_config", { intervals_minutes: [] }],
    ["retry_config", []],
    ["voicemail", "shout"],
    ["schedule_config", []],
    ["schedule_config", [{ days: [1], start: "10:00", end: "10:00" }]],
    ["schedule_config", [{ days: [], start: "09:00", end: "10:00" }]],
    ["scheduled_at", "2099-01-01"],
    ["max_concurrency", 0],
    ["calls_per_minute", 1.5],
    ["from_number", "+12025550999"],
  ])("a campaign's setting can't be changed to an invalid value: %s %j", async (field, value) => {
    const who = await caller();
    const { body: before } = await upload(who.server, contactsCsv(1), { from_number: FROM });
    const path = `/api/v1/campaigns/${before.id}`;
    const answer = await who.server.patch(path, { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(field);
    expect((await who.server.get<Campaign>(path)).body).toEqual(before);
  });

  it("cannot be changed while it is running", async () => {
    const who = await caller();
    const path = await started(who, contactsCsv(1), form);
    const before = (await who.server.get<Campaign>(path)).body;
    for (const [field, value] of changes) {
      const answer = await who.server.patch(path, { [field]: value });
      expect([answer.status, answer.code], field).toEqual([409, "wrong_state"]);
    }
    expect((await who.server.get<Campaign>(path)).body).toEqual(before);
  });

  it("apply from the next call after resuming", async () => {
    const who = await caller();
    const path = await started(who, contactsCsv(2), { scheduled_at: "2099-01-01T00:00:00Z" });
    await who.server.post(`${path}/pause`);
    const closed = { timezone: LATE, schedule_config: openToday(EARLY), scheduled_at: null };
    expect((await who.server.patch(path, closed)).status).toBe(200);
    await who.server.post(`${path}/resume`);
    await noCalls(who, path);
    await who.server.post(`${path}/pause`);
    expect((await who.server.patch(path, { timezone: EARLY })).status).toBe(200);
    await who.server.post(`${path}/resume`);
    await until(
      () => who.server.get<Campaign>(path),
      ({ body }) => body.status === "completed",
    );
    const { contacts } = (await who.server.get<{ contacts: Contact[] }>(`${path}/contacts`)).body;
    expect(contacts.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
  });
});
