import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DELIVERY_ROWS, LONGEST_DELIVERY_MS, OUTBOX, Outbox, type Owed } from "../../../src/kernel/durable/outbox.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/time.ts";
import { heldTimers } from "../../support/held-timers.ts";
import { roundOf } from "../../support/outbox-round.ts";

type Destination = "a" | "b";
const NOW = 1_700_000_000_000;

/** Creates an outbox in an object's storage, and records what its destinations receive. */
function outboxIn(storage: DurableObjectStorage) {
  const taken: Record<Destination, Owed[][]> = { a: [], b: [] };
  const failing = new Set<Destination>();
  const refused = new Set<string>();
  const hanging = new Set<Destination>();
  const timers = heldTimers();
  const take = async (to: Destination, rows: Owed[]) => {
    if (hanging.has(to)) await new Promise<never>(() => {});
    if (failing.has(to)) throw new Error("away");
    if (rows.some(({ key }) => refused.has(key))) throw new Error("unknown type");
    taken[to].push(rows.map(({ key, body }) => ({ key, body })));
  };
  const build = (builtAt = NOW) =>
    new Outbox<Destination>({
      sql: storage.sql,
      builtAt,
      after: timers.after,
      deliver: { a: (rows) => take("a", rows), b: (rows) => take("b", rows) },
    });
  const { sql } = storage;
  /** Delivers what is due until `end` (ms), at the times that the outbox requests. Returns the last time. */
  const until = async (outbox: Outbox<Destination>, end: number, from = NOW) => {
    let now = from;
    for (let at: number | null = now; at !== null && at <= end; at = await roundOf(outbox, "a", now))
      now = Math.max(now, at);
    return now;
  };
  return {
    build,
    until,
    taken,
    failing,
    refused,
    hanging,
    timers,
    sql,
    keys: (to: Destination) => taken[to].flat().map(({ key }) => key),
  };
}

const inObject = <T>(work: (scene: ReturnType<typeof outboxIn>) => Promise<T>) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, { storage }) => {
    storage.sql.exec(OUTBOX);
    return work(outboxIn(storage));
  });

