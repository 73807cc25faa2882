import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { restoreRecords } from "../../../src/dev/backup/give.ts";
import { frame, type Record_, Tally } from "../../../src/dev/backup/records.ts";
import { recordsOf } from "../../../src/dev/backup/take.ts";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { type Campaign, type Contact, createAccount } from "../campaigns/account.ts";
import { mustBe, numbers, summaryOf, WAIT } from "../campaigns/crash-support.ts";
import { freshFetch, Service } from "../campaigns/service.ts";
import { CREDENTIALS, StandInCarrier } from "../campaigns/stand-in-carrier.ts";
import { operatorApi } from "./support.ts";

/** Without numbers whose end the carrier never reports, because their calls are settled minutes later. */
const CONTACTS = numbers(60).filter((number) => !number.endsWith("3"));
/** The number of concurrent calls. */
const CAP = 4;
const FROM = "+12025550142";
/** Base64 of 32 bytes: the key under which secrets are transported. */
const TRANSPORT = Buffer.alloc(32, 5).toString("base64");

let carrier: StandInCarrier;
let source: Service;
let target: Service;

beforeAll(async () => {
  carrier = await StandInCarrier.open();
  source = await Service.prepare({ TWILIO_API_URL: carrier.url });
  target = await Service.prepare({ TWILIO_API_URL: carrier.url });
  await Promise.all([source.start(), target.start()]);
}, 120_000);

afterAll(async () => {
  await Promise.all([source?.remove(), target?.remove()]);
  await carrier?.close();
}, 60_000);

it("an account that is moved during a campaign, with a kill during the restore, dials no contact twice", async () => {
  const { account, email } = await createAccount(source.url);
  const owner = await new ApiClient(source.url, freshFetch).signIn({ account, email }, LONG_PASSWORD);
  await (await new ApiClient(source.url, freshFetch).signIn(OPERATOR)).send(
    "PATCH",
    `/api/admin/v1/accounts/${account}`,
    {
      caps: { concurrent_calls: CAP },
    },
  );
  const keys = { provider: "twilio", credentials: CREDENTIALS };
  const { id: credentials_id } = await owner.post<{ id: string }>("/api/v1/telephony/providers", keys);
  const { id: agent_id } = await owner.post<{ id: string }>("/api/v1/agents", { name: "Caller", status: "active" });
  const number = { e164: FROM, provider: "twilio", credentials_id, agent_id };
  await owner.post("/api/v1/telephony/numbers", number);
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Autumn", agent_id, from_number: FROM, timezone: "UTC" }))
    form.append(name, value);
  form.append("contacts", new Blob([`phone_number\n${CONTACTS.join("\n")}\n`]), "contacts.csv");
  const campaign = await owner.upload<Campaign>("/api/v1/campaigns", form);
  const path = `/api/v1/campaigns/${campaign.id}`;
  await owner.post(`${path}/start`);
  await vi.waitUntil(() => carrier.ledger.length >= 20, WAIT);

  const options = {
    api: await operatorApi(source.url),
    account,
    transport: TRANSPORT,
    move: true,
    now: () => new Date(),
  };
  const taken: Record_[] = [];
  const tally = new Tally();
  for await (const record of recordsOf({ ...options, pause: () => sleep(50), say: () => {} })) {
    tally.add(record);
    taken.push(record);
  }
  taken.push({ type: "end", value: tally.totals });
  const dialledBefore = carrier.ledger.length;
  expect(dialledBefore).toBeLessThan(CONTACTS.length);
  // Secrets leave the source only in sealed form.
  const text = Buffer.concat(taken.map((record) => frame(record))).toString();
  expect(text).not.toContain(CREDENTIALS.auth_token);
  source.kill();

  const half = Math.floor(taken.length / 2);
  async function* untilKilled(): AsyncGenerator<Record_> {
    for (const [n, record] of taken.entries()) {
      if (n === half) target.kill();
      yield record;
    }
  }
  const to = { as: null, plan: "scale", transport: TRANSPORT };
  await expect(restoreRecords(untilKilled(), { ...to, api: await operatorApi(target.url) })).rejects.toThrow();
  await target.gone();
  await target.start();
  const operator = await new ApiClient(target.url, freshFetch).signIn(OPERATOR);
  const admin = `/api/admin/v1/accounts/${account}`;
  await expect(operator.send("PATCH", admin, { disabled: false })).rejects.toThrow(/409/);

  async function* all(): AsyncGenerator<Record_> {
    yield* taken;
  }
  const done = await restoreRecords(all(), { ...to, api: await operatorApi(target.url) });
  expect(done).toEqual({ account, before: false });
  await operator.post(`${admin}/users`, { email, password: LONG_PASSWORD });
  const there = await new ApiClient(target.url, freshFetch).signIn({ account, email }, LONG_PASSWORD);
  expect(await there.get<Campaign>(path)).toMatchObject({ status: "paused", total_contacts: CONTACTS.length });
  expect(carrier.ledger).toHaveLength(dialledBefore);
  await there.post(`${path}/resume`);
  await vi.waitUntil(async () => (await there.get<Campaign>(path)).status === "completed", WAIT);
  expect([...carrier.timesDialled()].filter(([, times]) => times > 1)).toEqual([]);
  const dialled = carrier.timesDialled();
  const { contacts } = await there.get<{ contacts: Contact[] }>(`${path}/contacts?limit=1000`);
  // On a busy machine, the carrier may never receive a contact's call. Such a contact is recorded as unknown and never
  // tried again.
  expect(contacts.map(summaryOf).sort()).toEqual(CONTACTS.map((number) => mustBe(number, dialled)).sort());
  expect(CONTACTS.length - dialled.size).toBeLessThanOrEqual(CAP);
}, 300_000);
