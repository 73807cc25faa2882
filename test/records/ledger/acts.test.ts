import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { erased } from "../../account-data/erasures/support.ts";
import { type Client, type Tenant, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { firstVolume } from "../../support/ledger.ts";

interface Entry {
  id: string;
  at: string;
  actor_name: string | null;
  action: string;
  resource: string;
  resource_id: string;
}
interface Page {
  entries: Entry[];
  total: number;
  total_at_least: boolean;
  next: string | null;
}

const DAY_MS = 86_400_000;

/** Records acts at these times, ms. */
async function recordActs(
  { account }: Pick<Tenant, "account">,
  times: number[],
  resource_id = "call-1",
): Promise<void> {
  const store = accountStore(env, account, { actor: "api_key:x", name: "Backend", request_id: "r" });
  const volume = await firstVolume(account);
  const acts = times.map((at) =>
    Object.assign(store.act({ action: "create", resource: "visitor_token", resource_id }), { id: newId(at) }),
  );
  await volume.report(acts.map((act) => ({ part: "act" as const, locator: act.id, act })));
}

const pageOf = async (client: Client, query = "") => (await client.get<Page>(`/api/v1/audit-log?${query}`)).body;

/** Runs the alarm of the account's volume. */
async function round({ account }: Pick<Tenant, "account">): Promise<void> {
  const volume = await firstVolume(account);
  await runInDurableObject(volume, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(volume);
}

afterEach(() => {
  vi.useRealTimers();
});

describe("an act in the audit log", () => {
  it("an act is stored even if the clock was ahead before", async () => {
    const { account, server, user } = await tenant();
    const store = accountStore(env, account, { actor: "api_key:x", request_id: "r" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * DAY_MS });
    store.act({ action: "create", resource: "visitor_token", resource_id: "user" });
    vi.useRealTimers();
    expect((await server.get("/api/v1/calls/export")).status).toBe(200);
    expect((await pageOf(user, "action=export_calls")).entries).toHaveLength(1);
  });

  it("an act with an id that the account cannot have issued is refused", async () => {
    const { account } = await tenant();
    const store = accountStore(env, account, { actor: "api_key:x", request_id: "r" });
    const act = store.act({ action: "create_url", resource: "recording", resource_id: "recording" });
    const recording = new Ledger({ env, store }).note(act, newId(Date.now() + 30 * DAY_MS));
    await expect(recording).rejects.toThrow("no volume of the ledger");
  });

  it("acts are listed page by page while new entries arrive", async () => {
    const who = await tenant();
    const { user, server } = who;
    for (let i = 0; i < 7; i++) {
      await server.post("/api/v1/agents", { name: `Agent ${i}` });
      await server.get("/api/v1/calls/export");
    }
    const whole = (await pageOf(user, "limit=100")).entries;
    expect(whole.length).toBeGreaterThanOrEqual(14);
    expect(whole.map(({ at, id }) => at + id)).toEqual(
      whole
        .map(({ at, id }) => at + id)
        .toSorted()
        .reverse(),
    );
    const seen: Entry[] = [];
    let query = "limit=3";
    for (let page = await pageOf(user, query); ; page = await pageOf(user, query)) {
      seen.push(...page.entries);
      expect(page.total_at_least).toBe(false);
      if (page.next === null) break;
      query = `limit=3&after=${page.next}`;
      await server.get("/api/v1/calls/export");
    }
    expect(seen).toEqual(whole);
  });

  it("counts in `total` and is skipped by `offset`", async () => {
    const { user, server } = await tenant();
    for (let i = 0; i < 3; i++) await server.get("/api/v1/calls/export");
    await server.post("/api/v1/agents", { name: "Ada" });
    const whole = await pageOf(user, "limit=100");
    expect(whole.total).toBe(whole.entries.length);
    for (let offset = 0; offset <= whole.total; offset++) {
      const { entries, total } = await pageOf(user, `limit=2&offset=${offset}`);
      expect([total, entries]).toEqual([whole.total, whole.entries.slice(offset, offset + 2)]);
    }
    expect(await pageOf(user, "offset=10000")).toMatchObject({ entries: [], next: null });
    expect((await user.get("/api/v1/audit-log?offset=10001")).status).toBe(400);
  });

  it("shows the name of its key", async () => {
    const { user, server } = await tenant();
    const [key] = (await user.get<{ name: string }[]>("/api/v1/api-keys")).body;
    await server.get("/api/v1/calls/export");
    const { entries } = await pageOf(user, "action=export_calls");
    expect(entries).toMatchObject([{ actor_name: key?.name, resource: "account" }]);
  });

  it("an act is found by each filter and by all together", async () => {
    const who = await tenant();
    await recordActs(who, [Date.now(), Date.now()]);
    const { user } = who;
    for (const query of [
      "action=create&resource=visitor_token",
      "actor=api_key:x",
      "resource=visitor_token&actor=api_key:x",
    ])
      expect((await pageOf(user, query)).total, query).toBe(2);
    expect((await pageOf(user, "resource=visitor_token&actor=api_key:y")).total).toBe(0);
    expect((await pageOf(user, `resource=visitor_token&until=${new Date(0).toISOString()}`)).total).toBe(0);
  });

  it.each(["made-up", "WyIyMDI2Il0.x", "a.b.c"])("the audit log cannot be paged by the cursor %s", async (after) => {
    const { user } = await tenant();
    const answer = await user.get<{ errors: { field: string }[] }>(`/api/v1/audit-log?after=${after}`);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain("after");
  });

  it("acts are not listed for another account's cursor", async () => {
    const [one, other] = [await tenant(), await tenant()];
    for (let i = 0; i < 2; i++) await one.server.get("/api/v1/calls/export");
    const { next } = await pageOf(one.user, "limit=1");
    expect(next).not.toBeNull();
    expect((await other.user.get(`/api/v1/audit-log?after=${next}`)).status).toBe(400);
  });

  it("an act is deleted after 730 days, unless the account sets another time", async () => {
    const who = await tenant();
    const now = Date.now();
    await recordActs(who, [now - 740 * DAY_MS, now - 720 * DAY_MS, now - 100 * DAY_MS, now]);
    await round(who);
    const kept = async () => (await pageOf(who.user, "resource=visitor_token")).total;
    expect(await kept()).toBe(3);
    expect((await who.user.patch("/api/v1/privacy", { audit_days: 90 })).status).toBe(200);
    await round(who);
    expect(await kept()).toBe(1);
  });

  it("an act is kept forever if the account wants that", async () => {
    const who = await tenant();
    await who.user.patch("/api/v1/privacy", { audit_days: null });
    await recordActs(who, [Date.now() - 2_000 * DAY_MS]);
    await round(who);
    expect((await pageOf(who.user, "resource=visitor_token")).total).toBe(1);
  });

  it("does not name an erased visitor", async () => {
    const who = await tenant();
    await recordActs(who, [Date.now()], "visitor-9");
    await recordActs(who, [Date.now()], "visitor-8");
    const { counts } = await erased(who, { visitor_id: "visitor-9" });
    expect(counts.audit_entries).toBe(1);
    const { entries } = await pageOf(who.user, "resource=visitor_token");
    expect(entries.map(({ resource_id }) => resource_id).toSorted()).not.toContain("visitor-9");
    expect(entries.map(({ resource_id }) => resource_id)).toContain("visitor-8");
  });

  it("an act is written once, however often it is reported", async () => {
    const { account, user } = await tenant();
    const store = accountStore(env, account, { actor: "api_key:x", request_id: "r" });
    const act = store.act({ action: "originate", resource: "call", resource_id: newId() });
    const ledger = new Ledger({ env, store });
    for (let i = 0; i < 2; i++) await ledger.note(act);
    expect((await pageOf(user, "action=originate")).total).toBe(1);
  });
});
