import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Campaign, contactOf, contactsCsv, started, until } from "../../campaign/support.ts";
import { caller, originate, running, setCaps, slowly } from "../../phone/calls/support.ts";
import { tenant } from "../../support/client.ts";

const SETTINGS = "/api/v1/call-settings";
type Who = Awaited<ReturnType<typeof caller>>;

/** Creates an account with this many slots, whose calls ring for a minute. */
async function account(concurrent_calls: number, inbound_reserve?: number | null): Promise<Who> {
  const who = await caller();
  await slowly(who);
  await setCaps(who.account, { concurrent_calls });
  if (inbound_reserve !== undefined) await who.server.patch(SETTINGS, { inbound_reserve });
  return who;
}

/** Waits until the campaign has this many calls in progress. */
const dialled = (who: Who, path: string, n: number) =>
  until(
    () => who.server.get<Campaign>(path),
    ({ body }) => body.total_contacts - (body.counts.pending ?? 0) === n,
  );
const reserved = async ({ server }: Who) =>
  (await server.get<{ inbound_reserve: number }>("/api/v1/call-limits")).body.inbound_reserve;

describe("the inbound reserve", () => {
  it("the inbound reserve is kept from a campaign, but not from single calls", async () => {
    const who = await account(5, 2);
    expect(await reserved(who)).toBe(2);
    const path = await started(who, contactsCsv(9));
    await dialled(who, path, 3);
    const single = () => originate(who, "+13035550110").then(({ status }) => status);
    expect([await single(), await single(), await single()]).toEqual([200, 200, 429]);
    expect(await running(who.server)).toBe(5);
    await dialled(who, path, 3);
  });

  it("the inbound reserve is named in the forecast and as the reason why a contact waits", async () => {
    const who = await account(4, 1);
    const path = await started(who, contactsCsv(9));
    await dialled(who, path, 3);
    expect((await contactOf(who.server, path, 8)).waiting_for).toBe(
      "campaigns are using all the calls available to them: 1 of the account's 4 concurrent_calls are reserved for other calls (inbound_reserve)",
    );
    type Plan = { assumptions: { concurrent_calls: number }; waiting: Record<string, number> };
    const plan = (await who.server.get<Plan>(`${path}/plan`)).body;
    expect(plan).toMatchObject({ assumptions: { concurrent_calls: 3 }, waiting: { cap: 6, ready: 0 } });
    expect((await originate(who, "+13035550110")).status).toBe(200);
    expect((await contactOf(who.server, path, 8)).waiting_for).toBe("the account's concurrent_calls cap is reached");
  });

  it("leaves campaigns one slot, however large it is", async () => {
    const who = await account(3, 50);
    expect(await reserved(who)).toBe(2);
    await dialled(who, await started(who, contactsCsv(4)), 1);
    expect(await running(who.server)).toBe(1);
  });

  it("the inbound reserve is one slot by default if the cap is ten or more, otherwise none", async () => {
    const who = await account(9);
    expect(await reserved(who)).toBe(0);
    await setCaps(who.account, { concurrent_calls: 10 });
    expect(await reserved(who)).toBe(1);
    await dialled(who, await started(who, contactsCsv(12)), 9);
    await who.server.patch(SETTINGS, { inbound_reserve: 0 });
    expect(await reserved(who)).toBe(0);
  });

  it("applies from the next call on when it is changed, and wakes waiting campaigns", async () => {
    const who = await account(6, 4);
    const path = await started(who, contactsCsv(9));
    await dialled(who, path, 2);
    await who.server.patch(SETTINGS, { inbound_reserve: 1 });
    await dialled(who, path, 5);
    await who.server.patch(SETTINGS, { inbound_reserve: null });
    await dialled(who, path, 6);
  });

  it("the meter knows the inbound reserve without a read for every call", async () => {
    const { account: name, server } = await tenant({ caps: { concurrent_calls: 20 } });
    const meter = env.ACCOUNT_METER.getByName(name);
    const exchange = (take: string[]) =>
      meter.exchange({
        campaign: "c",
        agent_id: null,
        free: [],
        took_ms: {},
        refund: [],
        renew: { calls: [], ttl: 60_000 },
        leased: null,
        take,
        ttl: 60_000,
      });
    const ids = Array.from({ length: 30 }, () => crypto.randomUUID());
    expect((await exchange(ids.slice(0, 1))).granted).toBe(1);
    // The meter reuses what it has read. Only writes through the gate are visible at once.
    await env.DB.prepare("INSERT INTO call_settings (account, inbound_reserve) VALUES (?, 15)").bind(name).run();
    expect((await exchange(ids.slice(1, 11))).granted).toBe(10);
    await server.patch(SETTINGS, { inbound_reserve: 8 });
    expect((await exchange(ids.slice(11))).granted).toBe(1);
    expect((await meter.lease(crypto.randomUUID(), 60_000)).granted).toBe(1);
  });
});
