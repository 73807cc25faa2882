import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CALLS_FOR_METER } from "../../../src/account/gate/calls-for-meter.ts";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { hasTable, migrate } from "../../../src/kernel/durable/migrate.ts";
import { contactsCsv, started, until } from "../../campaign/support.ts";
import { type Calls, caller, running, slowly } from "../../phone/calls/support.ts";
import { tenant } from "../../support/client.ts";

const MINUTE_MS = 60_000;
/** The schema of the release that counted calls in the gate. */
const BEFORE = GATE_MIGRATIONS.slice(0, GATE_MIGRATIONS.indexOf(CALLS_FOR_METER));
const TABLES = ["call_leases", "admissions", "days", "turns"] as const;

type Rows = Record<(typeof TABLES)[number], Record<string, SqlStorageValue>[]>;

const gateOf = (account: string) => env.ACCOUNT_GATE.getByName(account);
const meterOf = (account: string) => env.ACCOUNT_METER.getByName(account);
const within = <R>(object: object, work: (storage: DurableObjectStorage) => R): Promise<R> =>
  runInDurableObject(object as DurableObjectStub, (_, { storage }) => work(storage));
const evict = (object: object) => evictDurableObject(object as DurableObjectStub);

/** The meter's rows, in the columns that gates of that release had. */
function rowsOf({ sql }: DurableObjectStorage): Rows {
  const without = ({ caller: _, ...row }: Record<string, SqlStorageValue>) => row;
  const rows = TABLES.map((name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray().map(without)]);
  return Object.fromEntries(rows) as Rows;
}

