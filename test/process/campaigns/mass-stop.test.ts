import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events } from "../../../src/dev/event-stream.ts";
import { Account, type Campaign, entriesOf } from "./account.ts";
import { Service } from "./service.ts";

/**
 * Twenty times as many as are canceled at once, so that a kill in the middle is possible. `npm run bench -- stop` stops
 * a million.
 */
const CONTACTS = 40_000;
/** The kill happens when a GET reports this many as canceled, and the stream has delivered this many events. */
const KILL_AFTER = 12_000;
const KILL_AFTER_EVENTS = 1_000;

/** The events that the stream delivered, in order. */
const received: { id: number; phone_number?: string; status: string }[] = [];
/** The numbers of canceled contacts that GETs reported before the kill. */
const seen = new Set<number>();
let service: Service;
let account: Account;
let campaign: Campaign;

beforeAll(async () => {
  service = await Service.prepare({ TWILIO_API_URL: "http://127.0.0.1:9" });
  await service.start();
  account = await Account.open(service.url);
  const numbers = Array.from({ length: CONTACTS }, (_, i) => `+1303${2_000_000 + i}`);
  campaign = await account.upload(numbers, { scheduled_at: "2099-01-01T00:00:00Z" });
  await account.operate("start", campaign);
  const watching = watch();
  while (received.length === 0) await sleep(20);
  await account.operate("stop", campaign);
  do seen.add((await account.campaign(campaign)).counts.cancelled ?? 0);
  while (Math.max(...seen) < KILL_AFTER || received.length < KILL_AFTER_EVENTS);
  service.kill();
  await service.gone();
  await service.start();
  await watching;
}, 300_000);

afterAll(async () => {
  await service?.remove();
}, 60_000);

describe("a stop of many contacts with a kill in the middle", () => {
  it("serves other requests between its steps", () => {
    expect(seen.size).toBeGreaterThan(2);
    expect(Math.max(...seen)).toBeLessThan(CONTACTS);
  });

  it("streams every event once and in order, and none that the kill undid", async () => {
    const first = received[0]?.id ?? 0;
    expect(received.findIndex(({ id }, i) => id !== first + i)).toBe(-1);
    const entries = entriesOf(await account.history(campaign)).slice(first - 1);
    const happened = entries.map(({ seq, phone, status }) => `${seq} ${phone} ${status}`);
    expect(received.map(({ id, phone_number, status }) => `${id} ${phone_number?.slice(1) ?? null} ${status}`)).toEqual(
      happened,
    );
  });

  it("cancels all contacts", async () => {
    expect((await account.campaign(campaign)).counts).toMatchObject({ pending: 0, cancelled: CONTACTS });
  });
});

/** Follows the campaign until all contacts are canceled. */
async function watch(): Promise<void> {
  let cancelled = 0;
  for await (const { event, id, data } of events(...account.stream(campaign))) {
    // The first snapshot stands for the entry after which it was taken.
    if (event === "snapshot" && received.length > 0) continue;
    received.push({ ...JSON.parse(data), id: Number(id) });
    if (event === "cancelled" && ++cancelled === CONTACTS) return;
  }
}
