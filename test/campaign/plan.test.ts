import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountUsage } from "../../src/campaign/decide/explain-waiting.ts";
import { forecast as forecastOf } from "../../src/campaign/decide/forecast.ts";
import type { WaitingGroup } from "../../src/campaign/decide/waiting-zone.ts";
import { plannedCampaign } from "../../src/campaign/plan/plan.ts";
import { allWaiting } from "../../src/campaign/plan/waiting-groups.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { beginImport } from "../../src/campaign/store/import-transitions.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { nextUtcDay } from "../../src/phone/call-limits/call-caps.ts";
import { caller, originate, setCaps } from "../phone/calls/support.ts";
import type { Client } from "../support/client.ts";
import { type Campaign, contactOf, contactsCsv, started, until, upload } from "./support.ts";
import { rules, ZONES } from "./world/virtual-rules.ts";
import { CALM, draft, inObject, numberOf, play, type Scenario, World } from "./world/virtual-world.ts";

function forecast(
  store: CampaignStore,
  account: AccountUsage,
  all: WaitingGroup[],
  blocked: WaitingGroup[],
  now: number,
) {
  return forecastOf(plannedCampaign(store, account, now), account, all, blocked, now);
}

interface Plan {
  status: string;
  finishes_at: string | null;
  next_dial_at: string | null;
  waiting: Record<"schedule" | "window" | "retry" | "cap" | "do_not_call" | "ready", number>;
  assumptions: Record<string, number>;
}

const NONE = { schedule: 0, window: 0, retry: 0, cap: 0, do_not_call: 0, ready: 0 };
const plan = async (client: Client, path: string) => (await client.get<Plan>(`${path}/plan`)).body;

/** Returns a plan with its times as ms after the request, within the time that the response took. */
async function planNow(client: Client, path: string) {
  const before = Date.now();
  const body = await plan(client, path);
  const took = Date.now() - before;
  const after = (time: string | null) => (time === null ? null : Date.parse(time) - before);
  return { ...body, took, finishesIn: after(body.finishes_at) ?? -1, dialsIn: after(body.next_dial_at) ?? -1 };
}

