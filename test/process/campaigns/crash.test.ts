import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { events } from "../../../src/dev/event-stream.ts";
import { Account, type Call, type Campaign, entriesOf } from "./account.ts";
import { gapsIn, inTime, killAt, mustBe, numbers, summaryOf, verify, WAIT } from "./crash-support.ts";
import { CONTACTS_PER_KILL, planKills } from "./kills.ts";
import { Service } from "./service.ts";
import { StandInCarrier } from "./stand-in-carrier.ts";

/**
 * Kills the whole service repeatedly while a campaign runs: SIGKILL to each of its processes, at moments chosen by the
 * carrier's record, so that they are the same on a slow machine. The carrier keeps running and is the witness. The
 * environment sets the number of kills, and with it the number of contacts, and the seed of the moments. This command
 * prints the result in one line:
 * `KILLS=20 SEED=7 npx vitest run --config test/vitest.config.ts --project process crash --silent=false`
 */
const KILLS = Number(process.env.KILLS || 8);
const SEED = Number(process.env.SEED || 1);
/** All kills except the one during an upload. */
const PLAN = planKills(KILLS - 1, SEED);
const CONTACTS = numbers(PLAN.length * CONTACTS_PER_KILL);
/** The most concurrent calls. After a kill, it may be unknown for this many calls whether the carrier was asked. */
const AT_A_TIME = 12;
/** So many that the stop cannot have canceled all of them when it is answered. */
const BYSTANDERS = 12_000;
/** More contacts than the service receives before it stores the first of them. */
const UPLOAD = 50_000;

interface CallEvent {
  type: string;
  data: { call_id: string };
}

interface Statistics {
  totals: { calls: number; running: number; end_reasons: Record<string, number> };
}

const began = Date.now();
let carrier: StandInCarrier;
let service: Service;
let account: Account;
/** The campaign that runs, the one that is stopped, and the one that is never created. */
let running: Campaign;
let stopped: Campaign;
let cutOff: Campaign;
let stopKilledAt = 0;
/** The events that the campaign's stream delivered, in order. */
const received: { seq: number; at: string; status: string; phone_number?: string }[] = [];

beforeAll(crashAgainAndAgain, 300_000 + KILLS * 60_000);

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
}, 60_000);

