import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { nextVolumeDay } from "../../../src/records/ledger/volume-split.ts";
import { volumeOfId } from "../../../src/records/ledger/volumes.ts";
import { tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { ENDED, lineReport } from "./support.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const storeOf = (account: string) => accountStore(env, account, { actor: "system:test", request_id: "" });
const ledgerOf = (account: string) => new Ledger({ env, store: storeOf(account) });
const daysInD1 = async (account: string): Promise<string[]> =>
  (await storeOf(account).read(storeOf(account).ledgerDays()))[0];

/** Returns a call whose row is large. */
const largeReport = (id: string) => lineReport(id, 1, { ...ENDED, own_metadata: { text: "x".repeat(20_000) } });

/** Fills the volume beyond the limit in the tests' configuration, with calls of this time. */
async function fill(account: string, at: number): Promise<string[]> {
  const ids = Array.from({ length: 60 }, () => newId(at));
  await ledgerOf(account).report(ids.map(largeReport));
  return ids;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a volume that has become large", () => {
  it("adds one volume at a UTC midnight at least 24 hours ahead, and stays responsible for its own ids", async () => {
    const { account } = await tenant();
    const today = Date.now();
    const first = dayOf(today);
    vi.useFakeTimers({ toFake: ["Date"], now: today });
    const before = await fill(account, today);
    const volume = ledgerVolume(env, account, first);
    await runDurableObjectAlarm(volume);
    const second = nextVolumeDay(today);
    expect(Date.parse(second)).toBeGreaterThanOrEqual(today + DAY_MS);
    expect(await daysInD1(account)).toEqual([first, second]);

    // It keeps growing, although it is no longer the newest.
    await fill(account, today + HOUR_MS / 2);
    await evict(volume);
    await runDurableObjectAlarm(volume);
    expect(await daysInD1(account)).toEqual([first, second]);

    const midnight = Date.parse(second);
    vi.setSystemTime(midnight + HOUR_MS);
    const [last, next] = [newId(midnight - 1), newId(midnight)];
    const ledger = ledgerOf(account);
    await ledger.report([lineReport(last, 1), lineReport(next, 1)]);
    const newer = ledgerVolume(env, account, second);
    expect([await volume.call(last), await volume.call(next)]).toMatchObject([{ id: last }, null]);
    expect([await newer.call(last), await newer.call(next)]).toMatchObject([null, { id: next }]);
    for (const id of [before[0] ?? "", last, next]) expect(await ledger.call(id)).toMatchObject({ id });
    // A late report of an old call is stored where the call is.
    await ledger.report([lineReport(last, 2, ENDED)]);
    expect(await volume.call(last)).toMatchObject({ status: "completed" });
  });

  it("retries when D1 fails, and does not split twice when only the answer was lost", async () => {
    const { account } = await tenant();
    const today = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: today });
    await env.DB.prepare("UPDATE accounts SET ledger_days = 'broken' WHERE name = ?").bind(account).run();
    const volume = ledgerVolume(env, account, dayOf(today));
    await volume.report(Array.from({ length: 60 }, () => largeReport(newId(today))));
    await runDurableObjectAlarm(volume);
    const split = () =>
      runInDurableObject(volume, (_, { storage }) => storage.sql.exec("SELECT 1 FROM split").toArray().length);
    expect(await split()).toBe(0);
    // Another response was lost: the day exists, and the volume does not know it.
    const second = nextVolumeDay(today);
    await env.DB.prepare("UPDATE accounts SET ledger_days = json_array(?) WHERE name = ?").bind(second, account).run();
    vi.setSystemTime(today + DAY_MS);
    await runDurableObjectAlarm(volume);
    expect([await split(), await daysInD1(account)]).toEqual([1, [dayOf(today), second]]);
  });

  it("adds no volume before a newer one, in the past, or too soon for cached lists of volumes", async () => {
    const { account } = await tenant();
    const store = storeOf(account);
    const [today] = await daysInD1(account);
    const append = (newest: string, day: string) => store.record(store.appendLedgerDay(newest, day));
    const ahead = (days: number) => dayOf(Date.now() + days * DAY_MS);
    await append(today ?? "", ahead(-2));
    await append(today ?? "", today ?? "");
    await append("2020-01-01", ahead(3));
    expect(await daysInD1(account)).toEqual([today]);
    await append(today ?? "", ahead(3));
    await append(today ?? "", ahead(4));
    await append(ahead(3), ahead(3));
    await append(ahead(3), ahead(2));
    expect(await daysInD1(account)).toEqual([today, ahead(3)]);
  });
});

