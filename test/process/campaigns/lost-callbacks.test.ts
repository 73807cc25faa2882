import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Account, type Call, type Campaign, entriesOf } from "./account.ts";
import { gapsIn, inTime, killAt, mustBe, numbers, summaryOf, verify, WAIT } from "./crash-support.ts";
import { CONTACTS_PER_KILL, planKills } from "./kills.ts";
import { Service } from "./service.ts";
import { outcomeOf, StandInCarrier } from "./stand-in-carrier.ts";

/**
 * Kills the service repeatedly while its carrier sends every report exactly once, whether it is received or not, so
 * that reports are lost. A campaign and single calls run, and some of both are in progress at every kill.
 * `KILLS=20 SEED=7 npx vitest run --config test/vitest.config.ts --project process lost-callbacks --silent=false`
 */
const KILLS = Number(process.env.KILLS || 3);
const SEED = Number(process.env.SEED || 2);
const PLAN = planKills(KILLS, SEED).map(
  (kill) => ({ ...kill, moment: kill.moment === "stop" ? "taken" : kill.moment }) as const,
);
const CONTACTS = numbers(KILLS * CONTACTS_PER_KILL);
/** Number of single calls originated at the same time. */
const CALLERS = 4;

const began = Date.now();
let carrier: StandInCarrier;
let service: Service;
let account: Account;
let running: Campaign;
/** The numbers of single calls, and how many calls were in progress at each kill. */
const single: string[] = [];
const atKill: { single: number; campaign: number }[] = [];

beforeAll(killAgainAndAgain, 300_000 + KILLS * 60_000);

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
}, 60_000);

describe("a service that is killed repeatedly while missed reports are not resent", () => {
  it("the service is killed with calls of both kinds in progress", () => {
    expect(atKill.filter(({ campaign }) => campaign > 0).length).toBeGreaterThan(0);
    expect(atKill.filter(({ single: alone }) => alone > 0).length).toBeGreaterThan(0);
    expect(carrier.refused).toEqual([]);
  });

  it("dials no one twice", () => {
    expect([...carrier.timesDialled()].filter(([, times]) => times > 1)).toEqual([]);
  });

  it("agrees with the carrier about every contact, and leaves none connected", async () => {
    const dialled = carrier.timesDialled();
    expect((await account.contacts(running)).map(summaryOf)).toEqual(CONTACTS.map((number) => mustBe(number, dialled)));
    const { status, counts } = await account.campaign(running);
    expect({ status, ...counts }).toMatchObject({ status: "completed", pending: 0, originated: 0, connected: 0 });
  });

  it("has an unbroken history", async () => {
    const ndjson = await account.history(running);
    expect(await verify(ndjson)).toContain("unbroken");
    expect(gapsIn(entriesOf(ndjson))).toBe(0);
  });

  it("agrees with the carrier about every single call", async () => {
    const existing = new Map((await singleCalls()).map((call) => [call.to_number, call]));
    const placed = carrier.ledger.filter(({ to }) => !CONTACTS.includes(to));
    expect(placed.length).toBeGreaterThan(KILLS);
    expect(placed.map(({ to }) => `${to} ${existing.get(to)?.status}`)).toEqual(
      placed.map(({ to }) => `${to} ${outcomeOf(to)}`),
    );
    const dialled = carrier.timesDialled();
    const never = [...existing.values()].filter(({ to_number }) => !dialled.has(to_number));
    expect(never.map(({ status, end_reason }) => `${status} ${end_reason}`)).toEqual(never.map(() => "failed unknown"));
  });

  it("has the answer's time for every answered call", async () => {
    const calls = await account.all<Call>("/api/v1/calls?status=completed&limit=100", "calls");
    expect(calls.length).toBeGreaterThan(KILLS);
    expect(calls.filter(({ connected_at }) => connected_at === null)).toEqual([]);
  });

  it("leaves no slot in use and no call open", async () => {
    await vi.waitFor(async () => expect((await account.limits()).concurrent_calls.used).toBe(0), WAIT);
    for (const status of ["queued", "initiated", "ringing", "in-progress"])
      expect((await account.get<{ total: number }>(`/api/v1/calls?status=${status}`)).total, status).toBe(0);
  });
}, 600_000);

async function killAgainAndAgain(): Promise<void> {
  carrier = await StandInCarrier.open({ repeats: false });
  service = await Service.prepare({
    TWILIO_API_URL: carrier.url,
    CALL_RING_TIMEOUT_S: "3",
    CALL_MAX_DURATION_S: "3",
  });
  await service.start();
  account = await Account.open(service.url);
  running = await account.upload(CONTACTS, { max_concurrency: "12" });
  await account.operate("start", running);
  const stop = new AbortController();
  const callers = Array.from({ length: CALLERS }, () => callPeople(stop.signal));
  let up: Promise<void> = Promise.resolve();
  for (const kill of PLAN) {
    await inTime(Promise.all([killAt(kill, carrier, service), up]), `no "${kill.moment}"`);
    const open = carrier.ledger.filter(({ status }) => ["queued", "ringing", "in-progress"].includes(status));
    const campaign = open.filter(({ to }) => CONTACTS.includes(to)).length;
    atKill.push({ single: open.length - campaign, campaign });
    await service.gone();
    up = service.start();
  }
  await up;
  stop.abort();
  await Promise.all(callers);
  const completed = Date.now();
  await vi.waitFor(async () => expect((await account.campaign(running)).status).toBe("completed"), WAIT);
  await vi.waitFor(async () => {
    const calls = await singleCalls();
    expect(calls.filter(({ status }) => ["queued", "initiated", "ringing", "in-progress"].includes(status))).toEqual(
      [],
    );
  }, WAIT);
  await vi.waitFor(async () => expect((await account.limits()).concurrent_calls.used).toBe(0), WAIT);
  report(Date.now() - completed);
}

/** Originates single calls one after another. */
async function callPeople(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (!(await service.reached())) {
      await sleep(50);
      continue;
    }
    const to = `+1404${2_000_000 + single.length}`;
    single.push(to);
    // A kill interrupts the request. Only the carrier knows whether the call was placed.
    await account.originate(to).catch(() => null);
  }
}

async function singleCalls(): Promise<Call[]> {
  const all: Call[] = [];
  for (;;) {
    const page = await account.get<{ calls: Call[] }>(`/api/v1/calls?limit=100&offset=${all.length}`);
    all.push(...page.calls);
    if (page.calls.length < 100) return all.filter(({ to_number }) => !CONTACTS.includes(to_number));
  }
}

function report(settling: number): void {
  const times = carrier.timesDialled();
  const mine = CONTACTS.filter((number) => times.has(number)).length;
  console.info(
    [
      `lost callbacks: ${KILLS} kills (seed ${SEED}: ${PLAN.map(({ moment }) => moment).join(", ")})`,
      `${CONTACTS.length} contacts, ${mine} at the carrier; ${single.length} single calls asked for, ${times.size - mine} at the carrier`,
      `under way at the kills: ${atKill.map((at) => `${at.campaign}+${at.single}`).join(" ")}`,
      `${[...times.values()].filter((n) => n > 1).length} dialed twice`,
      `all settled ${Math.round(settling / 1000)} s after the last start`,
      `${Math.round((Date.now() - began) / 1000)} s`,
    ].join("; "),
  );
}
