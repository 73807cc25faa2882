import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Account, type Call } from "../campaigns/account.ts";
import { Service } from "../campaigns/service.ts";
import { type CarrierCall, FOR_EVER, StandInCarrier } from "../campaigns/stand-in-carrier.ts";
import type { Played, ReceivedRequest } from "../carriers/stand-in.ts";

/**
 * Tests the whole service with a carrier that causes trouble. Each test has its own account and numbers, so all tests
 * run at once and wait for their clocks together.
 */
const WAIT = { timeout: 100_000, interval: 100 };
/** Longer than the service waits for a carrier's response. */
const TOO_LATE_MS = 11_500;
/** The number of refusals before the check: one for the single call, several for the campaign. */
const REFUSALS = 4;

type Trouble = (request: ReceivedRequest, serve: () => Played) => Played | Promise<Played> | null;
const troubles = new Map<string, Trouble>();
const durations = new Map<string, { ring: number; talk: number }>();
let carrier: StandInCarrier;
let service: Service;

beforeAll(async () => {
  carrier = await StandInCarrier.open();
  carrier.intercept = (request, to, serve) => troubles.get(to.slice(0, 8))?.(request, serve) ?? null;
  carrier.lasts = (to) => durations.get(to.slice(0, 8)) ?? { ring: 80, talk: 120 };
  service = await Service.prepare({
    TWILIO_API_URL: carrier.url,
    CALL_RING_TIMEOUT_S: "30",
    CALL_MAX_DURATION_S: "300",
  });
  await service.start();
});

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
});

