import { createScheduledController, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import worker from "../../../src/index.ts";
import { accountDays, DAY_SUMS, type DaySum } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { happening, list, take } from "../../records/events/support.ts";
import { ENDED, lineReport } from "../../records/ledger/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";

const PATH = "/api/v1/privacy";
const DAY_MS = 86_400_000;
const WAIT = { interval: 20 };
const DEFAULTS = {
  conversations_days: null,
  recordings_days: 90,
  calls_days: null,
  events_days: null,
  audit_days: 730,
};

afterEach(() => {
  vi.useRealTimers();
});

/** Runs the cron this many days from now. */
const cron = (days: number) =>
  worker.scheduled(
    createScheduledController({ scheduledTime: new Date(Date.now() + days * DAY_MS), cron: "*/10 * * * *" }),
    env,
  );

interface Entry {
  action: string;
  resource: string;
  changes: Record<string, unknown> | null;
}
const entriesOf = async ({ user }: Tenant, resource: string) =>
  (await user.get<{ entries: Entry[] }>(`/api/v1/audit-log?resource=${resource}`)).body.entries;

describe("the retention settings of an account", () => {
  it("have defaults, and change one by one or together, with an audit entry for each change", async () => {
    const who = await tenant();
    expect((await who.user.get(PATH)).body).toEqual(DEFAULTS);
    const all = { conversations_days: 30, recordings_days: 7, calls_days: 365, events_days: 3, audit_days: 90 };
    expect((await who.user.patch(PATH, { calls_days: 365 })).body).toEqual({ ...DEFAULTS, calls_days: 365 });
    expect((await who.user.patch(PATH, all)).body).toEqual(all);
    expect((await who.user.patch(PATH, all)).body).toEqual(all);
    const kept = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
    expect((await who.user.patch(PATH, kept)).body).toEqual(kept);
    expect((await who.user.get(PATH)).body).toEqual(kept);
    const changes = (await entriesOf(who, "privacy")).map((entry) => Object.keys(entry.changes ?? {}));
    const names = Object.keys(all).sort();
    expect(changes.map((fields) => fields.sort())).toEqual([
      names,
      names.filter((name) => name !== "calls_days"),
      ["calls_days"],
    ]);
  });

  it("share their values with the call settings and with the operator's setting for recordings", async () => {
    const who = await tenant();
    await who.user.patch("/api/v1/call-settings", { retention_days: 20 });
    expect((await who.user.get(PATH)).body).toMatchObject({ conversations_days: 20 });
    await who.user.patch(PATH, { conversations_days: 40 });
    expect((await who.user.get("/api/v1/call-settings")).body).toMatchObject({
      retention_days: 40,
      ring_timeout_s: 45,
    });
    await who.user.patch(PATH, { recordings_days: 5 });
    const [row] = (
      await env.DB.prepare("SELECT recording_retention_days days FROM accounts WHERE name = ?").bind(who.account).all()
    ).results;
    expect(row).toEqual({ days: 5 });
  });

  it("delete older entries of the audit log, and only the account's own", async () => {
    const [who, other] = [await tenant(), await tenant()];
    await who.user.patch(PATH, { audit_days: 90 });
    await other.user.patch(PATH, { calls_days: 90 });
    await cron(89);
    expect(await entriesOf(who, "privacy")).toHaveLength(1);
    await cron(91);
    expect(await entriesOf(who, "privacy")).toEqual([]);
    expect(await entriesOf(other, "privacy")).toHaveLength(1);
  });

  it("delete entries of the audit log after 730 days by default, and keep them if the setting is null", async () => {
    const [who, other] = [await tenant(), await tenant()];
    await other.user.patch(PATH, { audit_days: null });
    for (const { server } of [who, other]) await server.post("/api/v1/faqs", { name: "mine" });
    await cron(729);
    expect(await entriesOf(who, "faq")).toHaveLength(1);
    await cron(731);
    expect(await entriesOf(who, "faq")).toEqual([]);
    expect(await entriesOf(other, "faq")).toHaveLength(1);
  });

  it("delete daily totals after 1,100 days", async () => {
    const { account } = await tenant();
    const day = new Date().toISOString().slice(0, 10);
    const sums = Object.fromEntries(DAY_SUMS.map((name) => [name, 0])) as Record<DaySum, number>;
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    await store.record(store.insert(accountDays, Object.assign(sums, { day, revision: 1 })));
    const kept = () => env.DB.prepare("SELECT day FROM account_days WHERE account = ?").bind(account).all();
    await cron(1_099);
    expect((await kept()).results).toHaveLength(1);
    await cron(1_102);
    expect((await kept()).results).toEqual([]);
  });

  it("delete older calls, again after every change of the setting", async () => {
    const who = await tenant();
    const store = accountStore(env, who.account, { actor: "test", request_id: "" });
    const ledger = new Ledger({ env, store });
    const id = newId();
    await ledger.report([lineReport(id, 1, ENDED)]);
    await who.user.patch(PATH, { calls_days: 30 });
    await cron(10);
    expect(await ledger.call(id)).not.toBeNull();
    await who.user.patch(PATH, { calls_days: 5 });
    await cron(10);
    await vi.waitFor(async () => expect(await ledger.call(id)).toBeNull(), WAIT);
  });

  it("delete older events", async () => {
    const who = await tenant();
    const alarm = () => runDurableObjectAlarm(accountEvents(env, who.account) as unknown as DurableObjectStub);
    await take(who.account, [happening(1, "opt_out.added", new Date().toISOString())]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * DAY_MS });
    await alarm();
    expect((await list(who.server)).events).toHaveLength(1);
    await who.server.patch(PATH, { events_days: 2 });
    await alarm();
    await vi.waitFor(async () => expect((await list(who.server)).events).toEqual([]), WAIT);
  });
});

describe("the retention settings of an account", () => {
  it.each([
    { events_days: 31 },
    { audit_days: 89 },
    { calls_days: 0 },
    { conversations_days: 3_651 },
    { recordings_days: 1.5 },
    { recordings_days: "7" },
  ])("the retention settings cannot be %j", async (body) => {
    const who = await tenant();
    const { status, code } = await who.user.patch(PATH, body);
    expect([status, code]).toEqual([400, "invalid_request"]);
    expect((await who.user.get(PATH)).body).toEqual(DEFAULTS);
  });
});
