import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DELIVERY_ROWS, OUTBOX, Outbox, type Owed } from "../../../src/kernel/durable/outbox.ts";

type Destination = "a" | "b";
const NOW = 1_700_000_000_000;

/** An outbox over an object's own storage, and what its destinations were handed. */
function outboxIn(storage: DurableObjectStorage) {
  const taken: Record<Destination, Owed[][]> = { a: [], b: [] };
  const failing = new Set<Destination>();
  const take = async (to: Destination, rows: Owed[]) => {
    if (failing.has(to)) throw new Error("away");
    taken[to].push(rows.map(({ key, body }) => ({ key, body })));
  };
  const build = () =>
    new Outbox<Destination>({
      sql: storage.sql,
      deliver: { a: (rows) => take("a", rows), b: (rows) => take("b", rows) },
    });
  return { build, taken, failing, keys: (to: Destination) => taken[to].flat().map(({ key }) => key) };
}

const inObject = <T>(work: (scene: ReturnType<typeof outboxIn>) => Promise<T>) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, { storage }) => {
    storage.sql.exec(OUTBOX.sql);
    return work(outboxIn(storage));
  });

describe("an outbox", () => {
  it("delivers rows in order and in batches, and has none pending then", async () => {
    await inObject(async ({ build, taken, keys }) => {
      const outbox = build();
      expect([outbox.owes, outbox.nextAt()]).toEqual([false, null]);
      const all = Array.from({ length: DELIVERY_ROWS + 3 }, (_, i) => `row ${i}`);
      for (const key of all) outbox.add("a", key, { key });
      expect([outbox.owes, outbox.nextAt()]).toEqual([true, 0]);
      await outbox.round(NOW);
      await outbox.round(NOW);
      expect(keys("a")).toEqual(all);
      expect(taken.a.map(({ length }) => length)).toEqual([DELIVERY_ROWS, 3]);
      expect([outbox.owes, outbox.nextAt()]).toEqual([false, null]);
    });
  });

  it("delivers to others while one destination fails, which backs off, unless a delivery is requested early", async () => {
    await inObject(async ({ build, failing, keys }) => {
      const outbox = build();
      failing.add("a");
      outbox.add("a", "1", {});
      outbox.add("b", "1", {});
      expect(await outbox.roundOf("a", NOW)).toBe(NOW + 1_000);
      expect(await outbox.roundOf("b", NOW)).toBeNull();
      await expect(outbox.push("a", NOW + 500)).rejects.toThrow("away");
      expect(outbox.nextAt()).toBe(NOW + 1_000);
      expect(await outbox.roundOf("a", NOW + 1_000)).toBe(NOW + 3_000);
      failing.clear();
      await outbox.push("a", NOW + 1_500);
      expect([keys("a"), keys("b"), outbox.owes]).toEqual([["1"], ["1"], false]);
    });
  });

  it("tries one that is away for long once a minute", async () => {
    await inObject(async ({ build, failing }) => {
      const outbox = build();
      failing.add("a");
      outbox.add("a", "1", {});
      let now = NOW;
      for (let i = 0; i < 10; i++) now = (await outbox.roundOf("a", now)) ?? now;
      expect(await outbox.roundOf("a", now)).toBe(now + 60_000);
    });
  });

  it("keeps a row that was replaced while the one before was on its way", async () => {
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

  it("owes nothing, and writes nothing, in an object that is empty or was emptied", async () => {
    await runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), async (_, { storage }) => {
      const { build, keys } = outboxIn(storage);
      const outbox = build();
      expect([outbox.owes, outbox.nextAt()]).toEqual([false, null]);
      await outbox.push("a");
      expect(keys("a")).toEqual([]);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
    });
  });

  it("loses no row and keeps their order over failures and deaths of its process", async () => {
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
            } else if ("round" in one) await outbox.round(now);
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