describe("a campaign whose service is killed repeatedly", () => {
  it("dials no one twice", () => {
    const twice = [...carrier.timesDialled()].filter(([, times]) => times > 1);
    expect(twice).toEqual([]);
    expect(carrier.refused).toEqual([]);
  });

  it("agrees with the carrier about every contact, and gives up only those that the carrier doesn't know", async () => {
    const dialled = carrier.timesDialled();
    const contacts = await account.contacts(running);
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual(CONTACTS);
    expect(contacts.map(summaryOf)).toEqual(CONTACTS.map((number) => mustBe(number, dialled)));
    const lost = contacts.filter(({ outcome }) => outcome === "unknown").length;
    expect(lost).toBeLessThanOrEqual(PLAN.length * AT_A_TIME);
  });

  it("has an unbroken history that leads to every contact's status", async () => {
    const ndjson = await account.history(running);
    expect(await verify(ndjson)).toContain("unbroken");
    const entries = entriesOf(ndjson);
    expect(gapsIn(entries)).toBe(0);
    const status = new Map(CONTACTS.map((number) => [number, "pending"]));
    for (const entry of entries.filter(({ phone }) => phone !== null)) {
      expect(entry.previous, `entry ${entry.seq}`).toBe(status.get(`+${entry.phone}`));
      status.set(`+${entry.phone}`, entry.status);
    }
    const contacts = await account.contacts(running);
    expect([...status]).toEqual(contacts.map((contact) => [contact.phone_number, contact.status]));
  });

  it("never streams an event that a crash undid", async () => {
    const entries = new Map(entriesOf(await account.history(running)).map((entry) => [entry.seq, entry]));
    expect(received.length).toBeGreaterThan(CONTACTS.length);
    for (const { seq, at, status, phone_number } of received) {
      const entry = entries.get(seq);
      expect({ seq, at: Date.parse(at), status, phone: Number(phone_number ?? 0) }).toEqual({
        seq: entry?.seq,
        at: entry?.at,
        status: entry?.status,
        phone: entry?.phone ?? 0,
      });
    }
  });

  it("counts its contacts correctly, in its own record and in the list of campaigns", async () => {
    const record = await account.campaign(running);
    expect(record.counts).toEqual(await countsOf(running));
    expect(record.total_contacts).toBe(CONTACTS.length);
    expect(record.counts).toMatchObject({ pending: 0, originated: 0, connected: 0, cancelled: 0 });
    await vi.waitFor(async () => expect(await listed(running)).toEqual(record), WAIT);
  });

  it("leaves no call open and none of the account's slots in use", async () => {
    await vi.waitFor(async () => {
      const limits = await account.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
      expect(limits.concurrent_calls.used).toBe(0);
    }, WAIT);
    const ofStatus = async (status: string) =>
      (await account.get<{ total: number }>(`/api/v1/calls?campaign_id=${running.id}${status}`)).total;
    await vi.waitFor(async () => expect(await ofStatus("")).toBe(CONTACTS.length), WAIT);
    for (const status of ["queued", "initiated", "ringing", "in-progress"])
      await vi.waitFor(async () => expect(await ofStatus(`&status=${status}`), status).toBe(0), WAIT);
  });

  it("emits every call's start, answer and end once, in order", async () => {
    const calls = await account.all<Call>(`/api/v1/calls?campaign_id=${running.id}&limit=100`, "calls");
    const lives = new Map(calls.map(({ call_id }) => [call_id, [] as string[]]));
    const types = "call.started,call.answered,call.ended";
    const newestFirst = await account.all<CallEvent>(`/api/v1/events?types=${types}&limit=100`, "events");
    for (const { type, data } of newestFirst.toReversed()) lives.get(data.call_id)?.push(type);
    const lived = calls.map(({ call_id, to_number }) => `${to_number}: ${lives.get(call_id)?.join(", ")}`);
    expect(lived).toEqual(
      calls.map(({ to_number, connected_at, status }) => {
        const answered = connected_at !== null || status === "completed" ? "call.answered, " : "";
        return `${to_number}: call.started, ${answered}call.ended`;
      }),
    );
  });

  it("has counts of calls that equal a recount", async () => {
    const calls = await account.all<Call>(`/api/v1/calls?campaign_id=${running.id}&limit=100`, "calls");
    const recount = (reason: string) => calls.filter(({ end_reason }) => end_reason === reason).length;
    const { totals } = await account.get<Statistics>(
      `/api/v1/calls/statistics?interval=hour&campaign_id=${running.id}`,
    );
    expect(totals).toMatchObject({ calls: CONTACTS.length, running: 0 });
    const counted = Object.keys(totals.end_reasons);
    expect(totals.end_reasons).toEqual(Object.fromEntries(counted.map((reason) => [reason, recount(reason)])));
  });
}, 600_000);

describe("a campaign whose service is killed while it is uploaded", () => {
  it("leaves nothing behind", async () => {
    // Listing does not wake the campaign, which must resume by itself.
    await vi.waitFor(async () => expect(await listed(cutOff)).toBeUndefined(), WAIT);
    for (const part of ["", "/contacts", "/history", "/export"])
      expect(await account.isGone(`/api/v1/campaigns/${cutOff.id}${part}`)).toBe(true);
  });
}, 600_000);

describe("a campaign whose service is killed right after it was stopped", () => {
  it("cancels all contacts", async () => {
    await vi.waitFor(async () => expect((await listed(stopped))?.counts.cancelled).toBe(BYSTANDERS), WAIT);
    const record = await account.campaign(stopped);
    expect(record).toEqual(await listed(stopped));
    expect(record.status).toBe("stopped");
    expect(record.counts).toEqual(await countsOf(stopped));
    const ndjson = await account.history(stopped);
    expect(await verify(ndjson)).toContain("unbroken");
    const cancelled = entriesOf(ndjson).filter(({ status }) => status === "cancelled");
    expect(new Set(cancelled.map(({ contact }) => contact)).size).toBe(BYSTANDERS);
    expect(cancelled).toHaveLength(BYSTANDERS);
    // Otherwise the kill came too late to test anything.
    expect(cancelled.filter(({ at }) => at <= stopKilledAt).length).toBeLessThan(BYSTANDERS);
  });
}, 600_000);

