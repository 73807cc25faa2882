import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Account, type Campaign } from "./account.ts";
import { numbers, verify, WAIT } from "./crash-support.ts";
import { Service } from "./service.ts";

/** More contacts than the service receives before it stores the first of them. */
const ADDED = 25_000;
const FIRST = 1_000;

let service: Service;
let account: Account;
let campaign: Campaign;
/** The campaign before the upload. */
let before: unknown;

/** Returns everything that a client can see of the campaign, except the time of its last change. */
async function shown() {
  const { updated_at, ...record } = (await account.campaign(campaign)) as Campaign & { updated_at: string };
  const files = ["rejects", "duplicates", "history"];
  const text = (name: string) => account.text(`/api/v1/campaigns/${campaign.id}/${name}`);
  return { record, contacts: await account.contacts(campaign), files: await Promise.all(files.map(text)) };
}

beforeAll(async () => {
  service = await Service.prepare({});
  await service.start();
  account = await Account.open(service.url);
  campaign = await account.upload(numbers(FIRST));
  before = await shown();
  account.beginUpload(numbers(FIRST + ADDED).slice(1), `/api/v1/campaigns/${campaign.id}/contacts`);
  // A draft can never be paused, but the reason is a different one once the upload has begun. The upload continues in
  // the meantime.
  await vi.waitFor(async () => {
    const { status, code } = await account.request("POST", `/api/v1/campaigns/${campaign.id}/pause`);
    expect([status, code]).toEqual([409, "importing"]);
  }, WAIT);
  expect(await shown()).toEqual(before);
  service.kill();
  await service.gone();
  await service.start();
}, 300_000);

afterAll(() => service?.remove(), 60_000);

describe("a campaign whose service is killed while contacts are added to it", () => {
  it("keeps its previous contacts and an unbroken history", async () => {
    expect(await shown()).toEqual(before);
    expect(await verify(await account.history(campaign))).toContain("unbroken");
  });

  it("accepts the same contacts again, each once", async () => {
    const all = numbers(FIRST + ADDED);
    const added = await vi.waitFor(async () => account.add(campaign, all.slice(1)), WAIT);
    expect(added).toEqual({ accepted: ADDED, rejected: 0, duplicates: FIRST - 1 });
    const [, ...lines] = (await account.text(`/api/v1/campaigns/${campaign.id}/export`)).trimEnd().split("\r\n");
    expect(lines.map((line) => line.slice(0, line.indexOf(",")))).toEqual(all);
    expect((await account.campaign(campaign)).counts.pending).toBe(all.length);
    expect(await verify(await account.history(campaign))).toContain("unbroken");
  });
});