describe("the ledger", () => {
  it("logs and skips a report of an id without a volume, and stores the others", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { account } = await tenant();
    const ledger = ledgerOf(account);
    const [before, other, own] = [newId(Date.parse("2020-01-01")), crypto.randomUUID(), newId()];
    await ledger.report([before, other, own].map((id) => lineReport(id, 1)));
    expect((await ledger.call(own))?.id).toBe(own);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines.map(({ id, part }) => [id, part])).toEqual([
      [before, "line"],
      [other, "line"],
    ]);
  });

  it("uses its cached list of volumes if D1 cannot be read, as long as the list is right for every id", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { account } = await tenant();
    const now = Date.now();
    const days = await ledgerOf(account).days();
    const read = () => Promise.reject(new Error("D1 is away"));
    const ledgerAt = (at: number) =>
      new Ledger({ env, store: { account, read, ledgerDays: () => storeOf(account).ledgerDays() } }, () => at);
    expect(await ledgerAt(now + 11 * HOUR_MS).days()).toEqual(days);
    expect(logged).toHaveBeenCalledTimes(1);
    await expect(ledgerAt(now + 13 * HOUR_MS).days()).rejects.toThrow("D1 is away");
  });
});

describe("the volume of an id", () => {
  it("the volume of an id is the same by every list of volumes under 12 hours old", () => {
    const START = Date.parse("2026-01-10T00:00:00.000Z");
    const instant = fc.integer({ min: 0, max: 60 * 24 * 60 }).map((minutes) => START + minutes * 60_000);
    // Lists of volumes as splits at these times create them.
    const splits = fc.array(instant, { maxLength: 5 }).map((times) => {
      const days = [{ day: dayOf(START), from: START }];
      for (const at of times.toSorted((a, b) => a - b)) {
        const day = nextVolumeDay(at);
        if (day > (days.at(-1)?.day ?? "")) days.push({ day, from: at });
      }
      return days;
    });
    fc.assert(
      fc.property(
        splits,
        instant,
        fc.double({ min: 0, max: 11.9, noNaN: true }),
        instant,
        (volumes, now, hours, at) => {
          const asOf = (ms: number) => volumes.filter(({ from }) => from <= ms).map(({ day }) => day);
          const old = asOf(Math.max(START, now - hours * HOUR_MS));
          expect(volumeOfId(old, newId(at), now)).toBe(volumeOfId(asOf(now), newId(at), now));
        },
      ),
    );
  });

  it("an id from before the account, from the future, or that is not a UUIDv7 has no volume", () => {
    const days = ["2026-02-01", "2026-03-01"];
    const now = Date.parse("2026-03-05T12:00:00.000Z");
    const volume = (id: string) => volumeOfId(days, id, now);
    expect(volume(newId(Date.parse("2026-01-31T22:00:00.000Z")))).toBeNull();
    expect(volume(newId(Date.parse("2026-01-31T23:30:00.000Z")))).toBe("2026-02-01");
    expect(volume(newId(Date.parse("2026-02-28T23:59:59.999Z")))).toBe("2026-02-01");
    expect(volume(newId(Date.parse("2026-03-01T00:00:00.000Z")))).toBe("2026-03-01");
    expect(volume(newId(now + 2 * HOUR_MS))).toBeNull();
    expect(volume(crypto.randomUUID())).toBeNull();
    expect(volumeOfId([], newId(now), now)).toBeNull();
  });
});