/** Lets the campaign run to its end through all kills. */
async function crashAgainAndAgain(): Promise<void> {
  carrier = await StandInCarrier.open();
  service = await Service.prepare({
    TWILIO_API_URL: carrier.url,
    CALL_RING_TIMEOUT_S: "3",
    CALL_MAX_DURATION_S: "3",
  });
  await service.start();
  account = await Account.open(service.url);
  cutOff = await killDuringUpload();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  stopped = await account.upload(numbers(BYSTANDERS), { scheduled_at: tomorrow });
  await account.operate("start", stopped);
  running = await account.upload(CONTACTS, { max_concurrency: String(AT_A_TIME) });
  const watching = watch();
  await account.operate("start", running);
  let up: Promise<void> = Promise.resolve();
  for (const kill of PLAN) {
    await inTime(
      Promise.all([killAt(kill, carrier, service, stopAndKill), up]),
      `no "${kill.moment}" after ${kill.after} more requests`,
    );
    await service.gone();
    // Not awaited, because the next kill may come as soon as the carrier is contacted.
    up = service.start();
  }
  await up;
  await vi.waitFor(async () => expect((await account.campaign(running)).status).toBe("completed"), WAIT);
  await inTime(watching, "the watcher is not told of the end");
  await report();
}

/** Stops the other campaign, and kills the service as soon as the stop is answered. */
async function stopAndKill(kill: () => void): Promise<void> {
  await service.reached();
  await account.operate("stop", stopped);
  kill();
  stopKilledAt = Date.now();
}

/** Kills the service when a part of an upload is stored, and starts it again. */
async function killDuringUpload(): Promise<Campaign> {
  account.beginUpload(numbers(UPLOAD));
  const found = await vi.waitFor(async () => {
    const [campaign] = await account.list();
    if (!campaign) throw new Error("the upload has not begun");
    const { total_contacts } = await account.campaign(campaign);
    expect(total_contacts).toBeGreaterThan(0);
    return campaign;
  }, WAIT);
  service.kill();
  await service.gone();
  await service.start();
  return found;
}

/** Follows the campaign's stream through all kills until it is reported as completed. */
async function watch(): Promise<void> {
  for await (const { event, data } of events(...account.stream(running))) {
    if (event === "snapshot") continue;
    const entry = JSON.parse(data);
    received.push(entry);
    if (event === "campaign" && entry.status === "completed") return;
  }
}

/** Returns the campaign as D1 lists it. */
async function listed({ id }: Campaign): Promise<Campaign | undefined> {
  return (await account.list()).find((campaign) => campaign.id === id);
}

async function countsOf(campaign: Campaign): Promise<Record<string, number>> {
  const statuses = Object.keys(campaign.counts);
  const counts = statuses.map(async (status) => [status, (await account.contacts(campaign, status)).length] as const);
  return Object.fromEntries(await Promise.all(counts));
}

async function report(): Promise<void> {
  const times = carrier.timesDialled();
  const entries = entriesOf(await account.history(running));
  const { counts } = await account.campaign(running);
  console.info(
    [
      `crash: ${KILLS} kills (seed ${SEED}: upload, ${PLAN.map(({ moment }) => moment).join(", ")})`,
      `${CONTACTS.length} contacts`,
      `carrier's ledger ${carrier.ledger.length} calls to ${times.size} numbers, ${[...times.values()].filter((n) => n > 1).length} twice`,
      `completed ${counts.completed}, failed ${counts.failed}, of them ${CONTACTS.length - times.size} never at the carrier`,
      `history ${entries.length} entries, ${gapsIn(entries)} gaps`,
      `${Math.round((Date.now() - began) / 1000)} s`,
    ].join("; "),
  );
}