describe("an outbox", () => {
  it("a row whose delivery a crash cuts off is delivered once the outbox is rebuilt", async () => {
    await inObject(async ({ build, hanging, keys }) => {
      const dying = build();
      dying.add("a", "one", {});
      hanging.add("a");
      void dying.run(NOW);
      await scheduler.wait(0);
      hanging.clear();
      await build(NOW + 1).run(NOW + 1);
      expect(keys("a")).toEqual(["one"]);
    });
  });

  it("delivers rows in order and in batches, and has none left afterwards", async () => {
    await inObject(async ({ build, taken, keys }) => {
      const outbox = build();
      expect([outbox.owes, outbox.dueAt()]).toEqual([false, null]);
      const all = Array.from({ length: DELIVERY_ROWS + 3 }, (_, i) => `row ${i}`);
      for (const key of all) outbox.add("a", key, { key });
      expect([outbox.owes, outbox.dueAt()]).toEqual([true, 0]);
      await outbox.run(NOW);
      await outbox.run(NOW);
      expect(keys("a")).toEqual(all);
      expect(taken.a.map(({ length }) => length)).toEqual([DELIVERY_ROWS, 3]);
      expect([outbox.owes, outbox.dueAt()]).toEqual([false, null]);
    });
  });

  it("delivers to others while a failing destination backs off, unless a delivery is requested early", async () => {
    await inObject(async ({ build, failing, keys }) => {
      const outbox = build();
      failing.add("a");
      outbox.add("a", "1", {});
      outbox.add("b", "1", {});
      expect(await roundOf(outbox, "a", NOW)).toBe(NOW + 1_000);
      expect(await roundOf(outbox, "b", NOW)).toBeNull();
      await expect(outbox.push("a", NOW + 500)).rejects.toThrow("away");
      expect(outbox.dueAt()).toBe(NOW + 1_000);
      expect(await roundOf(outbox, "a", NOW + 1_000)).toBe(NOW + 3_000);
      failing.clear();
      await outbox.push("a", NOW + 1_500);
      expect([keys("a"), keys("b"), outbox.owes]).toEqual([["1"], ["1"], false]);
    });
  });

  it("reads its rows once for all its parts that are asked at the same time", async () => {
    await inObject(async ({ build, sql }) => {
      const outbox = build();
      outbox.add("a", "1", {});
      const parts = [outbox.to("a"), outbox.to("b")];
      const exec = vi.spyOn(sql, "exec");
      const ask = () => {
        const asking = {};
        exec.mockClear();
        return [parts.map((part) => part.dueAt(asking)), exec.mock.calls.length];
      };
      ask();
      expect(ask()).toEqual([[0, null], 1]);
      outbox.add("b", "2", {});
      expect(ask()).toEqual([[0, 0], 1]);
      exec.mockRestore();
    });
  });

  it("ends a delivery that hangs at the time limit, and retries it", async () => {
    await inObject(async ({ build, hanging, timers, keys }) => {
      const outbox = build();
      hanging.add("a");
      outbox.add("a", "1", {});
      const delivery = roundOf(outbox, "a", NOW);
      await timers.advance(LONGEST_DELIVERY_MS);
      expect(await delivery).toBe(NOW + 1_000);
      expect(outbox.backlog).toMatchObject({ rows: 1, since: NOW });
      hanging.clear();
      await roundOf(outbox, "a", NOW + 1_000);
      expect([keys("a"), outbox.owes, timers.pending]).toEqual([["1"], false, 0]);
    });
  });

  it("retries a destination that is away for long once a minute", async () => {
    await inObject(async ({ build, failing }) => {
      const outbox = build();
      failing.add("a");
      outbox.add("a", "1", {});
      let now = NOW;
      for (let i = 0; i < 10; i++) now = (await roundOf(outbox, "a", now)) ?? now;
      expect(await roundOf(outbox, "a", now)).toBe(now + 60_000);
    });
  });

  it("delivers the rows around a refused one, which blocks those behind it for a day at most", async () => {
    await inObject(async ({ build, until, refused, keys, sql }) => {
      const outbox = build();
      refused.add("poison");
      const all = ["1", "2", "poison", "4", "5"];
      for (const key of all) outbox.add("a", key, {});
      await until(outbox, NOW + DAY_MS - 2 * MINUTE_MS);
      expect(keys("a")).toEqual(["1", "2"]);
      expect(outbox.backlog).toMatchObject({ rows: 3, parked: 0 });
      await until(outbox, NOW + DAY_MS + 2 * MINUTE_MS, NOW + DAY_MS - MINUTE_MS);
      expect(keys("a")).toEqual(["1", "2", "4", "5"]);
      expect([outbox.backlog, outbox.owes]).toEqual([{ rows: 1, parked: 1, since: null }, true]);
      // The row is retried a day later.
      expect(outbox.dueAt()).toBeGreaterThanOrEqual(NOW + 2 * DAY_MS);
      refused.clear();
      await outbox.run(outbox.dueAt() ?? 0);
      expect([keys("a").at(-1), outbox.owes]).toEqual(["poison", false]);
      expect(sql.exec("SELECT * FROM outbox").toArray()).toEqual([]);
    });
  });

  it("retries a parked row as soon as the object is rebuilt", async () => {
    await inObject(async ({ build, refused, keys }) => {
      refused.add("poison");
      const outbox = build();
      outbox.add("a", "poison", {});
      await roundOf(outbox, "a", NOW);
      outbox.add("a", "good", {});
      const later = NOW + DAY_MS;
      await roundOf(outbox, "a", later);
      await roundOf(outbox, "a", later + MINUTE_MS);
      expect(outbox.backlog.parked).toBe(1);
      const next = build(later + 2 * MINUTE_MS);
      expect(next.dueAt()).toBe(0);
      refused.clear();
      await next.run(later + 2 * MINUTE_MS);
      expect([keys("a"), next.owes]).toEqual([["good", "poison"], false]);
    });
  });

  it("parks nothing while the destination takes no row at all", async () => {
    await inObject(async ({ build, until, failing, keys }) => {
      const outbox = build();
      failing.add("a");
      const all = Array.from({ length: 30 }, (_, i) => `row ${i}`);
      for (const key of all) outbox.add("a", key, {});
      await until(outbox, NOW + 2 * DAY_MS);
      expect(outbox.backlog).toMatchObject({ rows: 30, parked: 0 });
      failing.clear();
      await until(outbox, NOW + 3 * DAY_MS, NOW + 2 * DAY_MS);
      expect(keys("a")).toEqual(all);
    });
  });

  it("refuses to be emptied while a parked row is undelivered", async () => {
    await inObject(async ({ build, refused }) => {
      const outbox = build();
      refused.add("poison");
      outbox.add("a", "poison", {});
      await roundOf(outbox, "a", NOW);
      outbox.add("a", "good", {});
      await roundOf(outbox, "a", NOW + DAY_MS);
      await roundOf(outbox, "a", NOW + DAY_MS + MINUTE_MS);
      expect(outbox.backlog).toMatchObject({ rows: 1, parked: 1 });
      await expect(outbox.alone((drain) => drain())).rejects.toMatchObject({ code: "not_delivered" });
      await expect(outbox.drain("a")).rejects.toMatchObject({ code: "not_delivered" });
      refused.clear();
      await outbox.drain("a");
      expect(outbox.owes).toBe(false);
    });
  });

  it("drops a parked row when its content is erased", async () => {
    await inObject(async ({ build, refused, sql }) => {
      const outbox = build();
      refused.add("poison");
      outbox.add("a", "poison", { to: "+12025550123" });
      await roundOf(outbox, "a", NOW);
      outbox.add("a", "good", {});
      await roundOf(outbox, "a", NOW + DAY_MS);
      await roundOf(outbox, "a", NOW + DAY_MS + MINUTE_MS);
      sql.exec("UPDATE outbox SET body = '{}' WHERE key = 'poison'");
      expect(outbox.owes).toBe(false);
    });
  });

  it("keeps a row that replaced another one during its delivery", async () => {
    await inObject(async ({ build, taken }) => {
      const outbox = build();
      outbox.add("a", "key", { revision: 1 });
      const delivery = outbox.push("a", NOW);
      await outbox.inTurn("b", async () => outbox.add("a", "key", { revision: 2 }));
      await delivery;
      expect(outbox.owes).toBe(true);
      await outbox.push("a", NOW);
      expect(taken.a.flat().at(-1)?.body).toBe('{"revision":2}');
    });
  });

  it("delivers nothing else during an exclusive drain, which can deliver everything", async () => {
    await inObject(async ({ build, failing, keys }) => {
      const outbox = build();
      failing.add("b");
      outbox.add("a", "1", {});
      outbox.add("b", "1", {});
      await expect(outbox.alone((drain) => drain())).rejects.toMatchObject({
        status: 503,
        code: "not_delivered",
        headers: { "retry-after": "5" },
      });
      expect(keys("a")).toEqual(["1"]);
      const { promise, resolve } = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const alone = outbox.alone(() => {
        begun.resolve();
        return promise;
      });
      await begun.promise;
      outbox.add("a", "2", {});
      const waiting = outbox.push("a", NOW);
      await scheduler.wait(0);
      expect(keys("a")).toEqual(["1"]);
      resolve();
      await Promise.all([alone, waiting]);
      expect(keys("a")).toEqual(["1", "2"]);
      failing.clear();
      await outbox.alone((drain) => drain());
      expect(outbox.owes).toBe(false);
    });
  });

  it("the outbox of an emptied object is empty and writes nothing", async () => {
    await runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), async (_, { storage }) => {
      const { build, keys } = outboxIn(storage);
      const outbox = build();
      expect([outbox.owes, outbox.dueAt()]).toEqual([false, null]);
      await outbox.push("a");
      expect(keys("a")).toEqual([]);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
    });
  });

  it("loses no row and keeps their order through failures and crashes", async () => {
    const step = fc.oneof(
      fc.record({ add: fc.constantFrom<Destination[]>("a", "b") }),
      fc.record({ toggle: fc.constantFrom<Destination[]>("a", "b") }),
      fc.constant({ round: true }),
      fc.constant({ rebuild: true }),
    );
    vi.spyOn(console, "error").mockImplementation(() => {});
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
        inObject(async ({ build, failing, keys }) => {
          let outbox = build();
          let now = NOW;
          const added: Record<Destination, string[]> = { a: [], b: [] };
          for (const one of steps) {
            now += 700;
            if ("add" in one) {
              const key = `${now}`;
              added[one.add].push(key);
              outbox.add(one.add, key, {});
            } else if ("toggle" in one) {
              if (!failing.delete(one.toggle)) failing.add(one.toggle);
            } else if ("round" in one) await outbox.run(now);
            else outbox = build();
          }
          failing.clear();
          await outbox.alone((drain) => drain());
          expect([keys("a"), keys("b")]).toEqual([added.a, added.b]);
        }),
      ),
      { numRuns: 40 },
    );
    vi.restoreAllMocks();
  });
});