describe("the plan of a campaign", () => {
  it("estimates the end of a draft with calls of one minute", async () => {
    const who = await caller();
    await setCaps(who.account, { concurrent_calls: 3, calls_per_minute: 50, calls_per_day: 60 });
    const { body } = await upload(who.server, contactsCsv(7), { max_concurrency: "2" });
    const { took, finishesIn, dialsIn, ...rest } = await planNow(who.server, `/api/v1/campaigns/${body.id}`);
    expect(rest).toMatchObject({
      status: "draft",
      waiting: { ...NONE, ready: 2, cap: 5 },
      assumptions: { call_seconds: 60, concurrent_calls: 2, calls_per_minute: 50, calls_per_day: 60 },
    });
    // Seven calls are placed, two at a time.
    expect(finishesIn).toBeGreaterThanOrEqual(4 * 60_000);
    expect(finishesIn).toBeLessThanOrEqual(4 * 60_000 + took);
    expect(dialsIn).toBeGreaterThanOrEqual(0);
    expect(dialsIn).toBeLessThanOrEqual(took);
  });

  it("a campaign's plan is limited by calls per minute if that is the tighter cap", async () => {
    const who = await caller();
    const { body } = await upload(who.server, contactsCsv(12), { calls_per_minute: "4" });
    const { took, finishesIn, waiting } = await planNow(who.server, `/api/v1/campaigns/${body.id}`);
    expect(waiting).toEqual({ ...NONE, ready: 4, cap: 8 });
    // Four are called at once, four a minute later and four two minutes later. The last ones take a minute.
    expect(finishesIn).toBeGreaterThanOrEqual(3 * 60_000);
    expect(finishesIn).toBeLessThanOrEqual(3 * 60_000 + took);
  });

  it("continues tomorrow when the daily cap is used up", async () => {
    const who = await caller();
    await setCaps(who.account, { calls_per_day: 1 });
    expect((await originate(who, "+13035550110")).status).toBe(200);
    const { body } = await upload(who.server, contactsCsv(1));
    const midnight = () => new Date(nextUtcDay(Date.now())).toISOString();
    const possible = [midnight()];
    const { next_dial_at, waiting } = await plan(who.server, `/api/v1/campaigns/${body.id}`);
    possible.push(midnight());
    expect(possible).toContain(next_dial_at);
    expect(waiting).toEqual({ ...NONE, cap: 1 });
  });

  it("counts each contact once, by what holds it: do-not-call list, scheduled time, window", async () => {
    const who = await caller();
    const csv = `${contactsCsv(4)
      .replace("name", "timezone")
      .replace(/Person \d+/g, "UTC")}+13035550110,Etc/GMT+12\n`;
    const { body } = await upload(who.server, csv, { scheduled_at: "2099-01-05T12:30:00Z" });
    const path = `/api/v1/campaigns/${body.id}`;
    await who.server.post("/api/v1/do-not-call", { numbers: ["+13034000010", "+13034000110", "+13039999999"] });
    expect(await plan(who.server, path)).toMatchObject({
      waiting: { ...NONE, schedule: 3, do_not_call: 2 },
      next_dial_at: "2099-01-05T12:30:00.000Z",
      finishes_at: "2099-01-05T12:31:00.000Z",
    });
    // 2099-01-05 is a Monday.
    await who.server.patch(path, { schedule_config: [{ days: [1], start: "12:00", end: "14:00" }] });
    expect(await plan(who.server, path)).toMatchObject({
      waiting: { ...NONE, schedule: 3, do_not_call: 2 },
      next_dial_at: "2099-01-05T12:30:00.000Z",
      finishes_at: "2099-01-06T00:01:00.000Z",
    });
    const tomorrow = ((new Date().getUTCDay() + 1) % 7) + 1;
    const window = { days: [tomorrow], start: "13:00", end: "14:00" };
    await who.server.patch(path, { scheduled_at: null, schedule_config: [window] });
    expect((await plan(who.server, path)).waiting).toEqual({ ...NONE, window: 3, do_not_call: 2 });
  });

  it("uses the due time of retries and the measured length of calls", async () => {
    const who = await caller();
    const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 90, retry_on: ["busy"] });
    const path = await started(who, contactsCsv(1, "01"), { retry_config });
    const contact = await until(
      () => contactOf(who.server, path),
      ({ outcome }) => outcome === "busy",
    );
    const { waiting, next_dial_at, finishes_at, assumptions } = await plan(who.server, path);
    expect(waiting).toEqual({ ...NONE, retry: 1 });
    expect(next_dial_at).toBe(contact.next_attempt_at);
    const [attempt] = contact.attempts;
    const lasted = Date.parse(String(attempt?.ended_at)) - Date.parse(String(attempt?.dialled_at));
    expect(assumptions.call_seconds).toBe(lasted / 1000);
    expect(Date.parse(finishes_at ?? "")).toBe(Date.parse(next_dial_at ?? "") + lasted);
  });

  it("returns the end of a campaign that is over", async () => {
    const who = await caller();
    const path = await started(who, contactsCsv(1));
    const { body } = await until(
      () => who.server.get<Campaign>(path),
      (answer) => answer.body.status === "completed",
    );
    expect(await plan(who.server, path)).toMatchObject({
      status: "completed",
      finishes_at: body.ended_at,
      next_dial_at: null,
      waiting: NONE,
    });
  });

  it("gives no end if no contact can ever be called", async () => {
    const who = await caller();
    const { body } = await upload(who.server, contactsCsv(2));
    await setCaps(who.account, { calls_per_day: 0 });
    expect(await plan(who.server, `/api/v1/campaigns/${body.id}`)).toMatchObject({
      finishes_at: null,
      next_dial_at: null,
      waiting: { ...NONE, cap: 2 },
    });
  });
});

const CAPS = { concurrent_calls: 100, calls_per_minute: 1_000, calls_per_day: 1e6 };
const IDLE = { concurrent: 0, ofCampaigns: 0, lastMinute: 0, oldestInMinute: null, nextLeaseExpiry: null, today: 0 };
const MINUTE = 60_000;
/** Creates an account without usage that reserves nothing from its campaigns. */
const accountWith = (caps: typeof CAPS) => ({ caps, campaign_slots: caps.concurrent_calls, usage: IDLE });

/** Returns the plan of the scenario's draft. */
function foreseen(scenario: Scenario) {
  return inObject(async (storage) => {
    const world = new World(scenario);
    const store = draft(scenario, world, storage);
    const phones = scenario.blocked.map((n) => Number(numberOf(n)));
    const caps = { ...CAPS, concurrent_calls: scenario.concurrency, calls_per_minute: scenario.perMinute };
    const blocked = store.contacts.waitingAmong(phones, world.now);
    return forecast(store, accountWith(caps), await allWaiting(store, world.now), blocked, world.now);
  });
}

