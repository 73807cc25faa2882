import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatusCache } from "../../../src/account/gate/status-cache.ts";

const status = (keyId = "k") => ({ keyId });

describe("status cache", () => {
  it("never returns a status from before a completed change, in any order of requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom("ask", "change"), { minLength: 2, maxLength: 20 }),
        async (scheduler, steps) => {
          const cache = new StatusCache<{ keyId: string } | null>();
          const pause = () => scheduler.schedule(Promise.resolve());
          /** The numbers of changes of the key that the database has stored, and that were answered. */
          let stored = 0;
          let done = 0;
          const load = async () => {
            await pause();
            const found = status(String(stored));
            await pause();
            return found;
          };
          const run = {
            ask: async () => {
              await pause();
              const completed = done;
              const answer = await cache.get("hash", 0, load);
              expect(Number(answer?.keyId)).toBeGreaterThanOrEqual(completed);
            },
            change: async () => {
              await pause();
              const change = ++stored;
              await pause();
              cache.invalidate();
              done = Math.max(done, change);
            },
          };
          await Promise.all([...steps.map((step) => run[step]()), scheduler.waitIdle()]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("loads a key once in 30 s, whether it exists or not, and again afterwards", async () => {
    const steps = fc.array(
      fc.record({ hash: fc.constantFrom("good", "unknown"), after: fc.nat(40_000), invalidate: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const cache = new StatusCache<{ keyId: string } | null>();
        const loadedAt = new Map<string, number>();
        let now = 0;
        for (const { hash, after, invalidate } of sequence) {
          now += after;
          if (invalidate) {
            cache.invalidate();
            loadedAt.clear();
          }
          let loaded = false;
          const found = hash === "good" ? status() : null;
          const answer = await cache.get(hash, now, async () => {
            loaded = true;
            return found;
          });
          expect(answer).toEqual(found);
          expect(loaded).toBe(now - (loadedAt.get(hash) ?? Number.NEGATIVE_INFINITY) >= 30_000);
          if (loaded) loadedAt.set(hash, now);
        }
      }),
    );
  });

  it("loads once for concurrent requests, and again after a failure", async () => {
    const cache = new StatusCache<{ keyId: string } | null>();
    let loads = 0;
    const failing = async () => {
      loads++;
      throw new Error("the database is away");
    };
    const many = await Promise.allSettled(Array.from({ length: 20 }, () => cache.get("hash", 0, failing)));
    expect(many.map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
    expect(loads).toBe(1);
    expect(await cache.get("hash", 0, async () => status())).toEqual(status());
  });

  it("keeps 10,000 keys, and drops the oldest", async () => {
    const cache = new StatusCache<{ keyId: string } | null>();
    for (let i = 0; i < 10_001; i++) await cache.get(`hash ${i}`, 0, async () => null);
    const loaded: string[] = [];
    for (const hash of ["hash 1", "hash 10000", "hash 0"]) {
      await cache.get(hash, 0, async () => {
        loaded.push(hash);
        return null;
      });
    }
    expect(loaded).toEqual(["hash 0"]);
  });
});