let worlds = 0;
/** Creates an account, and two numbers to call (by a campaign and alone) for which the carrier follows the test. */
async function world(lasts = { ring: 80, talk: FOR_EVER }) {
  const prefix = `+1303${300 + worlds++}`;
  durations.set(prefix, lasts);
  const account = await Account.open(service.url);
  const alone = `${prefix}4009`;
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => `${prefix}5${String(i * 10).padStart(3, "0")}`);
  return {
    account,
    alone,
    numbers,
    inCampaign: `${prefix}5000`,
    trouble: (how: Trouble) => troubles.set(prefix, how),
    calm: () => troubles.delete(prefix),
    async run(n = 1) {
      const campaign = await account.upload(numbers(n));
      await account.operate("start", campaign);
      return campaign;
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

const atCarrier = (to: string) => carrier.ledger.filter((call) => call.to === to);
const used = async ({ account }: World) => (await account.limits()).concurrent_calls.used;

/** Returns the account's call to a number once it has this status. */
async function recorded({ account }: World, to: string, status: string): Promise<Call> {
  return vi.waitFor(async () => {
    const { calls } = await account.get<{ calls: Call[] }>("/api/v1/calls?limit=100");
    const call = calls.find((one) => one.to_number === to);
    expect(`${to} ${call?.status}`).toBe(`${to} ${status}`);
    return call as Call;
  }, WAIT);
}

/** Creates a call by a campaign and a single call, both in conversation. */
async function talking() {
  const here = await world();
  const campaign = await here.run();
  expect((await here.account.originate(here.alone)).status).toBe(200);
  const calls = [await recorded(here, here.inCampaign, "in-progress"), await recorded(here, here.alone, "in-progress")];
  expect(await used(here)).toBe(2);
  return { ...here, campaign, calls };
}

describe.concurrent("a carrier that is too slow to confirm a call", () => {
  it("loses no conversation, because its reports about the call are accepted until the call's end", async () => {
    const here = await world({ ring: 400, talk: FOR_EVER });
    here.trouble(async ({ method, path }, serve) => {
      if (method === "POST" && path.endsWith("/Calls.json")) await sleep(TOO_LATE_MS);
      return serve();
    });
    const campaign = await here.run();
    const answer = await here.account.originate(here.alone);
    expect([answer.status, answer.code]).toEqual([500, "carrier_unknown"]);
    for (const to of [here.inCampaign, here.alone]) await recorded(here, to, "in-progress");
    expect((await here.account.campaign(campaign)).counts.connected).toBe(1);
    expect(await used(here)).toBe(2);
    for (const to of [here.inCampaign, here.alone]) {
      await carrier.hungUpBy(to);
      await recorded(here, to, "completed");
    }
    expect(await here.account.contacts(campaign)).toMatchObject([
      { status: "completed", outcome: "answered", attempt_count: 1 },
    ]);
    expect([atCarrier(here.inCampaign).length, atCarrier(here.alone).length]).toEqual([1, 1]);
    await vi.waitFor(async () => expect(await used(here)).toBe(0), WAIT);
  });
});

describe.concurrent("calls whose number and credentials are taken away", () => {
  it("a call whose number and credentials are deleted is still followed, recorded and hung up", async () => {
    const { account, campaign, calls, ...here } = await talking();
    const { request: sendRequest, paths } = account;
    await account.operate("pause", campaign);
    const other = { e164: "+12025550177", provider: "sandbox" };
    expect((await sendRequest("POST", "/api/v1/telephony/numbers", other)).status).toBe(201);
    const moved = await sendRequest("PATCH", `/api/v1/campaigns/${campaign.id}`, { from_number: other.e164 });
    expect(moved.status).toBe(200);
    expect((await sendRequest("DELETE", paths.number)).status).toBe(204);
    expect((await sendRequest("DELETE", paths.credentials)).status).toBe(204);

    for (const [i, { call_id, to_number }] of calls.entries()) {
      const [{ sid, callback }] = atCarrier(to_number) as [CarrierCall];
      expect(await carrier.send(callback, { CallSid: sid, AnsweredBy: "human" })).toBe(204);
      const fields = { RecordingSid: `RE${i}`, RecordingStatus: "completed", RecordingDuration: "3" };
      expect(await carrier.send(callback, { CallSid: sid, ...fields })).toBe(204);
      await vi.waitFor(async () => expect((await account.call(call_id)).recording_id).toBeTruthy(), WAIT);
      expect((await sendRequest("POST", `/api/v1/calls/${call_id}/hangup`)).status).toBe(200);
      await recorded({ account, ...here }, to_number, "completed");
      expect(atCarrier(to_number)).toMatchObject([{ status: "completed", ended: 1 }]);
    }
    expect(await account.contacts(campaign)).toMatchObject([{ status: "completed" }]);
    await vi.waitFor(async () => expect((await account.limits()).concurrent_calls.used).toBe(0), WAIT);
  });
});

describe.concurrent("a carrier that does not hang up", () => {
  it.each<[string, Played]>([
    ["answers 500", { status: 500 }],
    ["breaks the connection", "close"],
  ])("a carrier that %s is asked again until it answers, which frees the slot once", async (_, failure) => {
    const here = await talking();
    const tries = new Map<string, number>();
    here.trouble(({ method, path }) => {
      if (method !== "POST" || path.endsWith("/Calls.json")) return null;
      tries.set(path, (tries.get(path) ?? 0) + 1);
      return (tries.get(path) ?? 0) <= 2 ? failure : null;
    });
    for (const [i, { call_id }] of here.calls.entries()) {
      const answer = await here.account.request("POST", `/api/v1/calls/${call_id}/hangup`);
      expect([answer.status, answer.code]).toEqual([500, "carrier_unknown"]);
      expect((await here.account.call(call_id)).status).toBe("in-progress");
      expect(await used(here), `slots before the end of call ${i + 1}`).toBe(2);
    }
    for (const { to_number } of here.calls) {
      await recorded(here, to_number, "completed");
      expect(atCarrier(to_number)).toMatchObject([{ status: "completed", ended: 1 }]);
    }
    await vi.waitFor(async () => expect(await used(here)).toBe(0), WAIT);
    // If a slot were freed twice, an uncounted call would be admitted.
    here.calm();
    await here.account.originate(here.alone);
    expect(await used(here)).toBe(1);
    expect((await here.account.limits()).calls_per_day.used).toBe(3);
    expect(await here.account.contacts(here.campaign)).toMatchObject([{ status: "completed", attempt_count: 1 }]);
  });
});

describe.concurrent("a carrier that asks for a slower pace", () => {
  it("does not use the account's caps, and the campaign continues afterwards", async () => {
    const here = await world({ ring: 80, talk: 120 });
    let refusals = 0;
    here.trouble(() => {
      refusals++;
      return { status: 429, body: { code: 20429, message: "Too many" } };
    });
    const campaign = await here.run(40);
    const refused = await here.account.originate(here.alone);
    expect([refused.status, refused.code]).toEqual([500, "carrier_rate"]);
    expect(await recorded(here, here.alone, "failed")).toMatchObject({
      end_reason: "failed",
      metadata: { carrier_reason: "rate" },
    });
    await vi.waitFor(async () => {
      const { status, counts } = await here.account.campaign(campaign);
      expect([status, counts.originated, refusals >= REFUSALS]).toEqual(["running", 0, true]);
      const { concurrent_calls, calls_per_minute, calls_per_day } = await here.account.limits();
      expect([concurrent_calls.used, calls_per_minute.used, calls_per_day.used]).toEqual([0, 0, 0]);
    }, WAIT);
    here.calm();
    await vi.waitFor(async () => expect((await here.account.campaign(campaign)).status).toBe("completed"), WAIT);
    expect((await here.account.contacts(campaign)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual(
      here.numbers(40).map(() => ["completed", 1]),
    );
    expect((await here.account.limits()).calls_per_day.used).toBe(40);
  });
});