describe("the forecast", () => {
  it("matches what the dispatcher does if calls last as long as assumed", async () => {
    const steady: fc.Arbitrary<Scenario> = fc
      .record({
        contacts: fc.integer({ min: 1, max: 40 }),
        concurrency: fc.integer({ min: 1, max: 10 }),
        perMinute: fc.integer({ min: 1, max: 40 }),
        rules,
        zones: fc.array(fc.option(fc.constantFrom(...ZONES)), { minLength: 1, maxLength: 3 }),
        blocked: fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 6 }),
      })
      // With several zones the plan doesn't know whose contacts come first, which matters if a window closes.
      .map(({ zones, ...random }) => ({
        ...CALM,
        ...random,
        talks: MINUTE,
        zones: random.rules.windows === null ? zones : zones.slice(0, 1),
      }));
    await fc.assert(
      fc.asyncProperty(steady, async (random) => {
        const plan = await foreseen(random);
        await inObject(async (storage) => {
          const { world, store } = await play(random, storage);
          const { ended_at, accepted } = store.campaign.existing;
          expect(Object.values(plan.waiting).reduce((a, b) => a + b)).toBe(accepted);
          const first = world.carrier.dialled[0]?.at;
          expect(plan.next_dial_at).toBe(first === undefined ? null : new Date(first).toISOString());
          if (first === undefined) return;
          const off = Math.abs(Date.parse(plan.finishes_at ?? "") - (ended_at ?? 0));
          expect(off, `${plan.finishes_at} came at ${new Date(ended_at ?? 0).toISOString()}`).toBeLessThanOrEqual(
            MINUTE,
          );
        });
      }),
      { numRuns: 40 },
    );
  });

  it("covers a million contacts", async () => {
    const plan = await inObject(async (storage) => {
      const scenario: Scenario = { ...CALM, contacts: 1 };
      const store = draft(scenario, new World(scenario), storage);
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
         INSERT INTO contacts (phone, zone, variables, updated_at) SELECT 13030000000 + i, 0, '[]', 0 FROM n`,
      );
      return forecast(store, accountWith(CAPS), await allWaiting(store, CALM.startsAt), [], CALM.startsAt);
    });
    expect(plan.waiting).toEqual({ ...NONE, ready: 100, cap: 999_900 });
    // A hundred calls at a time take a minute each, which makes ten thousand minutes.
    expect(plan.finishes_at).toBe(new Date(CALM.startsAt + 10_000 * MINUTE).toISOString());
  });

  it("yields to other requests, with three hundred time zones and a slow pace", async () => {
    const plan = await inObject(async (storage) => {
      const world = new World(CALM);
      const zones = Intl.supportedValuesOf("timeZone").slice(0, 300);
      const windows = [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }];
      const store = draft({ ...CALM, contacts: 30_000, zones, rules: { ...CALM.rules, windows } }, world, storage);
      let turns = 0;
      const others = setInterval(() => turns++);
      const all = await allWaiting(store, world.now);
      const slow = { ...CAPS, concurrent_calls: 2, calls_per_minute: 10 };
      const answer = await forecast(store, accountWith(slow), all, [], world.now);
      clearInterval(others);
      return { turns, waiting: Object.values(answer.waiting).reduce((a, b) => a + b), zones: zones.length };
    });
    expect(plan).toMatchObject({ waiting: 30_000, zones: 300 });
    expect(plan.turns).toBeGreaterThan(20);
  });

  it("gives no end while the upload is being read", async () => {
    await inObject(async (storage) => {
      const store = new CampaignStore(storage, () => {}, MINUTE_MS);
      const settings = new World(CALM).settings(CALM.rules);
      beginImport(
        store,
        { id: "c", account: "a", settings: JSON.stringify(settings), created_by: "t", created_at: 0 },
        { actor: "test", request_id: "test" },
      );
      const all = await allWaiting(store, CALM.startsAt);
      expect(await forecast(store, accountWith(CAPS), all, [], CALM.startsAt)).toMatchObject({
        finishes_at: null,
        next_dial_at: null,
        waiting: NONE,
      });
    });
  });
});