function insert({ sql }: DurableObjectStorage, rows: Rows): void {
  for (const name of TABLES)
    for (const row of rows[name]) {
      const columns = Object.keys(row);
      const places = columns.map(() => "?").join(", ");
      sql.exec(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`, ...Object.values(row));
    }
}

/** Leaves the account as the release left it that counted calls in the gate, both objects not yet built by this one. */
async function asBefore(account: string, rows: Rows): Promise<void> {
  await within(meterOf(account), (storage) => storage.deleteAll());
  await within(gateOf(account), async (storage) => {
    await storage.deleteAll();
    migrate(storage, BEFORE, Date.now());
    insert(storage, rows);
  });
  await Promise.all([evict(meterOf(account)), evict(gateOf(account))]);
}

/** Three calls of a campaign and two others, all admitted within this minute; one more was today and is over. */
function held(now: number): Rows {
  const lease = (n: number, more: object) => ({
    call_id: `call-${n}`,
    admitted_at: now,
    expires_at: now + 10 * MINUTE_MS,
    look_at: null,
    looked_at: null,
    hang_up: 0,
    campaign: null,
    ...more,
  });
  return {
    call_leases: [
      ...[1, 2, 3].map((n) => lease(n, { campaign: "first" })),
      lease(4, { look_at: now + 5 * MINUTE_MS, looked_at: now }),
      lease(5, { look_at: now + 5 * MINUTE_MS, looked_at: now, hang_up: 1 }),
    ],
    admissions: [
      { at: now, calls: 4 },
      { at: now, calls: 1 },
    ],
    days: [{ day: new Date(now).toISOString().slice(0, 10), calls: 6 }],
    turns: [
      { place: 7, campaign: "second", called_at: null },
      { place: 9, campaign: "first", called_at: now },
    ],
  };
}

/** An account with a cap of six, of which five are in use at a gate of the last release. */
async function upgraded() {
  const who = await tenant({ caps: { concurrent_calls: 6 } });
  const now = Date.now();
  await asBefore(who.account, held(now));
  return { ...who, now, gate: gateOf(who.account), meter: meterOf(who.account) };
}
const USAGE = { concurrent: 5, ofCampaigns: 3, lastMinute: 5, today: 6 };
const usage = async (account: string) => (await meterOf(account).usage()).usage;
const left = (account: string) =>
  within(gateOf(account), (storage) =>
    hasTable(storage, "calls_for_meter") ? storage.sql.exec("SELECT 1 FROM calls_for_meter").toArray().length : null,
  );
const forgotten = (account: string) => vi.waitFor(async () => expect(await left(account)).toBe(0), { interval: 10 });

afterEach(() => vi.restoreAllMocks());

describe("calls that a gate of the last release holds", () => {
  it("are the meter's, row by row, before it admits one, and the gate's no more", async () => {
    const { account, meter, gate, now } = await upgraded();
    // The cap is six: of fifty that ask at once one is the sixth.
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => meter.lease(`new-${n}`, MINUTE_MS)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(1);
    expect(await usage(account)).toMatchObject({ concurrent: 6, ofCampaigns: 3, lastMinute: 6, today: 7 });
    const rows = await within(meter, rowsOf);
    const before = held(now);
    const kept = rows.call_leases.filter(({ call_id }) => String(call_id).startsWith("call-"));
    // The meter asks about watched calls as after being rebuilt.
    const unwatched = (leases: Rows["call_leases"]) => leases.map(({ look_at: _, ...lease }) => lease);
    expect(unwatched(kept)).toEqual(unwatched(before.call_leases));
    expect(kept.map(({ look_at }) => look_at !== null)).toEqual([false, false, false, true, true]);
    expect(rows.turns.map(({ campaign }) => campaign)).toEqual(["second", "first"]);
    await forgotten(account);
    expect(await within(gate, (storage) => TABLES.filter((name) => hasTable(storage, name)))).toEqual([]);
    const steps = await within(gate, ({ sql }) => sql.exec("SELECT id FROM migrations ORDER BY n").toArray());
    expect(steps).toContainEqual({ id: CALLS_FOR_METER.id });
  });

  it("move when the account is used again, even if no call is requested", async () => {
    const { account, server } = await upgraded();
    expect((await server.get("/api/v1/agents")).status).toBe(200);
    await forgotten(account);
    expect(await within(meterOf(account), (storage) => rowsOf(storage).call_leases.length)).toBe(5);
    expect(await within(meterOf(account), (storage) => storage.getAlarm())).not.toBeNull();
  });

  it("count once if the gate missed that the meter has them", async () => {
    const { account, meter, gate } = await upgraded();
    const rows = await gate.callsForMeter();
    expect(rows).toHaveLength(10);
    expect(await usage(account)).toMatchObject(USAGE);
    await forgotten(account);
    await meter.release(["call-1"]);
    // As if the gate had died before it deleted them, and both were rebuilt.
    await within(gate, ({ sql }) => {
      for (const { name, columns } of rows) sql.exec("INSERT INTO calls_for_meter VALUES (?, ?)", name, columns);
    });
    await Promise.all([evict(meter), evict(gate)]);
    expect(await usage(account)).toMatchObject({ ...USAGE, concurrent: 4, ofCampaigns: 2 });
    expect(await gate.callsForMeter()).toHaveLength(10);
    await forgotten(account);
    expect(await usage(account)).toMatchObject({ ...USAGE, concurrent: 4, ofCampaigns: 2 });
  });

  it("are not lost if the meter dies while it takes them over, and no call is admitted before they are there", async () => {
    const { account, meter } = await upgraded();
    // Its tables are there, so that its own storage can refuse the last row.
    await within(meter, (storage) => {
      migrate(storage, METER_MIGRATIONS, Date.now());
      storage.sql.exec(
        "CREATE TRIGGER dies BEFORE INSERT ON calls_from_gate BEGIN SELECT RAISE(ABORT, 'the meter dies'); END",
      );
    });
    const why = await meter.lease("new", MINUTE_MS).then(
      () => expect.fail("a call was admitted"),
      (error: unknown) => String(error),
    );
    expect(why).toContain("the meter dies");
    expect(await within(meter, (storage) => rowsOf(storage).call_leases)).toEqual([]);
    await within(meter, ({ sql }) => sql.exec("DROP TRIGGER dies"));
    await evict(meter);
    expect((await meter.lease("new", MINUTE_MS)).granted).toBe(1);
    expect((await meter.lease("another", MINUTE_MS)).granted).toBe(0);
    expect(await usage(account)).toMatchObject({ ...USAGE, concurrent: 6, lastMinute: 6, today: 7 });
    await forgotten(account);
  });

  it("are empty for a gate that never held one, and the request stores nothing", async () => {
    const { account } = await tenant();
    await within(gateOf(account), (storage) => storage.deleteAll());
    await evict(gateOf(account));
    expect((await meterOf(account).lease("first", MINUTE_MS)).granted).toBe(1);
    expect(await left(account)).toBeNull();
  });
});

describe("a deploy in the middle of a campaign", () => {
  it("places no call over the cap, and the campaign continues when one ends", async () => {
    const who = await caller({ caps: { concurrent_calls: 3 } });
    await slowly(who);
    const path = await started(who, contactsCsv(12));
    const calls = async () => (await who.server.get<Calls>("/api/v1/calls?limit=100")).body;
    await until(calls, ({ total }) => total === 3);
    const campaign = env.CAMPAIGN.getByName(`${who.account}/${path.split("/").at(-1)}`);
    await asBefore(who.account, await within(meterOf(who.account), rowsOf));
    await evict(campaign);
    expect(await running(who.server)).toBe(3);
    const [first] = (await calls()).calls;
    expect((await who.server.post(`/api/v1/calls/${first?.call_id}/hangup`)).status).toBe(200);
    await until(calls, ({ total }) => total === 4);
    expect(await running(who.server)).toBe(3);
    expect((await calls()).calls.filter(({ ended_at }) => ended_at === null)).toHaveLength(3);
    await forgotten(who.account);
  });
});
