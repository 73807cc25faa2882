import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { MAX_RUNS_A_DAY, MAX_RUNS_A_MINUTE, ToolRates } from "../../../src/account/meter/tool-rates.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/time.ts";

const meter = () => env.ACCOUNT_METER.getByName(`rates-${crypto.randomUUID()}`);
const asStub = (object: object) => object as unknown as DurableObjectStub;

/** Runs `work` with new rates and their storage. */
function withRates<R>(work: (rates: ToolRates, storage: DurableObjectStorage) => R | Promise<R>): Promise<R> {
  return runInDurableObject(asStub(meter()), (_, { storage }) => {
    migrate(storage, METER_MIGRATIONS, 0);
    return work(new ToolRates(storage.sql), storage);
  });
}

const NOON = 20_000 * DAY_MS + DAY_MS / 2;

describe("the rates of tool runs", () => {
  it("admit 60 in any minute and 600 a day of a visitor, in any order of requests", async () => {
    const histories = fc.array(
      fc.record({
        conversation: fc.constantFrom("a", "b", "c"),
        visitor: fc.constantFrom("x", "y", null),
        after: fc.constantFrom(0, 0, 0, 100, 900, 5_000, 40_000),
      }),
      { minLength: 100, maxLength: 400 },
    );
    await withRates((rates, { sql }) => {
      fc.assert(
        fc.property(histories, (requests) => {
          sql.exec("DELETE FROM tool_runs_of_minute");
          sql.exec("DELETE FROM tool_runs_of_day");
          const admitted: { holder: string; at: number }[] = [];
          let now = NOON;
          for (const { conversation, visitor, after } of requests) {
            now += after;
            const holders = [`c ${conversation}`, ...(visitor === null ? [] : [`v ${visitor}`])];
            const lately = (holder: string) =>
              admitted.filter((one) => one.holder === holder && one.at > now - MINUTE_MS).length;
            const fits = holders.every((holder) => lately(holder) < MAX_RUNS_A_MINUTE);
            const answer = rates.admit({ conversation, visitor }, now);
            expect(answer.outcome).toBe(fits ? "admitted" : "refused");
            if (fits) admitted.push(...holders.map((holder) => ({ holder, at: now })));
            else if (answer.outcome === "refused") {
              // Returns whether there is room: not one millisecond before the reported time, but at that time.
              const room = (at: number) =>
                holders.every(
                  (holder) =>
                    admitted.filter((one) => one.holder === holder && one.at > at - MINUTE_MS).length <
                    MAX_RUNS_A_MINUTE,
                );
              expect([room(now + answer.retryAfterMs - 1), room(now + answer.retryAfterMs)]).toEqual([false, true]);
            }
          }
        }),
        { numRuns: 15 },
      );
    });
  });

  it("refuse a visitor's 601st run of a day until the next day, in any conversation", async () => {
    await withRates((rates) => {
      let now = NOON;
      for (let n = 0; n < MAX_RUNS_A_DAY; n++) {
        now += 1_001;
        expect(rates.admit({ conversation: `c${n % 7}`, visitor: "v" }, now)).toEqual({ outcome: "admitted" });
      }
      now += 1_001;
      const retryAfterMs = 20_001 * DAY_MS - now;
      const refused = { outcome: "refused", limit: "day", retryAfterMs };
      expect(rates.admit({ conversation: "another", visitor: "v" }, now)).toEqual(refused);
      expect(rates.admit({ conversation: "another", visitor: "w" }, now)).toEqual({ outcome: "admitted" });
      expect(rates.admit({ conversation: "another", visitor: null }, now)).toEqual({ outcome: "admitted" });
      expect(rates.admit({ conversation: "another", visitor: "v" }, now + retryAfterMs)).toEqual({
        outcome: "admitted",
      });
    });
  });

  it("admit exactly the limit if many runs are requested at once", async () => {
    const object = meter();
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => object.admitToolRun({ conversation: "c", visitor: "guest v" })),
    );
    expect(answers.filter(({ outcome }) => outcome === "admitted")).toHaveLength(MAX_RUNS_A_MINUTE);
  });

  it("keep nothing of a past day", async () => {
    const object = meter();
    await object.admitToolRun({ conversation: "c", visitor: "guest v" });
    const count = () =>
      runInDurableObject(asStub(object), (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM tool_runs_of_minute UNION ALL SELECT 1 FROM tool_runs_of_day").toArray(),
      );
    expect(await count()).toHaveLength(3);
    await runInDurableObject(asStub(object), (_, { storage }) => {
      storage.sql.exec("UPDATE tool_runs_of_minute SET at = at - ?", DAY_MS);
      storage.sql.exec("UPDATE tool_runs_of_day SET day = day - 1");
    });
    expect(await runDurableObjectAlarm(asStub(object))).toBe(true);
    expect(await count()).toEqual([]);
  });
});
