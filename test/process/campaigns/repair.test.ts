import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { failEverybody } from "../../../src/dev/object-files.ts";
import { Account, type Campaign, entriesOf } from "./account.ts";
import { verify } from "./crash-support.ts";
import { Service } from "./service.ts";

/** Enough for a kill in the middle of a redial. `npm run bench -- repair` redials a million. */
const CONTACTS = 18_000;
/** Every third contact failed with another outcome and must stay failed. */
const OUTCOMES = ["busy", "no_answer", "machine"];
const NAMED = ["busy", "no_answer"];
const REDIALLED = (CONTACTS * NAMED.length) / OUTCOMES.length;
/** The service is killed when a GET reports this many as pending again. */
const KILL_AFTER = 2_000;
/** An interrupted clone is noticed by its own watch. The timeout is long enough for a slow machine. */
const WAIT = { timeout: 120_000, interval: 250 };

/** The numbers of pending contacts that GETs reported before the kill. */
const seen = new Set<number>();
let service: Service;
let account: Account;
let campaign: Campaign;
/** The clone as it was listed directly before the kill. */
let clone: Campaign | undefined;

beforeAll(async () => {
  service = await Service.prepare({ TWILIO_API_URL: "http://127.0.0.1:9" });
  await service.start();
  account = await Account.open(service.url);
  const numbers = Array.from({ length: CONTACTS }, (_, i) => `+1303${2_000_000 + i}`);
  campaign = await account.upload(numbers, { scheduled_at: "2099-01-01T00:00:00Z" });
  await account.operate("start", campaign);
  await account.operate("pause", campaign);
  service.kill();
  await service.gone();
  // Placing this many calls would take too long, so contacts are marked as failed while the service is stopped.
  failEverybody(service.stateDir, campaign.id, OUTCOMES);
  await service.start();
  await killDuringRedial();
  await service.start();
  clone = await killDuringClone();
}, 300_000);

afterAll(async () => {
  await service?.remove();
}, 60_000);

const path = () => `/api/v1/campaigns/${campaign.id}`;

async function killDuringRedial(): Promise<void> {
  const redialling = account.request("POST", `${path()}/redial`, { outcomes: NAMED }).catch(() => undefined);
  do seen.add((await account.campaign(campaign)).counts.pending ?? 0);
  while (Math.max(...seen) < KILL_AFTER);
  service.kill();
  await service.gone();
  await redialling;
}

/** Returns the interrupted clone, with the service running again. */
async function killDuringClone(): Promise<Campaign> {
  let listed: Campaign | undefined;
  const cloning = account.request("POST", `${path()}/clone`, { contacts: "all" }).catch(() => undefined);
  while (listed === undefined) {
    listed = (await account.list()).find(({ id }) => id !== campaign.id);
    await sleep(5);
  }
  service.kill();
  await service.gone();
  await cloning;
  await service.start();
  const { status, body } = await account.request<Campaign>("GET", `/api/v1/campaigns/${listed.id}`);
  if (status === 404 || body.status_reason === "importing") return listed;
  // The clone was complete before the kill.
  await account.request("DELETE", `/api/v1/campaigns/${listed.id}`);
  return killDuringClone();
}

describe("a redial of many contacts with a kill in the middle", () => {
  it("the service is killed before all contacts are pending, and serves other requests meanwhile", () => {
    expect(Math.max(...seen)).toBeLessThan(REDIALLED);
  });

  it("finishes by itself: exactly the selected contacts are pending", async () => {
    await vi.waitFor(async () => expect((await account.campaign(campaign)).counts.pending).toBe(REDIALLED), WAIT);
    const record = await account.campaign(campaign);
    expect(record).toMatchObject({ status: "paused", counts: { failed: CONTACTS - REDIALLED } });
    const entries = entriesOf(await account.history(campaign)).filter(({ reason }) => reason === "redial");
    const again = entries.filter(({ contact }) => contact !== null);
    expect(again).toHaveLength(REDIALLED);
    expect(new Set(again.map(({ contact }) => contact)).size).toBe(REDIALLED);
    expect((await account.contacts(campaign, "pending")).length).toBe(REDIALLED);
  });

  it("leaves a consistent history, and a campaign that continues", async () => {
    expect(await verify(await account.history(campaign))).toContain("unbroken");
    expect((await account.request("POST", `${path()}/redial`, { outcomes: ["busy"] })).body).toEqual({ contacts: 0 });
    expect((await account.operate("resume", campaign)).status).toBe("running");
  });
});

describe("a clone whose service is killed during its creation", () => {
  it("leaves nothing behind, and its original unchanged", async () => {
    const cut = clone as Campaign;
    expect(cut).toMatchObject({ status: "draft", status_reason: "importing" });
    await vi.waitFor(async () => expect((await account.list()).map(({ id }) => id)).toEqual([campaign.id]), WAIT);
    for (const part of ["", "/contacts", "/history", "/export"])
      expect(await account.isGone(`/api/v1/campaigns/${cut.id}${part}`)).toBe(true);
    const again = await account.request<Campaign>("POST", `${path()}/clone`, { contacts: ["machine"] });
    expect(again).toMatchObject({ status: 201, body: { counts: { pending: CONTACTS - REDIALLED } } });
  });
});
