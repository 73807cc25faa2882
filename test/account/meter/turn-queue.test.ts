import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { TurnQueue } from "../../../src/account/meter/turn-queue.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

function withQueue<T>(body: (queue: TurnQueue) => T | Promise<T>): Promise<T> {
  const meter = env.ACCOUNT_METER.getByName(`queue-${crypto.randomUUID()}`);
  return runInDurableObject(meter, (_, state) => {
    migrate(state.storage, METER_MIGRATIONS, Date.now());
    return body(new TurnQueue(state.storage.sql));
  });
}

describe("turn queue", () => {
  it("gives a single campaign all that it requests", async () => {
    await withQueue((queue) => {
      expect(queue.share("a", 3, 10, NOW)).toBe(3);
      expect(queue.share("a", 30, 10, NOW)).toBe(10);
      expect(queue.share("a", 3, 0, NOW)).toBe(0);
    });
  });

  it("leaves a slot for each campaign ahead, and shares with those behind", async () => {
    await withQueue((queue) => {
      for (const campaign of ["a", "b", "c"]) queue.wait(campaign, false);
      expect(queue.share("newcomer", 10, 3, NOW)).toBe(0);
      expect(queue.share("newcomer", 10, 5, NOW)).toBe(2);
      expect(queue.share("a", 10, 3, NOW)).toBe(1);
      expect(queue.share("a", 10, 7, NOW)).toBe(3);
      expect(queue.share("c", 10, 7, NOW)).toBe(5);
    });
  });

  it("moves a served campaign to the end, and keeps the position of one that got nothing", async () => {
    await withQueue((queue) => {
      for (const campaign of ["a", "b", "c"]) queue.wait(campaign, false);
      queue.wait("a", false);
      expect(queue.call(1, NOW)).toEqual(["a"]);
      queue.wait("a", true);
      expect(queue.call(3, NOW)).toEqual(["b", "c", "a"]);
    });
  });

  it("wakes each campaign once, and drops one that does not respond", async () => {
    await withQueue((queue) => {
      for (const campaign of ["a", "b"]) queue.wait(campaign, false);
      expect(queue.call(1, NOW)).toEqual(["a"]);
      expect(queue.call(1, NOW)).toEqual([]);
      expect(queue.call(1, NOW + 2_000)).toEqual(["b"]);
      expect(queue.length).toBe(1);
      queue.leave("b");
      expect([queue.length, queue.call(9, NOW)]).toEqual([0, []]);
    });
  });

  it("starves no campaign: with one slot at a time, each of n campaigns is served within n turns", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 3 }), (n, slots) =>
        withQueue((queue) => {
          const all = Array.from({ length: n }, (_, i) => `c${i}`);
          for (const campaign of all) queue.wait(campaign, false);
          const served = new Set<string>();
          for (let turn = 0; turn < n; turn++) {
            for (const campaign of queue.call(slots, NOW + turn)) {
              const got = queue.share(campaign, 5, slots, NOW + turn);
              if (got > 0) served.add(campaign);
              queue.wait(campaign, got > 0);
            }
          }
          expect([...served].sort()).toEqual(all);
        }),
      ),
      { numRuns: 25 },
    );
  });
});
